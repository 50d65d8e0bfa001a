"""Exercises in which the student finds and fixes the bugs planted in a function.

Each bug breaks an invariant of its own, whichever other bugs are present; `examine` shows the student which
invariants hold. Grades go by values: the check finds the set of remaining bugs with which the function gives
the answer's results.
"""
import contextlib
import copy
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .compare import close
from .exercise import Exercise, Invariant
from .guard import CheckFailed, and_list, lending, unwritten


@dataclass(frozen=True)
class Planted(Exercise):
    """The check of a fixed function. version(left) is the function with the bugs `left`, numbers from 1.

    Bug n breaks invariant n; any further invariants hold whatever bugs are left.
    """

    version: Callable | None = None
    bugs: int = 0
    checks: tuple = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        made = tuple(self._check(number) for number in range(1, self.bugs + 1))
        object.__setattr__(self, "checks", made)  # once: every exercise made is remembered
        super().__post_init__()

    def __call__(self, answer: Callable, seed: int = 0, hidden: bool = False,
                 points: float | None = None) -> float | None:
        """Check that every bug is fixed; a notebook checks them one by one, each for its own points.

        points: of the cell, for partial credit. Every bug is worth the same, and the points of the fixed ones
        are returned, rounded down to tenths.
        """
        __tracebackhide__ = True
        fixed = [check(answer, seed, hidden, points=None if points is None else 1) for check in self.checks]
        return None if points is None else math.floor(10 * points * sum(map(float, fixed)) / self.bugs) / 10

    def examine(self, function: Callable, seed: int = 0) -> None:
        """Print which invariants hold of `function` and which are broken, one line each.

        Our functions replace those of the student's earlier answers that fail their own checks.
        """
        __tracebackhide__ = True
        lent = self._lent(function, seed)
        print(f"{function.__name__}, examined{f' with our {and_list(lent)}' if lent else ''}:")
        with lending(function, lent):
            for invariant in sorted(self.invariants, key=lambda invariant: invariant.sentence):
                print(f"  {'holds:   ' if holds(invariant, function, seed) else 'BROKEN:  '} "
                      f"{invariant.sentence}")

    def bug(self, number: int) -> Exercise:
        """Return the check that bug `number` is fixed; other bugs may be left.

        With points, a bug that is left earns 0: there is no partial credit for it. Raises ValueError for a
        number without a bug.
        """
        if not 1 <= number <= self.bugs:
            raise ValueError(f"bug {number}: {self.name} has bugs 1 to {self.bugs}")
        return self.checks[number - 1]

    def _check(self, number):
        sentence = self.invariants[number - 1].sentence

        def fixed(answer, rng):
            __tracebackhide__ = True
            left = self.left(answer, rng)
            if left is None:
                return ("something else has changed: with none, some or all of its bugs the function gives "
                        "other results. Change as little as you can, and examine your version again.")
            return number not in left or f"this does not hold yet: {sentence}. Examine your version."
        return Exercise(self.name, self.parameters, self.cases, builds_on=self.builds_on,
                        invariants=(Invariant(sentence, fixed),),
                        implementations=(*self.implementations, self.reference, self.version))

    def left(self, answer: Callable, rng: np.random.Generator) -> frozenset[int] | None:
        """The smallest set of bugs with which the function gives the answer's results, or None."""
        assert self.version
        cases = self.cases(rng)
        results = [answer(*copy.deepcopy(case)) for case in cases]
        for left in subsets(self.bugs):
            version = self.version(left)
            with contextlib.suppress(TypeError, ValueError), np.errstate(all="ignore"):
                if all(close(got, version(*copy.deepcopy(case)))
                       for got, case in zip(results, cases, strict=True)):
                    return left
        return None


def holds(invariant: Invariant, function: Callable, seed: int) -> bool:
    """True if the invariant holds of `function`; False also where the function raises an error."""
    try:
        with np.errstate(all="ignore"):
            return invariant.holds(function, np.random.default_rng(seed)) is True
    except NotImplementedError as error:
        raise CheckFailed(f"{function.__name__}: {unwritten(error, function)}") from None
    except Exception:
        return False


def subsets(count: int) -> list[frozenset[int]]:
    """All sets of numbers from 1 to count, small sets first."""
    return [frozenset(some) for size in range(count + 1)
            for some in itertools.combinations(range(1, count + 1), size)]


def planted(name: str, parameters: tuple[str, ...], cases: Callable, version: Any,
            broken: tuple[Invariant, ...], more: tuple[Invariant, ...] = (), **options: Any) -> Planted:
    """Build the Planted exercise of a function. broken: what bug 1, 2, ... break; more: what always holds.

    The right version becomes an attribute of `version`, so that it has a name by which it can be forbidden.
    """
    version.right = version(frozenset())
    version.right.__qualname__ = f"{version.__qualname__}.right"
    return Planted(name, parameters, cases, version.right, invariants=(*broken, *more), version=version,
                   bugs=len(broken), **options)
