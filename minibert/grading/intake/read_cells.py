"""Read the cells of any file that was handed in, including damaged notebooks and Python files.

Unlike `notebook.read`, this accepts any encoding and any version of the notebook format. It reads as much as
possible, and notes what was wrong.
"""

import itertools
import json
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..author.assignment_bundle import defined_names
from ..notebook import KERNEL, OURS
from .pictures import Pictures, with_pictures
from .python_file import pieces_and_texts

CELL_START = re.compile(
    r'\{\s*"(?:attachments|cell_type|collapsed|execution_count|id|input|language|metadata|outputs|source)"\s*:'
)
TRIES = 30  # give up on a damaged file after this many unreadable objects
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
    """The error raised for a file without readable cells. The message names the kind of file."""


@dataclass(frozen=True)
class HandedInCell:
    """A cell as it was handed in.

    kind: "code", "markdown" or "raw". name: its name in nbgrader, or "" if it has none. id: its nbformat id.
    marks: nbgrader's metadata. pictures: the pictures to which `source` refers.
    """

    kind: str
    source: str
    name: str = ""
    id: str = ""
    marks: dict[str, Any] = field(default_factory=dict)
    tagged: bool = False
    pictures: Pictures = field(default_factory=dict)


class About(NamedTuple):
    """A notebook's kernel name and the name it was released under; `python`: whether it is a Python file."""

    kernel: str | None = KERNEL["name"]
    released: str = ""
    python: bool = False


def read_cells(data: bytes) -> tuple[list[HandedInCell], list[str], About]:
    """Read a file that was handed in, and return (cells, notes, metadata).

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
            f"The file was {len(data) / 1e6:.0f} MB in size; its outputs were dropped, because grading "
            "recreates them."
        )
    return cells_from_json(cells, notes), notes, about(document)


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
    """Return a notebook's cells in any version of the format, or None if there are none."""
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


def about(document: dict[str, Any]) -> About:
    """Return a notebook's kernel name (None if missing) and the name under which it was released."""

    def name(key: str) -> str | None:
        place = document.get("metadata")
        place = place.get(key) if isinstance(place, dict) else None
        found = place.get("name") if isinstance(place, dict) else None
        return clean(found)[:60] if isinstance(found, str) else None

    return About(name("kernelspec"), name(OURS) or "")


def salvage(data: bytes, text: str, notes: list[str]) -> tuple[list[HandedInCell], list[str], About]:
    """Read what is left of a file that is not JSON: its undamaged cells, or the pieces of a Python file."""
    decoder = json.JSONDecoder()
    cells: list[dict] = []
    failed, position = 0, 0
    while failed < TRIES and (start := CELL_START.search(text, position)):
        try:
            cell, position = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            failed, position = failed + 1, start.start() + 1
            continue
        # jupytext writes nbgrader's metadata, which have a cell type but no source, into Python files
        if isinstance(cell, dict) and "cell_type" in cell and {"source", "input"} & set(cell):
            cells.append(cell)
    if cells:
        return (
            cells_from_json(cells, notes),
            notes + ["The file was damaged; only its undamaged cells were read."],
            About(),
        )
    pieces = pieces_and_texts(clean(text))[:CELL_LIMIT] if len(text) <= SOURCE_LIMIT else []
    if any(kind == "code" and defined_names(piece) for kind, piece in pieces):
        return (
            [HandedInCell(kind, piece) for kind, piece in pieces],
            notes + ["This was a Python file, not a notebook; each of its functions was read as a cell."],
            About(python=True),
        )
    other = "empty" if not text.strip() else "neither a notebook nor Python code"
    what = next((name for start, name in CALLED.items() if data.startswith(start)), other)
    raise Unreadable(f"The file is {what}. No answer could be read from it.")


def cells_from_json(cells: list, notes: list[str]) -> list[HandedInCell]:
    """Convert the cells in a notebook's JSON, and add a sentence to `notes` if some are left out."""
    found = [cell_from_json(cell) for cell in cells[:CELL_LIMIT] if isinstance(cell, dict)]
    sizes = itertools.accumulate(len(cell.source) if cell else 0 for cell in found)
    kept = [cell for cell, size in zip(found, sizes) if cell is not None and size <= TOTAL_LIMIT]
    if len(kept) < len(cells):
        notes.append(
            f"Entries in the file that are not cells or are too long were left out: {len(cells) - len(kept)}."
        )
    return kept


def cell_from_json(cell: dict[str, Any]) -> HandedInCell | None:
    """Convert one cell from JSON, or return None if its source is too long or not text."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    pictures: Pictures = {}
    if isinstance(source, str) and cell.get("cell_type") != "code":
        source, pictures = with_pictures(source, cell.get("attachments"))
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
        pictures,
    )


def clean(text: str) -> str:
    """Return the text with "\\n" as the line ending, and without null characters or lone surrogates."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
