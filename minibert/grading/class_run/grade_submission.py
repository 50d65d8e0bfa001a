"""Grade one submission. Input and output are bytes, so any process on any machine can do it.

result = grade_submission(bundle, submission, policy)

Points follow nbgrader's rule, except that text on stderr is not a failure, since a warning does not make an
answer wrong. A submission that cannot be graded gets no score, rather than a score of 0.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from nbformat import NotebookNode

from ..author.assignment_bundle import Bundle
from ..bounded import LimitError, bounded
from ..cell_messages import failure_message
from ..intake.as_bytes import from_bytes
from ..intake.repair import Other, Repaired, assemble, repair
from ..integrity.flags import flags_of
from ..notebook import OURS, field, grade_id, text
from ..report.feedback_page import hidden, hint
from ..report.sanitize import printable, sanitized_markdown, sanitized_outputs, without_paths
from ..run.execute_notebook import Executed, execute
from ..run.points import points_of, without_stderr
from ..sandbox.limits import Policy

Execute = Callable[[NotebookNode, Policy, Mapping[str, bytes]], Executed]  # with the notebook's files
HAND_IN = "Hand in the notebook itself: the file {}.ipynb, as Jupyter saves it."
PERSON = "needs a person"
LATE = "A time limit was reached; anything that had not finished by then counts as failed."


def grade_submission(bundle: bytes, submission: bytes, policy: Policy, execute: Execute = execute) -> bytes:
    """Grade one submission and return the result as bytes.

    bundle: `bytes(Bundle)`. submission: bytes from `as_bytes.to_bytes`. The result is a JSON dictionary. Its
    status is "graded", or it is "ungraded" or "needs a person", with a reason and with `again` if another try
    may succeed. The other keys are cells (name, points or None, max_points, hint, manual), notes, problems,
    flags (lines for a person to check, see `integrity.flags`), cpu_seconds, seconds (of each cell with
    tests), decisions (the notes about files), notebook (autograded, for formgrader and the feedback page)
    and, if the notebook belongs to another assignment, `other` (see `intake.repair.Other`).
    """
    known = Bundle.from_bytes(bundle)
    try:
        ready = bounded(prepared, bundle, submission)
        if isinstance(ready, bytes):
            return ready
        try:
            executed = execute(ready.notebook, policy, known.files)
        except LimitError:
            raise
        except Exception as error:  # the sandbox or the grader is at fault, so the student loses no points
            reason = f"The grader failed: {type(error).__name__}: {error}"
            return bounded(ungraded, known, ready.notebook, reason, ready.notes, again=True)
        late = [LATE] if executed.timed_out else []
        return bounded(graded, known, executed, [*ready.notes, *late], ready.decisions)
    except LimitError as error:
        reason = f"The file could not be read within the grader's limits: {error}."
        return ungraded(known, assemble(known, {}, {}), reason, [], PERSON)


class Ready(NamedTuple):
    """A repaired notebook that is ready to be executed, with notes; `decisions` are those about files."""

    notebook: NotebookNode
    notes: list[str]
    decisions: list[str]


def prepared(bundle: bytes, submission: bytes) -> Ready | bytes:
    """Read a submission, and return a notebook to execute or, if there is none, the result."""
    known = Bundle.from_bytes(bundle)
    files, handed_in_notes = from_bytes(submission)
    try:
        repaired, chosen_notes = choose(known, files)
    except DoubtError as error:
        return ungraded(known, assemble(known, {}, {}), str(error), [*handed_in_notes], PERSON)
    notes = [*handed_in_notes, *chosen_notes, *repaired.notes]
    if repaired.other:
        return of_another(known, repaired.other, repaired.other.name)
    if repaired.unreadable:
        return ungraded(known, repaired.notebook, repaired.unreadable, [*notes, HAND_IN.format(known.name)])
    if not repaired.answered:
        notes.append("The notebook contains no answers: every answer cell is empty or unchanged.")
    return Ready(repaired.notebook, notes, [*handed_in_notes, *chosen_notes, *repaired.file_notes])


def of_another(bundle: Bundle, other: Other, name: str) -> bytes:
    """Return the result for a notebook of another assignment, called `name` (empty if unknown)."""
    what = (
        f"the notebook of {name[:60]}"
        if name
        else f"another notebook, with hardly any cells of {bundle.name}"
    )
    return ungraded(
        bundle,
        assemble(bundle, {}, {}),
        f"This is {what}, not of {bundle.name}." if name else f"This is {what}.",
        [HAND_IN.format(bundle.name)],  # what was repaired does not matter
        PERSON,
        other=other,
    )


class DoubtError(ValueError):
    """The error raised for a submission with several gradable notebooks. The message names them."""


def choose(bundle: Bundle, files: Mapping[str, bytes]) -> tuple[Repaired, list[str]]:
    """Choose the file to grade, and return it (repaired) with notes for the student.

    Files without answers are ignored, and notebooks of this assignment are preferred. Files with equal
    answers count as one. Raises DoubtError if more than one file remains.
    """
    tried = [(name, repair(bundle, data)) for name, data in files.items()]
    if not tried:
        return Repaired(assemble(bundle, {}, {}), (), (), "No notebook was found."), []
    for fits in (is_readable, is_of_this, has_cells_of_this, has_answers):
        tried = [one for one in tried if fits(one[1])] or tried
    versions = {text(repaired.notebook) for _, repaired in tried}
    if len(versions) > 1 and has_answers(tried[0][1]):
        names = " and ".join(name[:80] for name, _ in tried)
        raise DoubtError(f"These are different versions of the notebook: {names}. Hand in only one.")
    name, repaired = max(tried, key=lambda one: is_named(bundle, one[0]))
    notes = []
    if len(files) > 1:
        notes.append(
            f"{len(files)} files were handed in; {name[:80]} was graded, because the others contain no other "
            f"answers to {bundle.name}."
        )
    if not is_named(bundle, name) and not repaired.unreadable:
        notes.append(f"The file was called {name[:80]}; it was graded as {bundle.name}.ipynb.")
    return repaired, notes


def is_readable(repaired: Repaired) -> bool:
    """Return whether at least one cell could be read."""
    return not repaired.unreadable


def is_of_this(repaired: Repaired) -> bool:
    """Return whether the notebook is not known to belong to another assignment."""
    return repaired.other is None


def has_cells_of_this(repaired: Repaired) -> bool:
    """Return whether the notebook contains cells of this assignment."""
    return repaired.ours


def has_answers(repaired: Repaired) -> bool:
    """Return whether an answer cell contains an answer."""
    return bool(repaired.answered)


def is_named(bundle: Bundle, name: str) -> bool:
    """Return whether a file has the assignment's name."""
    return PurePosixPath(name).stem == bundle.name


def graded(bundle: Bundle, executed: Executed, notes: list[str], decisions: list[str]) -> bytes:
    """Return the result, as bytes, of a submission whose notebook has been executed.

    decisions: the subset of `notes` about handed-in files.
    """
    notebook, hints = executed.notebook, dict(executed.hints)
    cells, problems = [], list(executed.problems)
    for cell in notebook.cells:
        if field(cell, "grade") or field(cell, "task"):
            points, problem = points_of(cell)
            problems += [problem] if problem else []
            manual = bool(field(cell, "solution") or field(cell, "task"))
            message = ""
            if not manual and points is not None and points < field(cell, "points"):
                message = (
                    hint(cell)
                    if hidden(cell)
                    else (hints.get(field(cell, "grade_id")) or failure_message(without_stderr(cell)))
                )
            cells.append(
                {
                    "name": grade_id(cell),
                    "points": points,
                    "max_points": field(cell, "points"),
                    "manual": manual,
                    "hint": without_paths(message),
                }
            )
    notes = notes + [without_paths(problem) + ("" if problem.endswith("?") else ".") for problem in problems]
    return result(
        bundle,
        "graded",
        notebook,
        cells,
        notes,
        cpu_seconds=executed.cpu_seconds,
        seconds=dict(executed.seconds),
        problems=[printable(problem) for problem in problems],
        decisions=[printable(decision) for decision in decisions],
    )


def ungraded(
    bundle: Bundle,
    notebook: NotebookNode,
    reason: str,
    notes: list[str],
    status: str = "ungraded",
    again: bool = False,
    other: Other | None = None,
) -> bytes:
    """Return the result, as bytes, of a submission that could not be graded.

    again: whether another try may succeed. other: the other assignment to which the notebook belongs.
    """
    cells = [
        {
            "name": cell.name,
            "points": None,
            "max_points": cell.points,
            "manual": cell.answer or bool(cell.marks.get("task")),
            "hint": "",
        }
        for cell in bundle.cells
        if cell.scored
    ]
    more = {"other": other._asdict()} if other else {}
    return result(bundle, status, notebook, cells, notes, without_paths(reason), again=again, **more)


def result(
    bundle: Bundle,
    status: str,
    notebook: NotebookNode,
    cells: list[dict],
    notes: list[str],
    reason: str = "",
    **more: Any,
) -> bytes:
    """Return a result as the bytes that `grade_submission` describes; `more` contains additional keys.

    The notebook contains nothing that a browser would execute.
    """
    given = {cell.id: cell for cell in bundle.cells if cell.given or not cell.answer}
    released = {cell.id: cell.released for cell in bundle.cells if cell.answer}
    flags = flags_of(bundle, notebook)
    for cell in notebook.cells:
        known = given.get(cell.id)
        cell.metadata = type(cell.metadata)({"nbgrader": cell.metadata.nbgrader} if grade_id(cell) else {})
        if cell.cell_type == "code":
            cell.outputs = [type(cell)(output) for output in sanitized_outputs(cell.outputs)]
        elif known is None or cell.source != known.source:
            cell.source = sanitized_markdown(cell.source)
        if cell.id in released:
            cell.metadata[OURS] = {"released": released[cell.id]}
        if known is not None and cell.source == known.source:
            cell.metadata[OURS] = {"given": True, "hidden": known.hidden}
    notes = [printable(note) for note in notes]
    notebook.metadata[OURS] = {
        "name": bundle.name,
        "notes": notes,
        **({} if status == "graded" else {"ungraded": reason}),
    }
    record = {
        "status": status,
        "reason": reason,
        "again": False,
        "cells": cells,
        "notes": notes,
        "problems": [],
        "cpu_seconds": 0.0,
        "seconds": {},
        "flags": flags,
        "notebook": text(notebook),
        **more,
    }
    return json.dumps(record, sort_keys=True).encode()
