"""Reads and writes notebooks, builds them from their text sources, and finds and fills their marked cells.

A source is jupytext's `py:percent`. A cell header may carry a mark, `# %% nb="tests softmax-hidden 3"`: kind,
name and points, short for nbgrader's metadata. Everything here is deterministic: the same source gives the
same bytes.
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
TEXT_AFTER_FOLD = re.compile(r"</details>\n\n(?=[^\s<])")  # without a <br> they have no gap in JupyterLab
IN_CLASS = "_in_class"  # ends the name of a notebook beside a lesson, for a class that knows no other
KINDS = {  # kind of the mark: nbgrader's (grade, solution, locked, task)
    "read": (False, False, True, False),  # a student reads it and cannot change it
    "solution": (False, True, False, False),  # a student writes it
    "tests": (True, False, True, False),  # graded by running it
    "manual": (True, True, False, False),  # a student writes it, a person grades it
    "task": (False, False, True, True),  # a task that a person grades
}
OURS = "minibert"  # in the notebook's metadata: its name and the names of its marked cells, as released
IDLE = "idle"  # below OURS in the metadata of a cell that grading need not run
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class SourceError(ValueError):
    """A text source is wrong; the message names the cell."""


def is_in_class(path: str | Path) -> bool:
    """Whether a file is such a notebook, or its source.

    >>> is_in_class("lessons/07_in_class.nb.py"), is_in_class("07_question_answering.ipynb")
    (True, False)
    """
    return Path(path).name.partition(".")[0].endswith(IN_CLASS)


def from_source(text: str, name: str) -> NotebookNode:
    """The notebook (nbformat 4.5, no outputs) of a source text; raises SourceError.

    name: of the source's file, which enters the ids of the cells.
    """
    import jupytext  # here, because only building needs it

    notebook = jupytext.reads(text, fmt="py:percent")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = TEXT_AFTER_FOLD.sub("</details><br>\n\n", cell.source)
        mark = cell.metadata.pop("nb", None)
        if mark is not None:
            cell.metadata["nbgrader"] = metadata(mark)
    for mark, times in Counter(filter(None, map(grade_id, notebook.cells))).items():
        if times > 1:
            raise SourceError(f"cell name {mark!r} is used twice")
    for cell, identity in zip(notebook.cells, identities(notebook, name)):
        cell["id"] = identity
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    if marked(notebook):  # lets a student's copy be looked over without the original beside it
        notebook.metadata[OURS] = {"name": name.removesuffix(SUFFIX), "cells": list(marked(notebook))}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return notebook


def identities(notebook: NotebookNode, name: str) -> list[str]:
    """The ids that the cells of a built notebook have: of its source's name, and a cell's name or text."""
    seen: Counter[str] = Counter()
    made = []
    for cell in notebook.cells:
        what = grade_id(cell) or cell.source
        seen[what] += 1
        made.append(hashlib.sha256(f"{name}\0{what}\0{seen[what]}".encode()).hexdigest()[:8])
    return made


def metadata(mark: str) -> dict[str, Any]:
    """nbgrader's metadata for a mark such as "tests softmax-hidden 3"; raises SourceError."""
    kind, *rest = mark.split() or [""]
    if kind not in KINDS:
        raise SourceError(f'nb="{mark}": the kind is one of {", ".join(KINDS)}')
    grade, solution, locked, task = KINDS[kind]
    scored = grade or task
    if len(rest) != 1 + scored:
        raise SourceError(f'nb="{mark}": {kind} takes {"a name and points" if scored else "a name"}')
    fields = dict(
        schema_version=3, grade=grade, solution=solution, locked=locked, task=task, grade_id=rest[0]
    )
    if scored:
        try:
            fields["points"] = float(rest[1])
        except ValueError:
            raise SourceError(f'nb="{mark}": points is a number, not {rest[1]!r}') from None
    return fields


def text(notebook: NotebookNode) -> str:
    """The notebook as the text of an .ipynb file, as nbgrader writes it."""
    return nbformat.writes(notebook) + "\n"


def read(path: str | Path) -> NotebookNode:
    """The notebook of an .ipynb file of any version; raises ValueError for a file that is no notebook."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except Exception as error:  # nbformat raises a different kind for each way of being broken
        raise ValueError(f"{path}: not a readable notebook ({str(error).splitlines()[0]})") from None


def field(cell: NotebookNode, key: str, default: Any = None) -> Any:
    """A field of a cell's nbgrader metadata, or `default`."""
    return cell.metadata.get("nbgrader", {}).get(key, default)


def grade_id(cell: NotebookNode) -> str | None:
    """The name of a marked cell; None for other cells."""
    return field(cell, "grade_id")


def marked(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Marked cells by name, in the notebook's order; of cells with the same name, the first."""
    cells: dict[str, NotebookNode] = {}
    for cell in notebook.cells:
        if grade_id(cell):
            cells.setdefault(field(cell, "grade_id"), cell)
    return cells


def fill(exercise: NotebookNode, answers: Mapping[str, str]) -> NotebookNode:
    """A submission: a copy of an exercise with `answers` (cell name -> source) filled in.

    Raises ValueError for a name that is no answer cell of this exercise.
    """
    submission = nbformat.from_dict(exercise)
    cells = {name: cell for name, cell in marked(submission).items() if field(cell, "solution")}
    for name, source in answers.items():
        if name not in cells:
            raise ValueError(f"no answer cell {name!r}; there are {', '.join(cells)}")
        cells[name].source = source
    return submission
