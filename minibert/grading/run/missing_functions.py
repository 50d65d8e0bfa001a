"""Says which function a test misses, and what may have become of it, instead of Python's NameError."""

import difflib
import re
from collections.abc import Sequence

from nbformat import NotebookNode

from ..author.assignment_bundle import defined_names
from ..cell_messages import failure_message
from ..notebook import field
from .cell_names import parsed, used_names
from .parts import ExerciseRun, used
from .points import failed

NOT_DEFINED = re.compile(r"name '(\w+)' is not defined")
CLOSE = 0.75  # likeness of names, 0 to 1, from which one may be meant for the other


def explain_missing(cells: Sequence[NotebookNode], part: ExerciseRun) -> None:
    """Let the tests of an exercise say in place, as a check does, which function of hers they miss.

    cells: of the notebook, executed. A name that only her own code uses stays Python's affair.
    """
    for number in part.tests:
        for output in cells[number].outputs:
            found = NOT_DEFINED.match(output.get("evalue", ""))
            if found and output.ename == "NameError" and found[1] in used_names(parsed(cells[number].source)):
                said = f"{found[1]}: {reason(found[1], cells, part)}"
                output.update(ename="CheckFailed", evalue=said, traceback=[said])


def reason(name: str, cells: Sequence[NotebookNode], part: ExerciseRun) -> str:
    """Why there is no function of this name, as far as the notebook shows it."""
    for answer in (cells[number] for number in part.answers):
        if failed(answer.outputs):
            return f"the function does not exist, for its cell stops with {failure_message(answer)[:200]}"
    tests = [number for number, cell in enumerate(cells) if field(cell, "grade")]
    hers = {one for cell in cells if not field(cell, "locked") for one in defined_names(cell.source)}
    plain = {one.casefold(): one for one in sorted(hers - used(cells, tests))}
    for near in difflib.get_close_matches(name.casefold(), plain, 1, CLOSE):
        return f"the function does not exist, but {plain[near]} was found. Call it {name}, as the tests do."
    return "the function does not exist. Was it renamed or deleted?"
