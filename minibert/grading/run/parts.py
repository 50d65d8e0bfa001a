"""A notebook as exercises: which cells belong together, and what each exercise may use and has used."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from ..notebook import field, grade_id
from ..sandbox.limits import Policy, Times, exercise_times
from .cell_names import HIDDEN, assigned_names, parsed, used_names
from .kernel_outputs import MOST_MESSAGES, Room

LEAST = 0.25  # share of an exercise's time that each of its tests gets, whatever was used before it
CELL = 0.5  # share of what is left that a cell gets: something has to be left for the tests
MOST_ENDS = 3  # tests of one exercise that ended a kernel or broke a limit; further ones are not run
EXERCISE = 2  # times what a cell may show: what an exercise may


@dataclass
class ExerciseRun:
    """One exercise: its cells, from what comes before an answer to its last test, and how it has fared.

    cells, tests, answers: numbers of cells. left: the time that is left. whole: what it began with.
    room: for its outputs. names: that its answers define for its tests. alone: whether its tests run in
    kernels without other answers of hers. ends: see MOST_ENDS. out_of_time: whether one of its tests broke a
    time limit.
    """

    cells: list[int]
    tests: list[int]
    answers: list[int]
    left: Times
    whole: Times
    room: Room
    names: set[str]
    alone: bool = False
    ends: int = 0
    out_of_time: bool = False

    @property
    def failed(self) -> bool:
        """Whether a test of it ended a kernel or broke a limit: others then do without its answer."""
        return self.ends > 0

    @property
    def closed(self) -> str:
        """Why no further test of it is run; empty if one may be."""
        if self.out_of_time:
            return "another test of this exercise took too long"
        return f"tests of this exercise ended the kernel {self.ends} times" if self.ends >= MOST_ENDS else ""

    def allowed(self, number: int) -> Times:
        """What a cell of it may use."""
        least = self.whole.part(LEAST)
        if number not in self.tests:
            return self.left.part(CELL).at_least(least.part(LEAST))
        return least if self.alone else self.left.at_least(least)


def parts(
    cells: Sequence[NotebookNode], trusted: Collection[str | None], policy: Policy
) -> list[ExerciseRun]:
    """The exercises of a notebook, in order; together they have all its cells.

    One begins behind the last test of the one before.
    """
    groups: list[list[int]] = [[]]
    end = 0  # of the present exercise, behind its last test
    for number, cell in enumerate(cells):
        if field(cell, "solution") and end:
            groups[-1:] = [groups[-1][:end], groups[-1][end:]]
            end = 0
        groups[-1].append(number)
        if grade_id(cell) in trusted:
            end = len(groups[-1])
    groups[-1:] = [groups[-1][:end], groups[-1][end:]]
    return [part(cells, group, trusted, policy) for group in groups if group]


def part(
    cells: Sequence[NotebookNode], group: list[int], trusted: Collection[str | None], policy: Policy
) -> ExerciseRun:
    """The exercise of these cells."""
    tests = [number for number in group if grade_id(cells[number]) in trusted]
    answers = [number for number in group if field(cells[number], "solution")]
    times = exercise_times(policy)
    room = Room(EXERCISE * policy.output_bytes, EXERCISE * MOST_MESSAGES)
    return ExerciseRun(
        group, tests, answers, times, times, room, defined(cells, answers) & used(cells, tests)
    )


def defined(cells: Sequence[NotebookNode], numbers: Iterable[int]) -> set[str]:
    """The names that these cells define."""
    return {name for number in numbers for name in assigned_names(parsed(cells[number].source))}


def used(cells: Sequence[NotebookNode], numbers: Iterable[int]) -> set[str]:
    """The names that these cells use."""
    return {name for number in numbers for name in used_names(parsed(cells[number].source))}


def run_last(cells: Sequence[NotebookNode], trusted: Collection[str | None]) -> list[int]:
    """The cells with hidden tests, which run when all others have: nothing shown was made after them.

    A cell that defines a name for a later cell of the instructor's keeps its place.
    """
    found, needed = [], set[str]()
    for number in reversed(range(len(cells))):
        cell = cells[number]
        hidden = HIDDEN in cell.source and grade_id(cell) in trusted
        if hidden and not assigned_names(parsed(cell.source)) & needed:
            found.append(number)
        elif field(cell, "locked"):
            needed |= used(cells, [number])
    return found[::-1]
