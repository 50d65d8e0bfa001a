"""Let students find and fix bugs that were planted in a function.

Each bug breaks a different invariant, whatever other bugs are present. `examine` shows which invariants hold
and whether anything else has changed. To grade an answer, a check tests the invariants and finds the set of
remaining bugs that explains the results.
"""

import contextlib
import copy
import functools
import itertools
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .climb import beyond, functions_to_lend
from .compare import agree, close
from .difference import called, difference, parted
from .exercise import Exercise
from .guard import CheckFailed, and_list, lending, many, not_written_message, quiet
from .known_mistakes import equals
from .ladder import form
from .noted import contained
from .records import Invariant

NOTHING_ELSE = "apart from the bugs, the function does the same as before"


@dataclass(frozen=True)
class Planted(Exercise):
    """The check of a bug hunt, in which the student fixes bugs that were planted in a function.

    version(left): returns the function with the bugs `left`, a set of numbers from 1. Bug n breaks invariant
    n; any additional invariants hold whatever bugs are left. The known mistakes are changes other than fixes,
    which the check describes to the student.
    """

    version: Callable | None = None
    bugs: int = 0
    checks: tuple = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        made = tuple(self._check(number) for number in range(1, self.bugs + 1))
        object.__setattr__(self, "checks", made)  # made only once
        super().__post_init__()

    def __call__(
        self, answer: Callable, seed: int = 0, hidden: bool = False, points: float | None = None
    ) -> float | None:
        """Check that the student has fixed all bugs in the function `answer`.

        points: the points of the notebook cell, divided equally among the bugs. Returns the points for the
        fixed bugs, rounded down to tenths, or None without `points`. (Notebooks check the bugs one by one
        instead.)
        """
        __tracebackhide__ = True
        fixed = [check(answer, seed, hidden, points=None if points is None else 1) for check in self.checks]
        return None if points is None else math.floor(10 * points * sum(map(float, fixed)) / self.bugs) / 10

    def examine(self, function: Callable, seed: int = 0) -> None:
        """Print whether `function` satisfies each invariant, and whether anything but the bugs has changed.

        Earlier functions of the student that fail their own checks are replaced by the package's.
        """
        __tracebackhide__ = True
        lent, _ = functions_to_lend(self, function, seed)
        print(f"{function.__name__}, examined{f' with our {and_list(lent)}' if lent else ''}:")
        with lending(function, lent):
            for invariant in sorted(self.invariants, key=lambda invariant: invariant.sentence):
                in_ours = functools.wraps(function)(contained(function, self.container()))
                held = holds(invariant, in_ours, seed)
                print(f"  {'holds:   ' if held else 'BROKEN:  '} {invariant.sentence}")
            with quiet(hidden=False):
                print(self.nothing_else(function, seed))

    def nothing_else(self, function: Callable, seed: int) -> str:
        """Return a sentence on whether, and where, the student has changed anything but the bugs."""
        assert self.version
        try:
            known, results = self.judged(function, seed)
            if known is not None:
                return f"  holds:    {NOTHING_ELSE}"
            left = frozenset(n for n in self.broken(function, seed) if n <= self.bugs)
            rights = [(case, got, self.version(left)(*copy.deepcopy(case))) for case, got in results]
            case, got, right = next(some for some in rights if not agree(*some[1:]))
            form(got, right)
            where = f"With {called(self.parameters, case)}: {difference(got, right)}"
        except Exception as error:
            where = f"{type(error).__name__}: {error}"
        return f"  BROKEN:   {NOTHING_ELSE}\n            {where}"

    def bug(self, number: int) -> Exercise:
        """Return the check of a single bug (from 1), which passes if it is fixed, whatever bugs remain.

        There is no partial credit. Raises ValueError if there is no such bug.
        """
        if not 1 <= number <= self.bugs:
            raise ValueError(f"there is no bug {number}; {self.name} has bugs 1 to {self.bugs}")
        return self.checks[number - 1]

    def _check(self, number):
        sentence = self.invariants[number - 1].sentence

        def fixed(answer, rng):
            __tracebackhide__ = True
            seed = int(rng.integers(2**32))
            left, results = self.judged(answer, seed)
            broken = self.broken(answer, seed)
            if left is None or any(n > self.bugs for n in broken):
                return f"something else has changed, {self.other_change(results, broken)}"
            unmended = {*left, *broken}
            return number not in unmended or (
                f"this does not hold yet: {sentence}. Use `examine` on your version to see more: "
                f"{self.count(unmended)}."
            )

        return Exercise(
            self.name,
            self.parameters,
            self.cases,
            builds_on=self.builds_on,
            invariants=(Invariant(sentence, fixed),),
            implementations=(*self.own, self.version),
        )

    def count(self, unmended: Collection[int]) -> str:
        """Return a clause that counts the bugs that are left; `unmended` contains their numbers."""
        return (
            f"{len(unmended)} of the {self.bugs} bugs {'is' if len(unmended) == 1 else 'are'} left"
            if unmended
            else f"all {self.bugs} bugs are fixed"
        )

    def results(self, answer: Callable, rng: np.random.Generator) -> list[tuple[tuple, Any]]:
        """Return (input, result of the student's function) for each of the exercise's test inputs."""
        return self.results_on(answer, self.cases(rng))

    def results_on(self, answer: Callable, cases: list[tuple]) -> list[tuple[tuple, Any]]:
        """Return (input, result of the student's function) for each input in `cases`, in one request."""
        return list(zip(cases, many(answer, copy.deepcopy(cases)), strict=True))

    def judged(self, answer: Callable, seed: int) -> tuple[frozenset[int] | None, list[tuple[tuple, Any]]]:
        """Return (the set of bugs that are left, the (input, result) pairs that show this).

        The set is None if the student has changed anything else. If some set fits, unusual inputs are also
        tested (see `regimes`).
        """
        results = self.results(answer, np.random.default_rng(seed))
        left = self.left_in(results)
        if left is not None:
            results += self.results_on(answer, [case for case, _ in beyond(self, seed)])
            left = left if self.gives(left, results) else None
        return left, results

    def left(self, answer: Callable, rng: np.random.Generator) -> frozenset[int] | None:
        """Return the smallest set of remaining bugs that explains the student's results, or None."""
        return self.left_in(self.results(answer, rng))

    def left_in(self, results: list[tuple[tuple, Any]]) -> frozenset[int] | None:
        """Return the smallest set of remaining bugs that explains these (input, result) pairs, or None."""
        return next((left for left in subsets(self.bugs) if self.gives(left, results)), None)

    def gives(self, left: frozenset[int], results: list[tuple[tuple, Any]]) -> bool:
        """Return True if the original function with the bugs `left` gives these (input, result) pairs."""
        assert self.version
        version = self.version(left)
        with contextlib.suppress(TypeError, ValueError), np.errstate(all="ignore"):
            return all(close(got, version(*copy.deepcopy(case))) for case, got in results)
        return False

    def broken(self, answer: Callable, seed: int) -> list[int]:
        """Return the numbers, from 1, of the invariants that the student's function breaks."""
        function = contained(answer, self.container())
        return [
            number
            for number, invariant in enumerate(self.invariants, 1)
            if not all(holds(invariant, function, some) for some in (0, seed))
        ]

    def container(self) -> type:
        """Return the type of the correct function's result."""
        assert self.reference
        return type(self.reference(*self.cases(np.random.default_rng(0))[0]))

    def other_change(self, results: list[tuple[tuple, Any]], broken: list[int]) -> str:
        """Describe what the student has changed besides fixing bugs, and how many bugs are left.

        The text describes a known mistake if one fits. Otherwise, it states the broken invariants or the
        wrong result. results: (input, result) pairs. broken: the numbers of broken invariants.
        """
        for mistake in self.mistakes:
            if all(equals(got, mistake, case) for case, got in results):
                return f"although all {self.bugs} bugs are fixed: {mistake.hint}"
        unmended = [n for n in broken if n <= self.bugs]
        try:
            differs = self.differing(results, unmended)
        except CheckFailed as failed:
            return f"and you must fix it before the check can continue: {failed.failure.sentence}"
        kept = [self.invariants[n - 1].sentence for n in broken if n > self.bugs]
        said = f"this no longer holds: {'; '.join(kept)}" if kept else differs
        yet = "; ".join(self.invariants[n - 1].sentence for n in unmended)
        return (
            f"so no bug earns its points: {said}. Change only what fixes a bug. At present, "
            f"{self.count(unmended)}{f'; this does not hold yet: {yet}' if yet else ''}."
        )

    def differing(self, results: list[tuple[tuple, Any]], unmended: Collection[int]) -> str:
        """Return a clause that names the part of a result that is wrong, apart from the remaining bugs.

        results: (input, result) pairs. unmended: the numbers of the remaining bugs. Raises CheckFailed if a
        result has the wrong type, dtype or shape.
        """
        assert self.version
        for case, got in results:
            with quiet(True):
                right = self.version(frozenset(unmended))(*copy.deepcopy(case))
            form(got, right)
            if part := parted(got, right):
                return f"{part} is wrong"
        return "its results are wrong for other inputs"


def holds(invariant: Invariant, function: Callable, seed: int) -> bool:
    """Return True if `function` satisfies the invariant, False if it does not or raises an error.

    Raises CheckFailed if a function is not written yet.
    """
    try:
        with np.errstate(all="ignore"):
            return invariant.holds(function, np.random.default_rng(seed)) is True
    except NotImplementedError as error:
        raise CheckFailed(f"{function.__name__}: {not_written_message(error, function)}") from None
    except Exception:
        return False


def subsets(count: int) -> list[frozenset[int]]:
    """Return all subsets of {1, ..., count}, smallest first."""
    return [
        frozenset(some)
        for size in range(count + 1)
        for some in itertools.combinations(range(1, count + 1), size)
    ]


def planted(
    name: str,
    parameters: tuple[str, ...],
    cases: Callable,
    version: Any,
    broken: tuple[Invariant, ...],
    more: tuple[Invariant, ...] = (),
    **options: Any,
) -> Planted:
    """Build the check for a bug hunt, an exercise in which the student fixes bugs in a function.

    version(left): builds the function with the bugs `left`, a set of numbers from 1. broken: the invariants
    that bugs 1, 2, ... break. more: invariants that hold whatever bugs are left. The correct function becomes
    an attribute of `version`, so that calls to it can be blocked by name.
    """
    version.right = version(frozenset())
    version.right.__qualname__ = f"{version.__qualname__}.right"
    return Planted(
        name,
        parameters,
        cases,
        version.right,
        invariants=(*broken, *more),
        version=version,
        bugs=len(broken),
        **options,
    )
