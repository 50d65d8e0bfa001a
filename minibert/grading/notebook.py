"""A notebook as data: read from its one text source, written byte by byte, its marked cells looked up and
answered.

A source is jupytext's `py:percent`. A cell header may carry a mark, `# %% nb="tests softmax-hidden 3"`: kind,
name and points, short for nbgrader's metadata. Everything here is deterministic: the same source gives the
same bytes.
"""
import hashlib
from collections import Counter

import nbformat

SUFFIX = ".nb.py"
KINDS = {  # kind of the mark: nbgrader's (grade, solution, locked, task)
    "read": (False, False, True, False),      # a student reads it and cannot change it
    "solution": (False, True, False, False),  # a student writes it
    "tests": (True, False, True, False),      # graded by running it
    "manual": (True, True, False, False),     # a student writes it, a person grades it
    "task": (False, False, True, True),       # a task that a person grades
}
OURS = "minibert"  # in the notebook's metadata: its name and the names of its marked cells, as released
IDLE = "idle"      # there, in the metadata of a cell: grading need not run it
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class SourceError(ValueError):
    """What is wrong with a text source, with the cell."""


def from_source(text, name):
    """Notebook (nbformat 4.5, no outputs) of a source text; `name`: of the file. Raises SourceError."""
    import jupytext  # here, because looking a notebook over needs none of it

    notebook = jupytext.reads(text, fmt="py:percent")
    seen = Counter()
    for cell in notebook.cells:
        mark = cell.metadata.pop("nb", None)
        if mark is not None:
            cell.metadata["nbgrader"] = metadata(mark)
        what = grade_id(cell) or cell.source
        seen[what] += 1
        if seen[what] > 1 and grade_id(cell):
            raise SourceError(f"cell name {what!r} is used twice")
        cell["id"] = hashlib.sha256(f"{name}\0{what}\0{seen[what]}".encode()).hexdigest()[:8]
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    if marked(notebook):  # lets a student's copy be looked over without the original beside it
        notebook.metadata[OURS] = {"name": name.removesuffix(SUFFIX), "cells": list(marked(notebook))}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return notebook


def metadata(mark):
    """nbgrader's metadata for a mark such as "tests softmax-hidden 3"; raises SourceError."""
    kind, *rest = mark.split() or [""]
    if kind not in KINDS:
        raise SourceError(f'nb="{mark}": the kind is one of {", ".join(KINDS)}')
    grade, solution, locked, task = KINDS[kind]
    scored = grade or task
    if len(rest) != 1 + scored:
        raise SourceError(f'nb="{mark}": {kind} takes {"a name and points" if scored else "a name"}')
    fields = dict(schema_version=3, grade=grade, solution=solution, locked=locked, task=task,
                  grade_id=rest[0])
    if scored:
        try:
            fields["points"] = float(rest[1])
        except ValueError:
            raise SourceError(f'nb="{mark}": points is a number, not {rest[1]!r}') from None
    return fields


def text(notebook):
    """The notebook as the text of an .ipynb file, as nbgrader writes it."""
    return nbformat.writes(notebook) + "\n"


def read(path):
    """Notebook of an .ipynb file, whatever its version; raises ValueError with the path where it is none."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except Exception as error:  # nbformat raises a different kind for each way of being broken
        raise ValueError(f"{path}: not a readable notebook ({str(error).splitlines()[0]})") from None


def field(cell, key, default=None):
    """A field of a cell's nbgrader metadata, `default` for a cell without."""
    return cell.metadata.get("nbgrader", {}).get(key, default)


def grade_id(cell):
    return field(cell, "grade_id")


def marked(notebook):
    """Marked cells by name, in order of the notebook; of a name that occurs twice, the first."""
    cells = {}
    for cell in notebook.cells:
        if grade_id(cell):
            cells.setdefault(grade_id(cell), cell)
    return cells


def fill(exercise, answers):
    """A copy of an exercise with `answers` (cell name -> source) put in: a submission.

    Raises ValueError for a name that is no answer cell of this exercise.
    """
    submission = nbformat.from_dict(exercise)
    cells = {name: cell for name, cell in marked(submission).items() if field(cell, "solution")}
    for name, source in answers.items():
        if name not in cells:
            raise ValueError(f"no answer cell {name!r}; there are {', '.join(cells)}")
        cells[name].source = source
    return submission
