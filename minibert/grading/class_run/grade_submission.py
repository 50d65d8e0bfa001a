"""The grading of one submission, from bytes to bytes, so that any process on any machine can do it.

    result = grade_submission(bundle, submission, policy)      # bytes (JSON) from bytes

Points follow nbgrader's rule, except that text on stderr does not count as a failure: an answer that
prints a warning is not a wrong answer. A submission that could not be graded has no points, which is
not the same as 0.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from nbformat import NotebookNode

from ..author.assignment_bundle import Bundle
from ..cell_messages import failure_message
from ..intake.as_bytes import from_bytes
from ..intake.repair import Repaired, repair
from ..integrity.flags import flags_of
from ..notebook import OURS, field, grade_id, text
from ..report.feedback_page import hidden, hint, page
from ..report.sanitize import printable, sanitized_markdown, sanitized_outputs, without_paths
from ..run.execute_notebook import Executed, execute
from ..run.points import points_of, without_stderr
from ..sandbox.limits import Policy

Execute = Callable[[NotebookNode, Policy, Mapping[str, bytes]], Executed]  # with the notebook's files
HAND_IN = "Hand in the notebook itself: the file {}.ipynb, as Jupyter saves it."
LATE = "A time limit was reached; anything that had not finished by then counts as failed."


def grade_submission(bundle: bytes, submission: bytes, policy: Policy, execute: Execute = execute) -> bytes:
    """Grade one submission and return the result as bytes.

    bundle: `bytes(Bundle)`. submission: bytes from `as_bytes.to_bytes`. The result is a JSON object with
    status ("graded" or "ungraded"), reason (why it is ungraded), again (whether another try may succeed),
    cells (name, points or None, max_points, hint, manual), notes, problems, flags (lines for a person to
    check, see `integrity.flags`), cpu_seconds, seconds (for each cell with tests), notebook (autograded, for
    formgrader) and feedback (HTML).
    """
    known = Bundle.from_bytes(bundle)
    files, handed_in_notes = from_bytes(submission)
    repaired, chosen_notes = choose(known, files)
    notes = [*handed_in_notes, *chosen_notes, *repaired.notes]
    if repaired.unreadable:
        return ungraded(known, repaired.notebook, repaired.unreadable, [*notes, HAND_IN.format(known.name)])
    if not repaired.answered:
        notes.append("The notebook contains no answers: every answer cell is empty or unchanged.")
    try:
        executed = execute(repaired.notebook, policy, known.files)
        notes += [LATE] if executed.timed_out else []
    except Exception as error:  # the sandbox or the grader is at fault, so the student loses no points
        return ungraded(
            known, repaired.notebook, f"The grader failed: {type(error).__name__}: {error}", notes, again=True
        )
    return graded(known, executed, notes)


def choose(bundle: Bundle, files: Mapping[str, bytes]) -> tuple[Repaired, list[str]]:
    """Choose the file with the most answers and return (the repaired notebook, notes about the choice).

    If several files have equally many answers, a file with the expected name is chosen.
    """
    tried = []
    for name, data in files.items():
        right = name.removesuffix(".ipynb") == bundle.name
        repaired = repair(bundle, data)
        tried.append(((not repaired.unreadable, len(repaired.answered), right), name, repaired))
    if not tried:
        return repair(bundle, b""), []
    (_, _, right), name, repaired = max(tried, key=lambda one: one[0])
    notes = []
    if len(tried) > 1:
        notes.append(
            f"{len(tried)} files were handed in; {name[:80]} was graded because it has the most answers."
        )
    if not right and not repaired.unreadable:
        notes.append(f"The file was called {name[:80]}; it was graded as {bundle.name}.ipynb.")
    return repaired, notes


def graded(bundle: Bundle, executed: Executed, notes: list[str]) -> bytes:
    """Return the result, as bytes, of a submission whose notebook has been executed."""
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
    )


def ungraded(
    bundle: Bundle, notebook: NotebookNode, reason: str, notes: list[str], again: bool = False
) -> bytes:
    """Return the result, as bytes, of a submission that could not be graded.

    again: whether grading it again may succeed.
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
    return result(bundle, "ungraded", notebook, cells, notes, reason=without_paths(reason), again=again)


def result(
    bundle: Bundle,
    status: str,
    notebook: NotebookNode,
    cells: list[dict],
    notes: list[str],
    reason: str = "",
    **more: Any,
) -> bytes:
    """Return a result as bytes.

    The notebook and the feedback in it contain nothing that a browser would run.
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
        **({"ungraded": reason} if status == "ungraded" else {}),
    }
    scores = {cell["name"]: {"points": cell["points"], "max_points": cell["max_points"]} for cell in cells}
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
        "feedback": page(notebook, scores, bundle.name),
        **more,
    }
    return json.dumps(record, sort_keys=True).encode()
