"""Read, write and build notebooks, and find and fill their marked cells.

Notebooks are built from text sources in jupytext's `py:percent` format. A cell header such as `# %% nb="tests
softmax-hidden 3"` is short for nbgrader's metadata: the cell's kind, name and points. The same source always
gives the same bytes.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

SUFFIX = ".nb.py"
TEXT_AFTER_FOLD = re.compile(r"</details>\n\n(?=[^\s<])")  # JupyterLab shows no gap here without a <br>
IN_CLASS = "_in_class"  # suffix of the names of in-class notebooks, which need no other lesson
KINDS = {  # kind of a mark -> nbgrader's flags (grade, solution, locked, task)
    "read": (False, False, True, False),  # a student reads it and cannot change it
    "solution": (False, True, False, False),  # a student writes it
    "tests": (True, False, True, False),  # graded by running it
    "manual": (True, True, False, False),  # a student writes it, a person grades it
    "task": (False, False, True, True),  # a task that a person grades
}
OURS = "minibert"  # key in a notebook's metadata, for its name and the names of its marked cells as released
IDLE = "idle"  # metadata key of cells that grading need not run
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class SourceError(ValueError):
    """An error in a text source. The message names the cell."""


def is_in_class(path: str | Path) -> bool:
    """Return whether a path names a standalone classroom notebook or its source.

    >>> is_in_class("lessons/07_in_class.nb.py"), is_in_class("07_question_answering.ipynb")
    (True, False)
    """
    return Path(path).name.partition(".")[0].endswith(IN_CLASS)


def from_source(text: str, name: str) -> NotebookNode:
    """Build a notebook (nbformat 4.5, without outputs) from the text of a source file.

    `name` is the name of the source file, on which the cell ids depend. Raises SourceError for an invalid
    mark or a cell name that is used twice.
    """
    import jupytext  # imported here because only building needs it

    notebook = jupytext.reads(text, fmt="py:percent")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = TEXT_AFTER_FOLD.sub("</details><br>\n\n", cell.source)
        mark = cell.metadata.pop("nb", None)
        if mark is not None:
            cell.metadata["nbgrader"] = metadata(mark)
    for mark, times in Counter(filter(None, map(grade_id, notebook.cells))).items():
        if times > 1:
            raise SourceError(f"cell name {mark!r} is used twice; give every marked cell its own name")
    for cell, identity in zip(notebook.cells, identities(notebook, name)):
        cell["id"] = identity
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    if marked(notebook):  # so that a student's copy can be checked without the original
        notebook.metadata[OURS] = {"name": name.removesuffix(SUFFIX), "cells": list(marked(notebook))}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return notebook


def identities(notebook: NotebookNode, name: str) -> list[str]:
    """Return an id for each cell of a notebook, made from the source's name and the cell's name or text."""
    seen: Counter[str] = Counter()
    made = []
    for cell in notebook.cells:
        what = grade_id(cell) or cell.source
        seen[what] += 1
        made.append(hashlib.sha256(f"{name}\0{what}\0{seen[what]}".encode()).hexdigest()[:8])
    return made


def metadata(mark: str) -> dict[str, Any]:
    """Return nbgrader's metadata for a mark such as "tests softmax-hidden 3".

    Raises SourceError if the mark is invalid.
    """
    kind, *rest = mark.split() or [""]
    if kind not in KINDS:
        raise SourceError(f'nb="{mark}": unknown kind; use one of {", ".join(KINDS)}')
    grade, solution, locked, task = KINDS[kind]
    scored = grade or task
    if len(rest) != 1 + scored:
        raise SourceError(f'nb="{mark}": {kind} takes {"a name and points" if scored else "only a name"}')
    fields = dict(
        schema_version=3, grade=grade, solution=solution, locked=locked, task=task, grade_id=rest[0]
    )
    if scored:
        try:
            fields["points"] = float(rest[1])
        except ValueError:
            raise SourceError(f'nb="{mark}": points must be a number, not {rest[1]!r}') from None
    return fields


def text(notebook: NotebookNode) -> str:
    """Return the notebook as the text of an .ipynb file, formatted like nbgrader's files."""
    return nbformat.writes(notebook) + "\n"


def read(path: str | Path) -> NotebookNode:
    """Read an .ipynb file in any version of the notebook format.

    Raises ValueError if the file does not exist or is not a notebook.
    """
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise ValueError(f"{path}: this file does not exist") from None
    except Exception as error:  # nbformat raises many kinds of errors for broken files
        raise ValueError(f"{path}: not a readable notebook ({str(error).splitlines()[0]})") from None


def field(cell: NotebookNode, key: str, default: Any = None) -> Any:
    """Return a field of a cell's nbgrader metadata, or `default` if the cell does not have it."""
    return cell.metadata.get("nbgrader", {}).get(key, default)


def grade_id(cell: NotebookNode) -> str | None:
    """Return the cell's name in nbgrader, or None if it has none."""
    return field(cell, "grade_id")


def marked(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Return a dictionary that maps names to the cells that nbgrader manages, in notebook order.

    If several cells have the same name, only the first is included.
    """
    cells: dict[str, NotebookNode] = {}
    for cell in notebook.cells:
        if grade_id(cell):
            cells.setdefault(field(cell, "grade_id"), cell)
    return cells


def fill(exercise: NotebookNode, answers: Mapping[str, str]) -> NotebookNode:
    """Return a copy of an exercise with answers filled in, as a student would hand it in.

    `answers` maps cell names to sources. Raises ValueError for a name that is not an answer cell of this
    exercise.
    """
    submission = nbformat.from_dict(exercise)
    cells = {name: cell for name, cell in marked(submission).items() if field(cell, "solution")}
    for name, source in answers.items():
        if name not in cells:
            raise ValueError(f"no answer cell is named {name!r}; the answer cells are {', '.join(cells)}")
        cells[name].source = source
    return submission
