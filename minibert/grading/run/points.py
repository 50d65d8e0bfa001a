"""Find the points of an executed cell and, if points are missing, the reason.

Points follow nbgrader's rule, except that text on stderr is not a failure.
"""

import copy

from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_task

from ..cell_messages import partial_points_message
from ..notebook import grade_id


def points_of(cell: NotebookNode) -> tuple[float | None, str]:
    """Return (points, description of a problem or "") for a graded cell, by nbgrader's rule.

    The points are None if a person has to award them or if there is a problem.
    """
    if is_task(cell):
        return None, ""
    try:
        return determine_grade(without_stderr(cell))[0], ""
    except (ValueError, KeyError) as error:
        return None, f"cell {grade_id(cell)}: its value is not a valid number of points ({error})"


def without_stderr(cell: NotebookNode) -> NotebookNode:
    """Return the cell without its output on stderr, which nbgrader would treat as a failure."""
    cell = copy.copy(cell)
    cell.outputs = [output for output in cell.get("outputs", ()) if output.get("name") != "stderr"]
    return cell


def hint(cell: NotebookNode) -> str:
    """Return why an executed test awards less than full points: its error or partial-points message."""
    for output in cell.outputs:
        if output.output_type == "error":
            return output.evalue or "\n".join(output.traceback).removesuffix(": ")
    return partial_points_message(cell)


def failed(outputs: list[NotebookNode]) -> bool:
    """Return whether there is an error among the outputs of a cell."""
    return any(output.output_type == "error" for output in outputs)
