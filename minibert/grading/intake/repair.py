"""Repair a handed-in notebook: take only the answers from it, and all other cells from the release.

nbgrader trusts a submission's metadata, and fails or loses points if cells were deleted, copied, renamed or
changed to another type. Each repair is described in a sentence for the feedback.
"""

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from ..author.assignment_bundle import DEFINITION, Bundle, Cell, defined_names
from ..notebook import IDLE, KERNEL, OURS
from .pictures import Pictures, shown_in
from .read_cells import HandedInCell, Unreadable, read_cells
from .stubs import holds_code_stub
from .written_answers import UNREAD, split_at_questions, text_elsewhere, written_answers

CellsByKey = dict[str, list[HandedInCell]]  # key of a bundle's cell -> cells of the submission
FENCED = re.compile(r"\s*```(?:python|py)?[ \t]*\n(.*?)\n```\s*", re.S)
ELSEWHERE = "# This answer was found in another cell of the notebook."
FOUND = "Answers found in another cell: {}."
DEBUGGER = re.compile(r"^[^#\n\"']*\b(?:breakpoint|set_trace)\(", re.M)
IGNORED = "Calls of the debugger, such as `breakpoint()`, did nothing during grading; delete them: {}."
FEW = 0.25  # below this share of matching cells, and without its functions, it is another notebook
EVIDENCE = 200  # cells of the other assignment to compare
MISSING = "Answer cells that are missing, together with their answers: {}."


@dataclass(frozen=True)
class Repaired:
    """A notebook that is ready to be executed, and a record of its repairs.

    notes: sentences about repairs. file_notes: those about how the file was read. answered: names of the
    answer cells that contain an answer. unreadable: why nothing could be read, or empty. ours: whether it
    contains cells of this assignment. other: the other assignment to which it belongs, or None.
    """

    notebook: NotebookNode
    notes: tuple[str, ...]
    answered: tuple[str, ...]
    unreadable: str = ""
    ours: bool = False
    other: "Other | None" = None
    file_notes: tuple[str, ...] = ()


class Other(NamedTuple):
    """The other assignment to which a notebook belongs.

    name: the name in the notebook's metadata, or empty. cells: the names of the notebook's cells and hashes
    of their sources.
    """

    name: str
    cells: tuple[str, ...]


def repair(bundle: Bundle, data: bytes) -> Repaired:
    """Rebuild a submission, even a damaged one, as a notebook with the assignment's original cells."""
    try:
        cells, notes, (kernel, released, python) = read_cells(data)
    except Unreadable as error:
        return Repaired(assemble(bundle, {}, {}), (), (), str(error))
    file_notes = tuple(notes)
    pieces, free = sort_out(bundle, split_at_questions(bundle, cells) if python else cells)
    noted = {} if python else notes_on_given_cells(bundle, pieces)
    if kernel != KERNEL["name"]:
        asked = f"asked for the kernel {kernel!r}" if kernel else "did not name a kernel"
        notes.append(f"The notebook {asked}; it was graded with {KERNEL['name']}.")
    written, unread = written_answers(bundle, pieces, free) if python else ({}, [])
    sources = find_answers(bundle, pieces, free, noted, written)
    if python:
        noted.pop(FOUND, None)  # true of every answer
        noted |= {UNREAD: unread} if unread else {}
    notes += [sentence.format(", ".join(dict.fromkeys(names))) for sentence, names in noted.items()]
    answered = tuple(
        cell.name
        for cell in bundle.cells
        if cell.answer and cell.name not in unread and not blank(cell, sources.get(cell.key, cell.released))
    )
    return Repaired(
        assemble(bundle, sources, free, {name: one for cell in cells for name, one in cell.pictures.items()}),
        tuple(notes),
        answered,
        ours=bool(pieces),
        other=other_assignment(bundle, cells, released, pieces, answered),
        file_notes=file_notes,
    )


def other_assignment(
    bundle: Bundle,
    cells: Sequence[HandedInCell],
    released: str,
    pieces: CellsByKey,
    answered: Sequence[str],
) -> Other | None:
    """Return the other assignment to which a notebook belongs, or None if it belongs to this one.

    It belongs to another if most of its given cells do; in a tie, its metadata decides. It also does if it
    has few cells and no functions of this assignment; names such as "imports" occur in multiple assignments.
    """
    known = {cell.name for cell in bundle.cells if cell.name}
    ids = {cell.id for cell in bundle.cells}
    given = [cell for cell in cells if cell.name and not cell.marks.get("solution")]
    ours = len({cell.name for cell in given if cell.name in known or cell.id in ids})
    theirs = len({cell.name for cell in given}) - ours
    named = released not in ("", bundle.name)
    code = any(cell.kind == "code" and cell.name in answered for cell in bundle.cells)
    strange = not code and len(pieces) < FEW * len(bundle.cells)
    if theirs > ours or named and theirs == ours or strange:
        hashes = {hash_of(cell.source) for cell in cells[:EVIDENCE]}
        return Other(released if named else "", tuple(sorted({cell.name for cell in given} | hashes)))
    return None


def hash_of(source: str) -> str:
    """Return a short hash of a cell's source."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:16]


def sort_out(bundle: Bundle, cells: Iterable[HandedInCell]) -> tuple[CellsByKey, CellsByKey]:
    """Sort a submission's cells into those of the assignment and those that the student added.

    Returns ({key of an assignment cell: matching cells}, {key: cells added after that cell}). In the second
    dict, the key "" means the start of the notebook.
    """
    keys = {cell.name: cell.key for cell in bundle.cells if cell.name}
    by_id = {cell.id: cell.key for cell in bundle.cells}  # a renamed cell keeps its id
    by_source = {cell.released.strip(): cell.key for cell in bundle.cells if not cell.answer}
    pieces: CellsByKey = {}
    free: CellsByKey = {}
    last = ""
    for cell in cells:
        key = keys.get(cell.name) or by_id.get(cell.id) or by_source.get(cell.source.strip())
        if key is None or key.startswith("#") and key in pieces:
            free.setdefault(last, []).append(cell)
        else:
            pieces.setdefault(key, []).append(cell)
            last = key
    return pieces, free


def notes_on_given_cells(bundle: Bundle, pieces: CellsByKey) -> dict[str, list[str]]:
    """Return {sentence about repaired cells, with "{}" for their names: names}, without answer cells."""
    noted: dict[str, list[str]] = {}

    def note(sentence, cell):
        noted.setdefault(sentence, []).append(cell.name)

    for cell in bundle.cells:
        found = pieces.get(cell.key, [])
        if cell.given and not found:
            note("Missing cells were restored: {}.", cell)
        if cell.given and any(
            piece.source.strip() not in (cell.released.strip(), cell.source.strip()) for piece in found
        ):
            note("Given cells that had been changed were graded in their original form: {}.", cell)
        if cell.name and any(piece.kind != cell.kind for piece in found):
            note("Cells that had been changed to another type were changed back: {}.", cell)
        if cell.name and len(found) > 1:
            note("Cells that occur more than once count only once: {}.", cell)
        if any(
            "points" in piece.marks and piece.marks["points"] != cell.marks.get("points") for piece in found
        ):
            note("Changed points have no effect: {}.", cell)
        if cell.name and any(piece.tagged for piece in found):
            note("Tags on cells have no effect: {}.", cell)
    return noted


def find_answers(
    bundle: Bundle,
    pieces: CellsByKey,
    free: CellsByKey,
    noted: dict[str, list[str]],
    written: Mapping[str, str],
) -> dict[str, str]:
    """Return a dict that maps each answer cell's key to the student's source.

    Answers are found by the cell's name, its functions or its position. Cells used as answers are removed
    from `free`, and sentences about repairs are added to `noted`. `written` contains answers that were found
    before.
    """
    sources = dict(written)
    lost = []
    for cell in bundle.cells:
        if cell.given or cell.key in written:
            continue
        found = [
            unfenced(piece) if cell.kind == "code" else piece.source for piece in pieces.get(cell.key, [])
        ]
        sources[cell.key] = combined(cell, found) if found else cell.source
        empty = blank(cell, sources[cell.key])
        if cell.answer and cell.kind != "code":
            more = text_elsewhere(bundle, cell, empty, pieces, free)
            if more:
                sources[cell.key] = "\n\n".join([sources[cell.key]] * (not empty) + more)
                noted.setdefault(FOUND, []).append(cell.name)
                empty = False
        if cell.answer and empty:
            lost.append(cell)
    for cell in lost:
        taken = take_own_cell(bundle, cell, pieces, free)
        if taken is not None:
            sources[cell.key] = taken
            noted.setdefault(FOUND, []).append(cell.name)
        elif not pieces.get(cell.key):
            noted.setdefault(MISSING, []).append(cell.name)
    for cell in lost:  # if one cell has several answers, a later stub would replace them
        others = {
            name for key, source in sources.items() if key != cell.key for name in written_names(source)
        }
        if cell.functions and blank(cell, sources[cell.key]) and set(cell.functions) <= others:
            sources[cell.key] = ELSEWHERE
            noted.setdefault(FOUND, []).append(cell.name)
            missing = noted.get(MISSING, [])
            missing[:] = [name for name in missing if name != cell.name]
    debugged = [cell.name for cell in bundle.cells if cell.kind == "code" and cell.answer]
    noted[IGNORED] = [name for name in debugged if DEBUGGER.search(sources.get(name, ""))]
    for sentence in [sentence for sentence, names in noted.items() if not names]:
        del noted[sentence]
    return sources


def take_own_cell(bundle: Bundle, cell: Cell, pieces: CellsByKey, free: CellsByKey) -> str | None:
    """Take an answer from cells that the student added: remove them, and return their source or None."""
    if cell.kind == "code":
        fits = [
            (anchor, own)
            for anchor, owns in free.items()
            for own in owns
            if set(cell.functions) & written_names(unfenced(own))
        ]
    else:
        fits = (
            []
            if pieces.get(cell.key)
            else [
                (anchor, own)
                for anchor in last_present_before(bundle, cell, pieces)
                for own in free.get(anchor, [])
                if own.kind != "code" and own.source.strip()
            ]
        )
    if not fits:
        return None
    missing, taken = set(cell.functions), []
    for anchor, own in reversed(fits) if cell.kind == "code" else fits[:1]:
        if cell.kind != "code" or missing & written_names(unfenced(own)):  # the last one of each function
            missing -= written_names(unfenced(own))
            free[anchor] = [other for other in free[anchor] if other is not own]
            taken.append(unfenced(own) if cell.kind == "code" else own.source)
    return "\n\n\n".join(reversed(taken))


def last_present_before(bundle: Bundle, cell: Cell, pieces: CellsByKey) -> list[str]:
    """Return a list with the key of the last handed-in cell before `cell`, or [""] if there is none."""
    keys = [other.key for other in bundle.cells]
    return [next((key for key in reversed(keys[: keys.index(cell.key)]) if key in pieces), "")]


def written_names(source: str) -> set[str]:
    """Return the names of functions and classes that a source defines; none if it still contains the stub."""
    names = defined_names(source) or DEFINITION.findall(source)
    return set() if holds_code_stub(source) else set(names)


def combined(cell: Cell, sources: Sequence[str]) -> str:
    """Join the pieces of an answer that was split or copied, and drop stubs and repetitions."""
    last_of_stub = cell.released.strip().split("\n")[-1].strip()
    kept = (
        list(
            dict.fromkeys(
                source
                for source in sources
                if not (blank(cell, source) and last_of_stub in source) and source.strip()
            )
        )
        or sources[:1]
    )
    together = "\n".join(kept) if cell.kind == "code" else "\n\n".join(kept)
    if cell.kind == "code" and len(kept) > 1 and not defined_names(together):
        whole = [source for source in kept if set(cell.functions) <= set(defined_names(source))]
        return whole[-1] if whole else together
    return together


def blank(cell: Cell, source: str) -> bool:
    """Return whether an answer cell is unwritten: every line of its source is blank or part of the stub."""
    stub = {line.strip() for line in cell.released.split("\n")}
    return {line.strip() for line in source.split("\n")} <= stub | {""}


def unfenced(piece: HandedInCell) -> str:
    """Return a cell's code without a Markdown code fence."""
    found = FENCED.fullmatch(piece.source) if piece.kind != "code" else None
    return found[1] if found else piece.source


def assemble(
    bundle: Bundle, sources: Mapping[str, str], free: CellsByKey, pictures: Pictures | None = None
) -> NotebookNode:
    """Build a notebook from the original cells, the answers with pictures, and the student's added cells."""
    cells = [own_cell(own, f"own-{number}") for number, own in enumerate(free.get("", []))]
    for place, cell in enumerate(bundle.cells):
        source = cell.source if cell.given else sources.get(cell.key, cell.source)
        if cell.answer and blank(cell, source):
            source = cell.source  # its checksum tells nbgrader that there is no answer
        marks = {"nbgrader": {**cell.marks, "cell_type": cell.kind}} if cell.name else {}
        cells.append(new_cell(cell.kind, source, cell.id, marks))
        cells += [own_cell(own, f"own-{place}-{number}") for number, own in enumerate(free.get(cell.key, []))]
    for made in cells:
        if made.cell_type == "markdown" and (shown := shown_in(made.source, pictures or {})):
            made.attachments = shown
    mark_idle(bundle, cells)
    return nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": dict(KERNEL), "language_info": {"name": "python"}}
    )


def mark_idle(bundle: Bundle, cells: Sequence[NotebookNode]) -> None:
    """Mark the unchanged code cells after the last graded one, so that grading skips them."""
    idle = {cell.id: cell.released for cell in bundle.cells if not cell.scored and not cell.answer}
    code = [cell for cell in reversed(cells) if cell.cell_type == "code"]
    for cell in itertools.takewhile(lambda cell: idle.get(cell.id) == cell.source, code):
        cell.metadata[OURS] = {IDLE: True}


def own_cell(own: HandedInCell, identity: str) -> NotebookNode:
    """Return a cell that the student added, without grading metadata."""
    return new_cell("code" if own.kind == "code" else "markdown", own.source, identity, {})


def new_cell(kind: str, source: str, identity: str, marks: Mapping) -> NotebookNode:
    """Build a notebook cell of the given kind, with a source, an id and metadata."""
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    return make(source, id=identity, metadata=marks)
