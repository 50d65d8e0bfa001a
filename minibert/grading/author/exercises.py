"""The exercises of an assignment: which cells belong together, how people call them, and their numbers.

An exercise is an answer cell, or a task, with the graded cells below it. Its number is its place among those
that give points, which its heading in the notebook shows: 02.3 is the third of unit 02.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from ..notebook import OURS
from .assignment_bundle import Cell

HEADING = re.compile(r"^##+\s+(?:\d+\s*·\s*)?(.*\S)", re.MULTILINE)  # below the notebook's own heading
KINDS = {"visible": "visible test", "hidden": "hidden test"}


@dataclass(frozen=True)
class GradedExercise:
    """One exercise. answer: name of its first cell. function: what is to be written, empty for a text.

    cells: names of the cells that give points. points: the most that each of them gives.
    """

    number: int
    title: str
    answer: str
    function: str
    cells: tuple[str, ...]
    points: tuple[float, ...]

    @property
    def max_points(self) -> float:
        """The points of all its cells together."""
        return sum(self.points)

    @property
    def manual(self) -> bool:
        """Whether a person gives all its points."""
        return self.cells == (self.answer,)

    def label(self, cell: str) -> str:
        """What people call one of its cells: "softmax: hidden test" for `softmax-hidden`."""
        if cell == self.answer:
            return "answer" if self.function else "text answer"
        kind = cell.removeprefix(self.answer).strip("-_")
        said = KINDS.get(kind) or (f"test {kind}" if kind.isdigit() else kind.replace("-", " ") or cell)
        return f"{self.function or self.title}: {said}"


def exercises(cells: Iterable[Cell]) -> list[GradedExercise]:
    """The exercises that give points, in their order."""
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
    """The exercise of an answer cell and the graded cells below it."""
    first, scored = cells[0], [cell for cell in cells if cell.scored]
    tests = "\n".join(cell.released for cell in cells[1:])
    # of the functions in the cell, the one that the tests name: a student may have written helpers above it
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
    """The cells of an autograded notebook that the instructor wrote or graded, as a bundle has them.

    What was released of an answer cell is in its metadata, so that no answer changes what it is called.
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
    """The exercise's short name, "02.3" for the third of 02_attention."""
    return f"{assignment.partition('_')[0]}.{exercise.number}"


def assignment_named(root: str | Path, name: str) -> str:
    """The assignment of the course `root` that a name, or a unit's number, means; raises ValueError."""
    known = sorted(path.name for path in Path(root, "solutions").glob("*") if path.is_dir())
    found = [one for one in known if name == one or name.isdigit() and one.startswith(f"{name.zfill(2)}_")]
    if len(found) != 1:
        raise ValueError(f"{name!r} names {len(found)} assignments; there are {', '.join(known) or 'none'}")
    return found[0]


def exercise_named(assignment: str, known: Sequence[GradedExercise], name: str) -> GradedExercise:
    """The exercise that a number, or the name of its function or answer cell, means; raises ValueError."""
    found = [one for one in known if name in (str(one.number), one.function, one.answer) and name]
    if not found:
        listed = ", ".join(f"{code_of(assignment, one)} {one.function or one.answer}" for one in known)
        raise ValueError(f"{name!r} is no exercise of {assignment}; there are {listed}")
    return found[0]
