"""Flag cells that import, read or run the package's own code, for a person to judge.

Points do not change. Names that the released notebook itself uses are never flagged. The code is only read,
not run, so well-disguised names are missed, and a flagged line may be harmless.
"""

from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from nbformat import NotebookNode

from ..author.assignment_bundle import Bundle
from ..notebook import grade_id
from ..report.sanitize import printable
from .suspicious_code import KnownNames, findings

MOST = 50  # flags reported for one submission
LINE = 160  # characters of a line that are shown


@dataclass(frozen=True)
class Flag:
    """Code that a person should look at. `cell` is a cell's name or "added cell N"; `line` counts from 1."""

    cell: str
    line: int
    text: str
    why: str


def flags_of(bundle: Bundle, notebook: NotebookNode) -> list[dict[str, Any]]:
    """Return the flags of a repaired submission, as dictionaries with the keys cell, line, text and why."""
    given = {cell.id: cell for cell in bundle.cells}
    known = KnownNames.of(
        [cell.released for cell in bundle.cells if cell.kind == "code"],
        [name for cell in bundle.cells for name in cell.functions],
        list(bundle.files),
    )
    found: list[Flag] = []
    own = 0
    for cell in notebook.cells:
        released = given.get(cell.id)
        own += released is None and cell.cell_type == "code"
        if cell.cell_type == "code" and (
            released is None or cell.source not in (released.source, released.released)
        ):
            name = grade_id(cell) or (f"added cell {own}" if released is None else f"cell {cell.id}")
            found += flags_of_cell(name, cell.source, known)
    return [asdict(flag) for flag in found[:MOST]]


def flags_of_cell(name: str, source: str, known: KnownNames) -> list[Flag]:
    """Return the flags of one cell in the order of its lines, with at most one flag per line."""
    lines = source.split("\n")
    found: dict[int, str] = {}
    for number, why in islice(findings(source, known), 10 * MOST):
        found.setdefault(number, why)
    return [
        Flag(name, number, printable(lines[number - 1].strip()[:LINE]), found[number])
        for number in sorted(found)
    ]
