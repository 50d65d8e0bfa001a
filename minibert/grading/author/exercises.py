"""The exercises of an assignment: their cells, numbers and labels.

An exercise is an answer cell or a task, together with the graded cells below it. Exercises with points are
numbered in order: 02.3 is the third exercise of unit 02.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from ..notebook import OURS
from .assignment_bundle import Cell

HEADING = re.compile(r"^##+\s+(?:\d+\s*·\s*)?(.*\S)", re.MULTILINE)  # below the notebook's title
KINDS = {"visible": "visible test", "hidden": "hidden test"}


@dataclass(frozen=True)
class GradedExercise:
    """One exercise, with its graded cells.

    `answer` is the name of its first cell. `function` is the name of the function to write, empty for a text
    answer. `cells` are the names of the cells that are worth points, and `points` are their maximum points.
    """

    number: int
    title: str
    answer: str
    function: str
    cells: tuple[str, ...]
    points: tuple[float, ...]

    @property
    def name(self) -> str:
        """Return the name that people see: the function to write or, for a text answer, the title."""
        return self.function or self.title

    @property
    def max_points(self) -> float:
        """Return the maximum number of points for the whole exercise."""
        return sum(self.points)

    @property
    def manual(self) -> bool:
        """Return whether all points of the exercise are awarded by hand."""
        return self.cells == (self.answer,)

    def label(self, cell: str) -> str:
        """Return the label of a cell of the exercise, such as "softmax: hidden test" for `softmax-hidden`."""
        if cell == self.answer:
            return "answer" if self.function else "text answer"
        kind = cell.removeprefix(self.answer).strip("-_")
        said = KINDS.get(kind) or (f"test {kind}" if kind.isdigit() else kind.replace("-", " ") or cell)
        return f"{self.name}: {said}"


def exercises(cells: Iterable[Cell]) -> list[GradedExercise]:
    """Return the exercises that are worth points, in the order of their cells."""
    groups: list[tuple[str, list[Cell]]] = []  # (heading above, the answer and the cells below it)
    heading = ""
    for cell in cells:
        begins = cell.answer or bool(cell.marks.get("task"))
        if cell.kind == "markdown" and not cell.answer:
            heading = next(iter(HEADING.findall(cell.source)), heading)
        if begins or cell.scored and not groups:
            groups.append((heading, [cell]))
            heading = ""
        elif cell.scored:
            groups[-1][1].append(cell)
    worth = [group for group in groups if any(cell.scored for cell in group[1])]
    return [one_exercise(number, *group) for number, group in enumerate(worth, 1)]


def one_exercise(number: int, heading: str, cells: Sequence[Cell]) -> GradedExercise:
    """Build exercise `number`, titled `heading`, from its answer cell and the graded cells below it."""
    first, scored = cells[0], [cell for cell in cells if cell.scored]
    tests = "\n".join(cell.released for cell in cells[1:])
    # Prefer the function that the tests call: a student may define helpers above it.
    function = next((name for name in first.functions if re.search(rf"\b{re.escape(name)}\b", tests)), "")
    return GradedExercise(
        number,
        heading or function or first.name,
        first.name,
        function,
        tuple(cell.name for cell in scored),
        tuple(cell.points for cell in scored),
    )


def cells_of(notebook: NotebookNode) -> list[Cell]:
    """Return the graded cells of an autograded notebook.

    The released source of an answer cell comes from its metadata, so that no answer can change its label.
    """
    return [
        Cell(
            cell.get("id", ""),
            cell.cell_type,
            cell.source,
            cell.metadata.get(OURS, {}).get("released", cell.source),
            dict(cell.metadata.nbgrader),
        )
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id")
    ]


def code_of(assignment: str, exercise: GradedExercise) -> str:
    """Return the exercise's short name, such as "02.3" for the third exercise of 02_attention."""
    return f"{assignment.partition('_')[0]}.{exercise.number}"


def assignment_named(root: str | Path, name: str) -> str:
    """Return the name of the assignment in the course folder `root` that has this name or unit number.

    Raises ValueError unless exactly one assignment matches.
    """
    known = sorted(path.name for path in Path(root, "solutions").glob("*") if path.is_dir())
    found = [one for one in known if name == one or name.isdigit() and one.startswith(f"{name.zfill(2)}_")]
    if len(found) != 1:
        raise ValueError(
            f"{name!r} matches {len(found)} assignments; the assignments are {', '.join(known) or 'none'}"
        )
    return found[0]


def find_exercise(assignment: str, known: Sequence[GradedExercise], name: str) -> GradedExercise:
    """Return the exercise with this number, function name or answer cell name.

    Raises ValueError if there is none.
    """
    found = [one for one in known if name in (str(one.number), one.function, one.answer) and name]
    if not found:
        listed = ", ".join(f"{code_of(assignment, one)} {one.function or one.answer}" for one in known)
        raise ValueError(f"{name!r} is not an exercise of {assignment}; the exercises are {listed}")
    return found[0]
