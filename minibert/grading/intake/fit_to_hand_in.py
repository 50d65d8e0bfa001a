"""Check that a notebook can be graded: everything that grading needs is there and unchanged.

The notebook's metadata lists its cells, and nbgrader stores a checksum of each, so the original is not
needed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from ..notebook import OURS, field, grade_id, read


@dataclass(frozen=True)
class Finding:
    """The result of one check: whether it passed, what it found, and what to do if it failed."""

    fine: bool
    seen: str
    advice: str = ""


def look_over(path: str | Path) -> list[Finding]:
    """Check a notebook before it is handed in, without changing the file, and return the findings."""
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
                f"{path.name} is not an exercise: none of its cells is graded",
                "Hand in the notebook from exercises/, not a lesson.",
            )
        ]
    released = notebook.metadata.get(OURS, {})
    return [
        file_name_kept(path, released),
        no_cell_missing(names, released),
        no_cell_twice(names),
        given_cells_unchanged(notebook),
    ]


def file_name_kept(path: Path, released: Mapping[str, Any]) -> Finding:
    """Check that the file has the name under which the exercise was released."""
    name = released.get("name", path.stem)
    if path.stem == name:
        return Finding(True, f"file name {path.name}")
    return Finding(
        False, f"file name {path.name}", f"Rename it back to {name}.ipynb; other names are not collected."
    )


def no_cell_missing(names: Sequence[str], released: Mapping[str, Any]) -> Finding:
    """Check that no cell of the exercise has been deleted."""
    if "cells" not in released:
        return Finding(
            True, "cells: cannot tell whether any are missing, because this notebook does not list them"
        )
    missing = [name for name in released["cells"] if name not in names]
    if missing:
        return Finding(
            False,
            f"cells deleted: {', '.join(missing)}",
            "Restore them with Edit > Undo Cell Operation, or with `minibert course my_course --update`.",
        )
    return Finding(True, f"all {len(released['cells'])} cells of the exercise are present")


def no_cell_twice(names: Sequence[str]) -> Finding:
    """Check that no cell of the exercise occurs twice."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        return Finding(
            False,
            f"cells that occur twice: {', '.join(twice)}",
            "Delete the copies, because only one of each is graded.",
        )
    return Finding(True, "no cell occurs twice")


def given_cells_unchanged(notebook: NotebookNode) -> Finding:
    """Check that locked cells are unchanged; grading would undo any changes to them."""
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
            f"cells that must not be changed: {', '.join(changed)}",
            "Grading restores the originals. Move your own code to an answer cell or a new cell.",
        )
    return Finding(True, "the given cells are unchanged")
