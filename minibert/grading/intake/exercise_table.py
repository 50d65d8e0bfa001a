"""A table of a student's exercises with their state, points and first hint."""

import ast
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode

from ..author.exercises import GradedExercise, cells_of, exercises
from ..author.fresh_kernel import LOOP_SECONDS, run
from ..cell_messages import failure_message
from ..notebook import field, marked
from .stubs import is_unanswered

DONE, WRITTEN, WRONG, MISSING, NOT_RUN = "done", "written", "not right yet", "not written yet", "not run"


@dataclass(frozen=True)
class Row:
    """One exercise of a notebook.

    Attributes:
        number: the exercise's number in the notebook
        name: the name of its function, or its title for a text answer
        state: `DONE`, `WRITTEN` (a text answer, which a person marks), `WRONG`, `MISSING` or `NOT_RUN`
        points: the points that its visible checks give
        most: the maximum number of points that its visible checks can give
        later: the maximum number of points that hidden tests or a person can give after handing in
        hint: the first problem to fix, or an empty string
    """

    number: int
    name: str
    state: str
    points: float
    most: float
    later: float
    hint: str = ""


def exercise_rows(notebook: NotebookNode, folder: str | Path) -> list[Row]:
    """Run a notebook in a fresh kernel, continuing after errors, and return one row per exercise.

    A notebook without any answers is not run.
    """
    ended = ""
    try:
        if not is_untouched(notebook):
            run(notebook, folder, past_errors=True)
    except Exception as error:  # for example, a dead kernel
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        ended = f"Python ended here ({reason}). Run the cells one by one to find out why."
    rows = [_row(exercise, marked(notebook)) for exercise in exercises(cells_of(notebook))]
    if ended:
        at = next((n for n, row in enumerate(rows) if row.state == NOT_RUN), None)
        if at is not None:
            rows[at] = replace(rows[at], hint=ended)
    return rows


def is_untouched(notebook: NotebookNode) -> bool:
    """Return whether a notebook has no answer at all."""
    return all(is_unanswered(cell) for cell in notebook.cells if field(cell, "solution"))


def printed(rows: Sequence[Row], width: int | None = None) -> str:
    """Format the rows as a text table that ends with the totals. Hints are wrapped to `width` columns."""
    width = width or min(110, shutil.get_terminal_size().columns)
    names = max(len(row.name) for row in rows)
    lines = []
    for row in rows:
        points = f"{row.points:g} of {row.most:g}" if row.most else ""
        later = f"+ {row.later:g} later" if row.later else ""
        lines.append(f"{row.number:3}  {row.name:{names}}  {row.state:15}  {points:10}  {later}".rstrip())
        lines += textwrap.wrap(row.hint, width, initial_indent=" " * 5, subsequent_indent=" " * 5)
    done = sum(row.state in (DONE, WRITTEN) for row in rows)
    earned, most, later = (sum(getattr(row, name) for row in rows) for name in ("points", "most", "later"))
    return "\n".join(
        [
            *lines,
            "",
            f"{done} of {len(rows)} exercises done; {earned:g} of {most:g} points from the checks you see. "
            f"Up to {later:g} more points are awarded after you hand in.",
        ]
    )


def _row(exercise: GradedExercise, cells: dict[str, NotebookNode]) -> Row:
    points = dict(zip(exercise.cells, exercise.points))
    tests = [name for name in exercise.cells if name != exercise.answer and not _is_hidden(cells[name])]
    most = sum(points[name] for name in tests)
    later = exercise.max_points - most
    name = exercise.name
    answer = cells.get(exercise.answer)
    if answer is None or is_unanswered(answer):
        return Row(exercise.number, name, MISSING, 0, most, later)
    if not tests:
        return Row(exercise.number, name, WRITTEN, 0, most, later)
    if any(cells[test].execution_count is None for test in tests):
        return Row(exercise.number, name, NOT_RUN, 0, most, later)
    earned = sum(_earned(cells[test], points[test]) for test in tests)
    hint = next(filter(None, map(failure_message, (answer, *(cells[test] for test in tests)))), "")
    if hint.startswith("KeyboardInterrupt"):
        hint = f"{name}: it did not finish within {LOOP_SECONDS} seconds. Is there an endless loop?"
    return Row(exercise.number, name, WRONG if hint else DONE, earned, most, later, " ".join(hint.split()))


def _is_hidden(cell: NotebookNode) -> bool:
    """Return whether a cell is a hidden test, which contains only comments until it is handed in."""
    try:
        return not ast.parse(cell.source).body
    except SyntaxError:
        return False


def _earned(cell: NotebookNode, most: float) -> float:
    from nbgrader.utils import determine_grade

    return min(most, determine_grade(cell)[0] or 0) if field(cell, "grade") else 0
