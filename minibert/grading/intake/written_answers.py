"""Find written answers outside their cells: elsewhere in the notebook, or in a Python file.

In a notebook, students write below the answer cell, between it and the question, into the question's cell, or
as comments into a code cell. In a Python file, text after a question's heading is its answer. If the answer
cannot be found there, the answer cell gets all text in the file, so that a person can look for it; it is
never treated as an empty answer.
"""

import ast
import itertools
from collections.abc import Iterable, Iterator

from ..author.assignment_bundle import DEFINITION, Bundle, Cell, parsed
from .read_cells import HandedInCell

UNREAD = "In this Python file, no answer to {} was found: its text was not read, so a person will."
ALL = "*The answer was not found in the Python file. This is all of its text:*"
NO_TEXT = "*The answer was not found in the Python file, which contains no text.*"


def text_elsewhere(
    bundle: Bundle,
    cell: Cell,
    blank: bool,
    pieces: dict[str, list[HandedInCell]],
    free: dict[str, list[HandedInCell]],
) -> list[str]:
    """Return the texts around an answer cell that the student wrote, and remove their cells from `free`.

    These are Markdown cells directly below it. If the answer is `blank`, they are also those above it, text
    in code cells, and text that was added to the given cells above it, back to the previous exercise.
    """
    before = bundle.cells[: bundle.cells.index(cell)][::-1] if blank else ()
    question = [*itertools.takewhile(lambda one: not (one.answer or one.scored), before)]
    above = question[::-1] or before[:1]
    texts = []
    for one in [*above, cell]:
        if one.kind == "markdown" and not one.answer:
            texts += [added_text(one, piece) for piece in pieces.get(one.key, ())]
        own = free.get(one.key, [])
        said = {id(piece): text_of(piece) if blank or piece.kind != "code" else "" for piece in own}
        texts += said.values()
        free[one.key] = [piece for piece in own if not said[id(piece)]]
    return [text for text in texts if text]


def added_text(cell: Cell, piece: HandedInCell) -> str:
    """Return the lines that a student added to a given cell."""
    known = {line.strip() for line in cell.released.split("\n")}
    return "\n".join(line for line in piece.source.split("\n") if line.strip() not in known).strip()


def text_of(piece: HandedInCell) -> str:
    """Return the text in a student's own cell: of a code cell, comments, strings or what is not Python."""
    if piece.kind != "code":
        return piece.source.strip()
    tree, source = parsed(piece.source), piece.source.strip()
    if tree is None:
        return "" if DEFINITION.search(source) or source.startswith(("%", "!")) else source
    if any(not isinstance(getattr(node, "value", None), ast.Constant) for node in tree.body):
        return ""
    return "\n".join(line.strip().lstrip("# ").strip("\"'") for line in source.split("\n")).strip()


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
