"""The points of an executed cell, and why it gives less than all.

nbgrader's rule gives the points, except that text on stderr is no failure.
"""

import copy

from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_task

from ..cell_messages import partial_points_message
from ..notebook import grade_id


def points_of(cell: NotebookNode) -> tuple[float | None, str]:
    """(points as nbgrader counts them, problem) of a graded cell; None if a person has to give the points."""
    if is_task(cell):
        return None, ""
    try:
        return determine_grade(without_stderr(cell))[0], ""
    except (ValueError, KeyError) as error:
        return None, f"cell {grade_id(cell)}: its value gives no points ({error})"


def without_stderr(cell: NotebookNode) -> NotebookNode:
    """The cell without its output on stderr, which nbgrader takes for a failure."""
    cell = copy.copy(cell)
    cell.outputs = [output for output in cell.get("outputs", ()) if output.get("name") != "stderr"]
    return cell


def hint(cell: NotebookNode) -> str:
    """Why an executed test gives less than all points: its error, or what it shows beside a part of them."""
    for output in cell.outputs:
        if output.output_type == "error":
            return output.evalue or "\n".join(output.traceback).removesuffix(": ")
    return partial_points_message(cell)


def failed(outputs: list[NotebookNode]) -> bool:
    """Whether there is an error among the outputs of a cell."""
    return any(output.output_type == "error" for output in outputs)
