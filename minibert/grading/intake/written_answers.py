"""Find the written answers in the text of a Python file that was handed in instead of a notebook.

Text after a question's heading is its answer. If the answer cannot be found, the answer cell gets all text in
the file, so that a person can look for it; it is never treated as an empty answer.
"""

from collections.abc import Iterable, Iterator

from ..author.assignment_bundle import Bundle, Cell
from .read_cells import HandedInCell

UNREAD = "In this Python file, no answer to {} was found: its text was not read, so a person will."
ALL = "*The answer was not found in the Python file. This is all of its text:*"
NO_TEXT = "*The answer was not found in the Python file, which contains no text.*"


def split_at_questions(bundle: Bundle, cells: Iterable[HandedInCell]) -> Iterator[HandedInCell]:
    """Yield the cells of a Python file, with text split at the assignment's own Markdown cells.

    If the text does not contain such a cell unchanged, the cell's heading is enough.
    """
    given = [cell for cell in bundle.cells if cell.kind == "markdown" and not cell.answer]
    for cell in cells:
        if cell.kind == "code":
            yield cell
            continue
        text, end = f"\n{without_trailing_space(cell.source)}\n", 0
        places = sorted(
            (start, start + len(part) + 1, own.id, own)
            for own in given
            for part, start in [found_in(text, own)]
            if start >= 0
        )
        for start, stop, _, own in places:
            if start >= end - 1:
                yield from free_text(text[end:start])
                yield HandedInCell("markdown", own.released, own.name, own.id)
                end = stop
        yield from free_text(text[end:])


def found_in(text: str, cell: Cell) -> tuple[str, int]:
    """Find a cell's source or else its heading in `text`, and return (what was found, its index or -1)."""
    source = without_trailing_space(cell.released.strip())
    heading = source.partition("\n")[0]
    for part in (source, heading) if heading.startswith("#") else (source,):
        start = text.find(f"\n{part}\n")
        if start >= 0:
            return part, start
    return "", -1


def without_trailing_space(text: str) -> str:
    """Return `text` without white space at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.split("\n"))


def free_text(text: str) -> Iterator[HandedInCell]:
    """Yield `text` as a cell, unless it is blank."""
    if text.strip():
        yield HandedInCell("markdown", text.strip())


def written_answers(
    bundle: Bundle, pieces: dict[str, list[HandedInCell]], free: dict[str, list[HandedInCell]]
) -> tuple[dict[str, str], list[str]]:
    """Return (a dict that maps the keys of text answers to sources, names of answers that were not found).

    pieces, free: see `repair.sort_out`. Text used as an answer is removed from `free`.
    """
    sources: dict[str, str] = {}
    unread = []
    everything = all_text(bundle, free)
    for place, cell in enumerate(bundle.cells):
        if not cell.answer or cell.kind == "code":
            continue
        before = bundle.cells[:place]
        heading = max(
            (at for at, one in enumerate(before) if one.kind == "markdown" and one.released.startswith("#")),
            default=0,
        )
        keys = [one.key for one in before[heading:]]
        texts = [own for key in keys if keys[0] in pieces for own in free.get(key, ()) if own.kind != "code"]
        if texts:
            sources[cell.key] = "\n\n".join(own.source for own in texts)
            for key in keys:
                free[key] = [own for own in free.get(key, ()) if own.kind == "code"]
        else:
            sources[cell.key] = f"{ALL}\n\n{everything}" if everything else NO_TEXT
            unread.append(cell.name)
    return sources, unread


def all_text(bundle: Bundle, free: dict[str, list[HandedInCell]]) -> str:
    """Return all text and comments in a Python file, except lines from the assignment itself."""
    known = {line.strip() for cell in bundle.cells for line in cell.released.split("\n")}
    found = []
    for own in (own for owns in free.values() for own in owns):
        lines = own.source.split("\n")
        if own.kind == "code":
            lines = [line.strip() for line in lines if line.strip().startswith("#")]
            lines = [line.lstrip("# ") for line in lines if line not in known]
            lines = [line for line in lines if not line.startswith(("!", "%"))]
        found.append("\n".join(lines))
    return "\n\n".join(filter(str.strip, found))
