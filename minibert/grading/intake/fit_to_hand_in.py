"""Checks that a notebook is fit to hand in: all that grading needs is there and unchanged, and it runs.

An exercise lists its own cells in its metadata, and nbgrader keeps a checksum of each, so the original is not
needed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from ..author.fresh_kernel import run
from ..cell_messages import first_failure
from ..notebook import OURS, field, grade_id, read
from .stubs import holds_code_stub, holds_text_stub


@dataclass(frozen=True)
class Finding:
    """The result of one check: whether all is fine, what was seen, and what to do if it is not."""

    fine: bool
    seen: str
    advice: str = ""


def look_over(path: str | Path) -> list[Finding]:
    """Findings about a notebook that is to be handed in; its file is not changed."""
    path = Path(path)
    try:
        notebook = read(path)
    except ValueError as error:
        return [Finding(False, str(error), "Give the path of your .ipynb file.")]
    names = [name for cell in notebook.cells if (name := grade_id(cell))]
    if not names:
        return [
            Finding(
                False,
                f"{path.name} is no exercise: none of its cells is graded",
                "Hand in the notebook from exercises/, not a lesson.",
            )
        ]
    released = notebook.metadata.get(OURS, {})
    return [
        file_name_kept(path, released),
        no_cell_missing(names, released),
        no_cell_twice(names),
        given_cells_unchanged(notebook),
        all_answered(notebook),
        runs_to_the_end(notebook, path.resolve().parent),
    ]


def file_name_kept(path: Path, released: Mapping[str, Any]) -> Finding:
    """The file has the name under which the exercise was released."""
    name = released.get("name", path.stem)
    if path.stem == name:
        return Finding(True, f"file name {path.name}")
    return Finding(False, f"file name {path.name}", f"Only {name}.ipynb is collected: rename it back.")


def no_cell_missing(names: Sequence[str], released: Mapping[str, Any]) -> Finding:
    """No marked cell has been deleted."""
    if "cells" not in released:
        return Finding(True, "cells: cannot tell whether one is missing, as this notebook does not list them")
    missing = [name for name in released["cells"] if name not in names]
    if missing:
        return Finding(
            False,
            f"cells deleted: {', '.join(missing)}",
            "Fetch the exercise anew and copy your answers into it, or restore the cells with Edit > Undo.",
        )
    return Finding(True, f"all {len(released['cells'])} cells of the exercise are there")


def no_cell_twice(names: Sequence[str]) -> Finding:
    """No marked cell occurs twice."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        return Finding(
            False,
            f"cells that occur twice: {', '.join(twice)}",
            "Delete the copies: only one of each is graded.",
        )
    return Finding(True, "no cell occurs twice")


def given_cells_unchanged(notebook: NotebookNode) -> Finding:
    """Locked cells read as released; grading puts the original back, so a change there would be lost."""
    from nbgrader.utils import compute_checksum, is_locked

    changed = [
        name
        for cell in notebook.cells
        if (name := grade_id(cell))
        and (
            field(cell, "cell_type", cell.cell_type) != cell.cell_type
            or is_locked(cell)
            and field(cell, "checksum") not in (None, compute_checksum(cell))
        )
    ]
    if changed:
        return Finding(
            False,
            f"cells that must stay as they were: {', '.join(changed)}",
            "Grading puts the original back. Move your own code into an answer cell or a new one.",
        )
    return Finding(True, "the given cells are as they were")


def all_answered(notebook: NotebookNode) -> Finding:
    """Every answer cell holds an answer."""
    from nbgrader.utils import compute_checksum

    answers = [cell for cell in notebook.cells if field(cell, "solution")]
    missing = [
        str(grade_id(cell))
        for cell in answers
        if not cell.source.strip()
        or holds_code_stub(cell.source)
        or holds_text_stub(cell.source)
        or field(cell, "checksum") == compute_checksum(cell)
    ]
    if missing:
        return Finding(
            False,
            f"answers missing: {', '.join(missing)}",
            "You may hand in all the same; they give no points.",
        )
    return Finding(True, f"all {len(answers)} answers are written")


def runs_to_the_end(notebook: NotebookNode, folder: Path) -> Finding:
    """The notebook runs from top to bottom in a fresh kernel."""
    try:
        run(notebook, folder)
    except Exception as error:  # a dead kernel, a timeout
        return Finding(
            False,
            f"does not run: {str(error).splitlines()[0]}",
            "A cell ends the kernel or never ends itself. Run them one by one to find it.",
        )
    failure = first_failure(notebook)
    if failure:
        return Finding(
            False,
            f"not right yet, {failure[0]}: {failure[1]}",
            "To see it in JupyterLab: Run > Restart Kernel and Run All Cells.",
        )
    noisy = [
        str(grade_id(cell))
        for cell in notebook.cells
        if field(cell, "grade") and any(output.get("name") == "stderr" for output in cell.get("outputs", ()))
    ]
    if noisy:
        return Finding(
            False,
            f"runs, but these checks print a warning: {', '.join(noisy)}",
            "nbgrader takes a warning for a failure. Mend what it says.",
        )
    return Finding(True, "runs from top to bottom")
