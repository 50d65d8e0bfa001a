"""The exercises of a notebook, each with its cells and the time that it may still use."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from ..bounded import bounded
from ..notebook import field, grade_id
from ..sandbox.limits import Policy, Times, exercise_times
from .cell_names import HIDDEN, assigned_names, parsed, used_names
from .kernel_outputs import MOST_MESSAGES, OutputBudget

LEAST = 0.25  # least share of an exercise's time for each of its tests
CELL = 0.5  # share of the remaining time that a cell may use, so that some remains for the tests
MOST_ENDS = 3  # after this many of its tests end a kernel or break a limit, an exercise is not tested further
EXERCISE = 2  # output limit of an exercise, as a multiple of a cell's limit


@dataclass
class ExerciseRun:
    """One exercise during a run: its cells, from the one after the previous exercise to its last test.

    cells, tests, answers: lists of cell indices. left, whole: the remaining time and the total time that it
    may use. room: how much output it may still produce. names: the names that its answers define for its
    tests. alone: whether its tests run without the student's other answers. ends: how many of its tests
    crashed a kernel or exceeded a limit. out_of_time: whether a test exceeded a time limit.
    """

    cells: list[int]
    tests: list[int]
    answers: list[int]
    left: Times
    whole: Times
    room: OutputBudget
    names: set[str]
    alone: bool = False
    ends: int = 0
    out_of_time: bool = False

    @property
    def failed(self) -> bool:
        """Return whether a test crashed a kernel or exceeded a limit; others then run without this answer."""
        return self.ends > 0

    @property
    def closed(self) -> str:
        """Return why this exercise is not tested further, or an empty string if it is."""
        if self.out_of_time:
            return "another test of this exercise took too long"
        return f"tests of this exercise ended the kernel {self.ends} times" if self.ends >= MOST_ENDS else ""

    def allowed(self, number: int) -> Times:
        """Return the time that the cell with index `number` may use."""
        least = self.whole.part(LEAST)
        if number not in self.tests:
            return self.left.part(CELL).at_least(least.part(LEAST))
        return least if self.alone else self.left.at_least(least)


def parts(
    cells: Sequence[NotebookNode], trusted: Collection[str | None], policy: Policy
) -> list[ExerciseRun]:
    """Return the exercises of a notebook, in order; together they contain all its cells.

    Each exercise starts after the last test of the previous one. Raises LimitError if the answers cannot be
    read within limits.
    """
    groups: list[list[int]] = [[]]
    end = 0  # position after the last test of the current exercise
    for number, cell in enumerate(cells):
        if field(cell, "solution") and end:
            groups[-1:] = [groups[-1][:end], groups[-1][end:]]
            end = 0
        groups[-1].append(number)
        if grade_id(cell) in trusted:
            end = len(groups[-1])
    groups[-1:] = [groups[-1][:end], groups[-1][end:]]
    groups = [group for group in groups if group]
    answers = [[number for number in group if field(cells[number], "solution")] for group in groups]
    names = bounded(defined, [[cells[number].source for number in numbers] for numbers in answers])
    return [
        part(cells, group, own, defines, trusted, policy)
        for group, own, defines in zip(groups, answers, names)
    ]


def part(
    cells: Sequence[NotebookNode],
    group: list[int],
    answers: list[int],
    names: set[str],
    trusted: Collection[str | None],
    policy: Policy,
) -> ExerciseRun:
    """Return the exercise that consists of the cells with the indices in `group`.

    names: the names that its answers define.
    """
    tests = [number for number in group if grade_id(cells[number]) in trusted]
    times = exercise_times(policy)
    room = OutputBudget(EXERCISE * policy.output_bytes, EXERCISE * MOST_MESSAGES)
    return ExerciseRun(group, tests, answers, times, times, room, names & used(cells, tests))


def defined(exercises: Iterable[Iterable[str]]) -> list[set[str]]:
    """Return the names that each exercise's answers define, given their sources."""
    return [{name for source in sources for name in assigned_names(parsed(source))} for sources in exercises]


def used(cells: Sequence[NotebookNode], numbers: Iterable[int]) -> set[str]:
    """Return the names that the cells with these indices use."""
    return {name for number in numbers for name in used_names(parsed(cells[number].source))}


def run_last(cells: Sequence[NotebookNode], trusted: Collection[str | None]) -> list[int]:
    """Return the indices of the cells with hidden tests, which run last.

    After them, there is no output that could reveal their inputs. A cell that defines a name for a later
    instructor cell runs in its usual place.
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
