"""The small functions that a student writes in a lesson: open as they stand, right in the folded answer."""

import ast
import re

import numpy as np
import pytest
import torch
from test_sources import LESSONS, folded

from minibert.course.widgets.try_it import tried
from minibert.grading.notebook import from_source, is_in_class

LEAST, LEAST_IN_CLASS = 2, 1
ANSWER = re.compile(r"<summary><b>One way to write it</b></summary>\n+```python\n(.*?)```", re.S)


def names(source):
    """The functions that a cell tries."""
    return re.findall(r"^try_it\((\w+)\)", source, re.M)


def turns(lesson):
    """(function, cell, answer) of each; the answer stands folded in the next Markdown cell."""
    cells = from_source(lesson.read_text(encoding="utf-8"), lesson.name).cells
    for place, cell in enumerate(cells):
        if cell.cell_type == "code" and names(cell.source):
            below = next((one.source for one in cells[place + 1 :] if one.cell_type == "markdown"), "")
            (name,) = names(cell.source)
            yield name, cell, ANSWER.search(below)


def defined(source, place):
    """Run the definitions and imports of a cell, without its call of `try_it`."""
    kept = [
        node
        for node in ast.parse(source).body
        if not isinstance(node, ast.Expr) and "minibert.course.widgets" not in ast.unparse(node)
    ]
    exec(compile(ast.Module(kept, []), "<cell>", "exec"), place)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem[:2])
def test_each_function_is_open_and_its_answer_is_right(lesson):
    found, place = list(turns(lesson)), {"np": np, "torch": torch}
    least = LEAST_IN_CLASS if is_in_class(lesson) else LEAST
    assert len(found) >= least, f"{len(found)} functions to write, not {least}"
    for name, cell, answer in found:
        assert not folded(cell) and answer, f"{name}: folded, or no answer below it"
        defined(cell.source, place)
        results = tried(place[name])
        assert len(results) >= 2 and not any(one.got for one in results if one.wanted), f"{name}: not open"
        defined(answer[1], place)
        place[name].__doc__ = place[name].__doc__ or ast.get_docstring(
            next(
                node
                for node in ast.parse(cell.source).body
                if isinstance(node, ast.FunctionDef) and node.name == name
            )
        )
        wrong = [one for one in tried(place[name]) if not one.right and one.wanted]
        assert not wrong, wrong
