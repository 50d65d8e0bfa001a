"""A reader for the cells of any handed-in file, including damaged notebooks and Python files.

`notebook.read` refuses an invalid notebook. This reader accepts any encoding and any version of the notebook
format, reads as much as possible and notes what was wrong.
"""

import itertools
import json
import re
from dataclasses import dataclass, field
from typing import Any

from ..author.assignment_bundle import defined_names

CELL_START = re.compile(
    r'\{\s*"(?:attachments|cell_type|collapsed|execution_count|id|input|language|metadata|outputs|source)"\s*:'
)
TRIES = 30  # unreadable objects after which a damaged file is given up
SOURCE_LIMIT = 1_000_000  # characters in one cell
TOTAL_LIMIT = 4_000_000  # in all cells together; an exercise with its answers has 50,000
CELL_LIMIT = 5_000
LARGE = 5_000_000  # bytes; a larger file gets a note
CALLED = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a zip or Office file",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"\x1f\x8b": "a compressed file",
    b"Rar!": "a compressed file",
}


class Unreadable(ValueError):
    """An error for a file without readable cells. The message says what the file contains instead."""


@dataclass(frozen=True)
class HandedInCell:
    """A cell as it was handed in.

    kind: "code", "markdown" or "raw". name: nbgrader id or "". id: nbformat id. marks: nbgrader's metadata.
    """

    kind: str
    source: str
    name: str = ""
    id: str = ""
    marks: dict[str, Any] = field(default_factory=dict)
    tagged: bool = False


def read_cells(data: bytes) -> tuple[list[HandedInCell], list[str], str | None]:
    """Return (cells, notes, name of the kernel or None) for a handed-in file.

    Raises Unreadable if there are no readable cells.
    """
    text, notes = decode_text(data)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if document is None:
        return salvage(data, text, notes)
    if not isinstance(document, dict):
        raise Unreadable("The file is JSON, but not a notebook.")
    cells = list_of_cells(document)
    if cells is None:
        raise Unreadable("The file is JSON, but not a notebook, because it has no list of cells.")
    if len(data) > LARGE:
        notes.append(
            f"The file had {len(data) / 1e6:.0f} MB; its outputs were dropped, as grading recreates them."
        )
    return cells_from_json(cells, notes), notes, kernel(document)


def decode_text(data: bytes) -> tuple[str, list[str]]:
    """Decode bytes in any encoding and return (text, notes about the encoding)."""
    encoding = json.detect_encoding(data)
    if encoding.startswith(("utf-16", "utf-32")):
        name = encoding[:6].upper()
        return data.decode(encoding, "replace"), [
            f"The file was encoded as {name}, not UTF-8, and was read accordingly."
        ]
    try:
        return data.decode(encoding), []
    except UnicodeDecodeError:
        try:
            text, name = data.decode("cp1252"), "Windows-1252"
        except UnicodeDecodeError:
            text, name = data.decode("latin-1"), "Latin-1"
        return text, [
            f"The file was not UTF-8; it was read as {name}. Check that accented letters are correct."
        ]


def list_of_cells(document: dict[str, Any]) -> list | None:
    """Return the cells of a notebook of any version, or None if it has no list of cells."""
    if isinstance(document.get("cells"), list):
        return document["cells"]
    sheets = document.get("worksheets")
    if isinstance(sheets, list):
        return [
            cell
            for sheet in sheets
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    return None


def kernel(document: dict[str, Any]) -> str | None:
    """Return the name of the kernel that a notebook requires, or None if it names none."""
    place = document.get("metadata")
    place = place.get("kernelspec") if isinstance(place, dict) else None
    name = place.get("name") if isinstance(place, dict) else None
    return clean(name)[:60] if isinstance(name, str) else None


def salvage(data: bytes, text: str, notes: list[str]) -> tuple[list[HandedInCell], list[str], str | None]:
    """Read a file that is not JSON, and return the same as `read_cells`.

    The result has the undamaged cells, or a Python file as one cell. Raises Unreadable if there are none.
    """
    decoder = json.JSONDecoder()
    cells: list[dict] = []
    failed, position = 0, 0
    while failed < TRIES and (start := CELL_START.search(text, position)):
        try:
            cell, position = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            failed, position = failed + 1, start.start() + 1
            continue
        if isinstance(cell, dict) and "cell_type" in cell:
            cells.append(cell)
    if cells:
        return (
            cells_from_json(cells, notes),
            notes + ["The file was damaged; only its undamaged cells were read."],
            "python3",
        )
    if len(text) <= SOURCE_LIMIT and defined_names(clean(text)):
        return (
            [HandedInCell("code", clean(text))],
            notes + ["This was a Python file, not a notebook; it was read as one cell."],
            "python3",
        )
    other = "empty" if not text.strip() else "neither a notebook nor Python code"
    what = next((name for start, name in CALLED.items() if data.startswith(start)), other)
    raise Unreadable(f"The file is {what}. No answer could be read from it.")


def cells_from_json(cells: list, notes: list[str]) -> list[HandedInCell]:
    """Convert the cells of a notebook's JSON, and add a note about cells that are left out."""
    found = [cell_from_json(cell) for cell in cells[:CELL_LIMIT] if isinstance(cell, dict)]
    sizes = itertools.accumulate(len(cell.source) if cell else 0 for cell in found)
    kept = [cell for cell, size in zip(found, sizes) if cell is not None and size <= TOTAL_LIMIT]
    if len(kept) < len(cells):
        notes.append(
            f"Entries in the file that are not cells or are too long were left out: {len(cells) - len(kept)}."
        )
    return kept


def cell_from_json(cell: dict[str, Any]) -> HandedInCell | None:
    """Convert one cell of a notebook's JSON, or return None if its source is too long or not text."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    if not isinstance(source, str) or len(source) > SOURCE_LIMIT:
        return None
    place = cell.get("metadata")
    place = place if isinstance(place, dict) else {}
    marks = place.get("nbgrader")
    marks = marks if isinstance(marks, dict) else {}
    name, identity, kind = marks.get("grade_id"), cell.get("id"), cell.get("cell_type")
    return HandedInCell(
        kind if kind in ("code", "raw") else "markdown",
        clean(source),
        clean(name) if isinstance(name, str) else "",
        identity if isinstance(identity, str) else "",
        marks,
        bool(place.get("tags")),
    )


def clean(text: str) -> str:
    """Return the text with "\\n" as the line ending, and without null characters or lone surrogates."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
