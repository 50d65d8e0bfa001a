"""Let students find and fix bugs that were planted in a function.

Each bug breaks a different invariant, whatever other bugs are present. `examine` shows which invariants hold
and whether anything else has changed. Each bug is graded by itself: it earns its points if its invariant
holds and the results show that it is fixed (see `bug_evidence`), even if another one is only half fixed.
"""

import contextlib
import copy
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np

from .bug_evidence import differs, inputs, mixed, rights, subsets, unfixed
from .climb import functions_to_lend
from .difference import called, difference, parted
from .exercise import Exercise
from .guard import CheckFailed, and_list, lending, many, not_written_message, quiet
from .known_mistakes import equals, only_hint, result
from .ladder import form, run, untouched
from .noted import RecordingAnswer, contained
from .records import Invariant

NOTHING_ELSE = "apart from the bugs, the function does the same as before"


@dataclass(frozen=True)
class Planted(Exercise):
    """The check of a bug hunt, in which the student fixes bugs that were planted in a function.

    version(left): returns the function with the bugs `left`, a set of numbers from 1. Bug n breaks invariant
    n; any additional invariants hold whatever bugs are left. The known mistakes are changes other than fixes,
    which the check describes to the student. parts(result): splits a result so that a bug leaves some of its
    parts unchanged.
    """

    version: Callable | None = None
    bugs: int = 0
    parts: Callable = lambda result: result
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
                in_ours = functools.wraps(function)(contained(function, self.wanted()))
                held = holds(invariant, in_ours, seed)
                print(f"  {'holds:   ' if held else 'BROKEN:  '} {invariant.sentence}")
            with quiet(hidden=False):
                print(self.nothing_else(function, seed))

    def nothing_else(self, function: Callable, seed: int) -> str:
        """Return a sentence on whether, and where, the student has changed anything but the bugs."""
        try:
            results = self.results(function, seed)
            self.explain_errors(function, results, seed)
            wrong = self.wrong_result(results, self.broken(function, seed), seed)
            if not wrong:
                return f"  holds:    {NOTHING_ELSE}"
            case, got, right = wrong
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
            results, broken = self.results(answer, seed), self.broken(answer, seed)
            if number not in unfixed(self, results, broken, seed):
                return True
            self.explain_errors(answer, results, seed)
            return self.said(sentence if number in broken else "", results, broken, seed)

        return Exercise(
            self.name,
            self.parameters,
            lambda rng: [],  # `results` runs the function
            builds_on=self.builds_on,
            invariants=(Invariant(sentence, fixed),),
            implementations=(*self.own, self.version),
        )

    def results(self, answer: Callable, seed: int) -> list:
        """Return the results of the student's function for the `inputs`, None for those that raise an error.

        Raises CheckFailed if it changes an input, and an error that concerns all inputs.
        """
        __tracebackhide__ = True
        cases = inputs(self, seed)
        given = copy.deepcopy(cases)
        with allowed_errors():
            results = list(many(answer, given))
            for case, before in zip(given, cases, strict=True):
                untouched(case, before)
            return results
        results = [None] * len(cases)
        for number, case in enumerate(cases):
            with allowed_errors():
                results[number] = run(answer, case)
        return results

    def explain_errors(self, answer: Callable, results: list, seed: int) -> None:
        """Raise the student's error again for the first of the `inputs` without a result, if any."""
        __tracebackhide__ = True
        for case, got in zip(inputs(self, seed), results, strict=True):
            if got is None:
                run(answer, case)

    def broken(self, answer: Callable, seed: int) -> list[int]:
        """Return the numbers, from 1, of the invariants that the student's function breaks.

        An invariant on whose inputs it raises an error is not among them.
        """
        function = contained(answer, self.wanted())
        return [
            number
            for number, invariant in enumerate(self.invariants, 1)
            if False in (verdict(invariant, function, some) for some in (0, seed))
        ]

    def wanted(self) -> Any:
        """Return the correct function's result for one of the inputs."""
        assert self.reference
        return self.reference(*self.cases(np.random.default_rng(0))[0])

    def said(self, unmet: str, results: list, broken: list[int], seed: int) -> str:
        """Return the message about a bug that is not fixed, or whose points another mistake costs.

        unmet: the sentence of the bug's invariant if it does not hold, or "". results: the results for the
        `inputs`. broken: the numbers of broken invariants. The message explains a known mistake if only one
        fits. Otherwise, it names the wrong type or shape, the broken invariants or a result's wrong part.
        """
        wrong = self.wrong_result(results, broken, seed)
        try:
            if wrong:
                form(*wrong[1:])
        except CheckFailed as failed:
            return f"you must fix this before the check can continue: {failed.failure.sentence}"
        cases = inputs(self, seed)
        hint = only_hint([m for m in self.mistakes if all(map(equals, results, repeat(m), cases))])
        lost = "; ".join(self.invariants[n - 1].sentence for n in broken if n > self.bugs)
        why = hint or (f"this no longer holds: {lost}." if lost else "")
        if unmet:
            why = why or "use `examine` on your version to see more."
            return f"this does not hold yet: {unmet}. {why[0].upper()}{why[1:]}"
        why = why or f"{parted(*wrong[1:]) if wrong else 'a result for an unusual input'} is wrong."
        return f"there is another mistake, which costs the points of this bug: {why}"

    def wrong_result(self, results: list, broken: list[int], seed: int) -> tuple | None:
        """Return (input, result, expected result) for a result that is wrong, whatever bugs are left.

        A part of a result is not called wrong if the original function gives it with some of the bugs in
        `broken`. Returns None if there is no such result.
        """
        assert self.version
        versions = [self.version(left) for left in subsets(self.bugs) if left and left <= {*broken}]
        for case, got, right in zip(inputs(self, seed), results, rights(self, seed), strict=True):
            expected = right
            for bugged in versions:
                if differs(got, expected).any():
                    expected = mixed(got, expected, result(bugged, case))
            if differs(got, expected).any():
                return case, got, expected
        return None


def holds(invariant: Invariant, function: Callable, seed: int) -> bool:
    """Return True if `function` satisfies the invariant, False if it does not or raises an error.

    Raises CheckFailed if a function is not written yet.
    """
    return verdict(invariant, function, seed) is True


def verdict(invariant: Invariant, function: Callable, seed: int) -> bool | None:
    """Return whether `function` satisfies the invariant, or None if it raises an error.

    Raises CheckFailed if a function is not written yet.
    """
    noted = RecordingAnswer(function)
    try:
        with np.errstate(all="ignore"):
            held = invariant.holds(noted, np.random.default_rng(seed))
            return not isinstance(held, str) and bool(held)
    except NotImplementedError as error:
        raise CheckFailed(f"{function.__name__}: {not_written_message(error, function)}") from None
    except Exception as error:
        return None if noted.raised(error) else False


@contextlib.contextmanager
def allowed_errors() -> Iterator[None]:
    """Suppress errors that a student's function may raise on some inputs, in a `with` block."""
    try:
        yield
    except NotImplementedError:
        raise
    except CheckFailed as failed:
        if not failed.error:
            raise
    except Exception:
        pass


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
