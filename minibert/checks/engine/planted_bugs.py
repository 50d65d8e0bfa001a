"""A function that is given with planted bugs: the student finds them by what does not hold, and mends the
function.

Each bug breaks an invariant of its own, whichever other bugs are there: `examine` shows which hold, as a
doctor would. Grades go by values: the answer equals the version with some of the bugs left, and the check
knows which ones.
"""
import contextlib
import copy
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .compare import close
from .exercise import Exercise, Invariant
from .guard import CheckFailed, lending, unwritten


@dataclass(frozen=True)
class Planted(Exercise):
    """The check of a mended function. version(left) is the function with the bugs `left`, a set of numbers
    from 1.

    The invariants are in the order of the bugs: number n is what bug n breaks; further ones hold with every
    bug.
    """

    version: Callable = None
    bugs: int = 0
    checks: tuple = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        made = tuple(self._check(number) for number in range(1, self.bugs + 1))
        object.__setattr__(self, "checks", made)  # once: each exercise that is made is kept for ever
        super().__post_init__()

    def __call__(self, answer, seed=0, hidden=False, points=None):
        """Check that every bug is mended; a notebook checks them one by one, each for its point.

        points: of the cell, for partial credit: every bug is worth the same, and what the mended ones earn is
        returned, cut to tenths.
        """
        __tracebackhide__ = True
        mended = [check(answer, seed, hidden, points=None if points is None else 1) for check in self.checks]
        return None if points is None else math.floor(10 * points * sum(mended) / self.bugs) / 10

    def examine(self, function, seed=0):
        """Print what holds of `function` and what does not, one line each; ours stand in for earlier answers
        that fail.
        """
        __tracebackhide__ = True
        lent = self._lent(function, seed)
        print(f"{function.__name__}, examined{f' with our {and_list(lent)}' if lent else ''}:")
        with lending(function, lent):
            for invariant in sorted(self.invariants, key=lambda invariant: invariant.sentence):
                print(f"  {'holds:   ' if holds(invariant, function, seed) else 'BROKEN:  '} "
                      f"{invariant.sentence}")

    def bug(self, number):
        """The check that bug `number` is mended, by values; other bugs may be left. Raises ValueError for
        another.

        With points, a bug that is left earns 0: there are no halves of it.
        """
        if not 1 <= number <= self.bugs:
            raise ValueError(f"bug {number}: {self.name} has bugs 1 to {self.bugs}")
        return self.checks[number - 1]

    def _check(self, number):
        sentence = self.invariants[number - 1].sentence

        def mended(answer, rng):
            __tracebackhide__ = True
            left = self.left(answer, rng)
            if left is None:
                return (
                    "something else has changed: with none, some or all of its bugs the function gives other "
                        "results. Change as little as you can, and examine your version again.")
            return number not in left or f"this does not hold yet: {sentence}. Examine your version."
        return Exercise(self.name, self.parameters, self.cases, builds_on=self.builds_on, invariants=(
            Invariant(sentence, mended),),
                        implementations=(*self.implementations, self.reference, self.version))

    def left(self, answer, rng):
        """The set of bugs, as small as can be, with which the function equals `answer`; None where none
        does.
        """
        cases = self.cases(rng)
        results = [answer(*copy.deepcopy(case)) for case in cases]
        for left in subsets(self.bugs):
            version = self.version(left)
            with contextlib.suppress(TypeError, ValueError), np.errstate(all="ignore"):
                if all(close(got, version(*copy.deepcopy(case)))
                       for got, case in zip(results, cases, strict=True)):
                    return left
        return None


def holds(invariant, function, seed):
    """True where the invariant holds of `function`; one in which it raises does not."""
    try:
        with np.errstate(all="ignore"):
            return invariant.holds(function, np.random.default_rng(seed)) is True
    except NotImplementedError as error:
        raise CheckFailed(f"{function.__name__}: {unwritten(error, function)}") from None
    except Exception:
        return False


def and_list(names):
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def subsets(count):
    """All sets of numbers from 1 to count, small ones first."""
    return [frozenset(some) for size in range(count + 1)
            for some in itertools.combinations(range(1, count + 1), size)]


def planted(name, parameters, cases, version, broken, more=(), **options):
    """The Planted of a function. broken: the Invariant that bug 1 breaks, bug 2, ...; more: those that always
    hold.
    """
    version.right = version(frozenset())
    version.right.__qualname__ = f"{version.__qualname__}.right"  # so that it is found, and may not be called
    return Planted(name, parameters, cases, version.right, invariants=(*broken, *more), version=version,
                   bugs=len(broken), **options)
