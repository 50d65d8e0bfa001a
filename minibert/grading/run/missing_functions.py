"""Explain why a test cannot find a function, in place of Python's NameError."""

import re
from collections.abc import Sequence

from nbformat import NotebookNode

from ...spelling import nearest
from ..author.assignment_bundle import defined_names
from ..bounded import bounded
from ..cell_messages import failure_message
from ..notebook import field
from .cell_names import parsed, used_names
from .parts import ExerciseRun, used
from .points import failed

NOT_DEFINED = re.compile(r"name '(\w+)' is not defined")
CLOSE = 0.75  # similarity (0 to 1) above which a name may be misspelt


def explain_missing(cells: Sequence[NotebookNode], part: ExerciseRun) -> None:
    """Replace a NameError in an exercise's tests with a message about the student's missing function.

    cells: the executed cells of the notebook. A NameError in the student's own code is not replaced.
    """
    for number in part.tests:
        for output in cells[number].outputs:
            found = NOT_DEFINED.match(output.get("evalue", ""))
            if found and output.ename == "NameError" and found[1] in used_names(parsed(cells[number].source)):
                said = f"{found[1]}: {bounded(reason, found[1], cells, part)}"
                output.update(ename="CheckFailed", evalue=said, traceback=[said])


def reason(name: str, cells: Sequence[NotebookNode], part: ExerciseRun) -> str:
    """Return the likely reason why the notebook has no function with this name."""
    for answer in (cells[number] for number in part.answers):
        if failed(answer.outputs):
            return f"the function does not exist, because its cell stops with {failure_message(answer)[:200]}"
    tests = [number for number, cell in enumerate(cells) if field(cell, "grade")]
    hers = {one for cell in cells if not field(cell, "locked") for one in defined_names(cell.source)}
    if near := nearest(name, sorted(hers - used(cells, tests)), CLOSE):
        return f"the function does not exist, but {near} does. Rename it to {name}, as in the tests."
    return "the function does not exist. Was it renamed or deleted?"
