"""The points of an executed cell: nbgrader's rule, except that text on stderr is no failure."""
import copy

from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_task

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
