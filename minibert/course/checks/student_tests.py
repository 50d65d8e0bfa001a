"""Exercises in which the student writes a test, which must accept right versions and catch wrong ones.

A test that could tell a version by anything but what it does would earn points for nothing. So versions come
without names, each several times, right and wrong ones mixed in an order that is drawn anew for each try, and
where a grader runs the test in another process they stay in the grader's, called over the wire
(`minibert.grading.wire.callbacks`). In a student's own notebook they are plain functions: whoever looks into
their closures finds out what they are, and gains nothing, since points are given elsewhere.
"""

import contextlib
import functools
import io
import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from . import never_fails
from .climb import guarded_answer
from .exercise import Exercise
from .guard import CheckFailed
from .records import Invariant

ACCEPTED, RETURNED = "accepted", "returned"  # verdicts; any other is what the test raised
ORDER = random.SystemRandom()  # nobody can know it beforehand, whatever seeds she sets
COPIES = 3  # of each version, so that no guess at the places of right ones has a chance worth having


@dataclass(frozen=True)
class Version:
    """A version of the function to be tested. words: what it does, or how it is written."""

    words: str
    function: Callable


@dataclass
class Verdicts:
    """The versions that a test is tried on together, and what it says of each, once it has been tried."""

    versions: Sequence[Version]
    said: Sequence[str] = ()


def nameless(function: Callable) -> Callable:
    """A function that does the same and does not say which one it is."""

    def version(*args, **kwargs):
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return version


def by_name(test: Callable) -> Callable:
    """Decorator of a student's test: called with a list of versions, it returns the verdict on each.

    Called with a function, under any name, it runs the test itself; called with None, it says why asserts
    can never fail.
    """

    @functools.wraps(test)
    def tests(versions):
        if versions is None:
            return never_fails.weaknesses(test)
        return test(versions) if callable(versions) else [verdict(test, version) for version in versions]

    return tests


@contextlib.contextmanager
def undone(function: Callable) -> Iterator[Callable]:
    """Context manager: the function; what it is given is afterwards what it was.

    A version may write into an array that the test shares between its calls, and so into the next trial.
    """
    given: dict[int, tuple] = {}

    def version(*args, **kwargs):
        for value in (*args, *kwargs.values()):
            if isinstance(value, (np.ndarray, list)):
                given.setdefault(id(value), (value, value.copy()))
        return function(*args, **kwargs)

    try:
        yield version
    finally:
        for value, before in given.values():
            if isinstance(value, list) or value.flags.writeable:
                value[... if isinstance(value, np.ndarray) else slice(None)] = before


def verdict(test: Callable, function: Callable) -> str:
    """ACCEPTED if test(function) passes, RETURNED if it returns a value, otherwise its error as text."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), undone(function) as version:
            return ACCEPTED if test(version) is None else RETURNED
    except (NotImplementedError, CheckFailed):
        raise
    except Exception as error:
        return f"{type(error).__name__}: {first_line(error) or line_of(error, test)}".removesuffix(": ")


def first_line(error: BaseException) -> str:
    """The first line of an error's message."""
    return str(error).split("\n")[0]


def line_of(error: BaseException, test: Callable) -> str:
    """The line of the student's test at which `error` was raised, such as an `assert`."""
    own = [
        frame.line
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == test.__code__.co_filename
    ]
    return (own[-1] or "") if own else ""


def asked(test: Any, versions: Sequence[Version]) -> list[list[str]]:
    """The test's verdicts on the copies of each version, which it gets mixed; without them, CheckFailed.

    Inside a check the test has a `trial`, Verdicts on all versions that are tried: nothing is asked twice.
    """
    trial = getattr(test, "trial", None) or Verdicts(versions)
    if not trial.said:
        trial.said = verdicts(test, trial.versions)
    return [
        [said for said, tried in zip(trial.said, trial.versions) if tried is version] for version in versions
    ]


def verdicts(test: Callable, versions: Sequence[Version]) -> list[str]:
    """The test's verdict on each of the versions; raises CheckFailed where it gives none."""
    order = ORDER.sample(range(len(versions)), len(versions))
    try:
        said = test([nameless(versions[place].function) for place in order])
    except NotImplementedError:
        raise
    except Exception as error:
        if isinstance(error, CheckFailed) and not error.error:  # with an error, it is a crash of the test
            raise
        said = None
    if not isinstance(said, (list, tuple)) or len(said) != len(versions):
        raise CheckFailed("your test cannot be tried. Leave the line `@by_name` right above its `def`.")
    if RETURNED in said:
        raise CheckFailed(
            "your test returns a value. A test says nothing when all is well, and stops at an "
            "`assert` when it is not."
        )
    return [verdict for _, verdict in sorted(zip(order, said), key=lambda pair: pair[0])]


def rejected(said: Sequence[Sequence[str]], versions: Sequence[Version]) -> str:
    """A sentence about the first of the right `versions` that a test rejects, be it one copy; else empty."""
    return next(
        (
            f"your test rejects a right version, {version.words}. It stops at: {verdict}."
            for copies, version in zip(said, versions)
            for verdict in copies
            if verdict != ACCEPTED
        ),
        "",
    )


def caught(copies: Sequence[str]) -> bool:
    """Whether a test rejects most copies of a version."""
    return 2 * copies.count(ACCEPTED) < len(copies)


def accepts(right: Sequence[Version]) -> Callable:
    """Build the `holds` of an invariant: the test accepts each of the right versions."""

    def holds(test, _rng):
        __tracebackhide__ = True
        return rejected(asked(test, right), right) or True

    return holds


def catches(wrong: Sequence[Version]) -> Callable:
    """Build the `holds` of an invariant: the test accepts none of the wrong versions."""

    def holds(test, _rng):
        __tracebackhide__ = True
        missed = [v for copies, v in zip(asked(test, wrong), wrong, strict=True) if not caught(copies)]
        return not missed or (
            f"your test catches {len(wrong) - len(missed)} of {len(wrong)} wrong "
            f"versions. It lets one pass that {missed[0].words}.{why_missed(test)}"
        )

    return holds


def why_missed(test: Callable) -> str:
    """What can be said of asserts that can never fail, as further sentences; empty if there are none."""
    try:
        return never_fails.told(test(None))
    except Exception:  # whatever a decorator of the student's own does
        return ""


@dataclass(frozen=True)
class StudentTest(Exercise):
    """The check of a test that `by_name` decorates.

    right, wrong: the versions that the test should accept and reject. others: further wrong ones that are
    tried only after the student has handed in, as are the invariants `more`. All are tried together: wrong
    ones among themselves could be told by their number.
    """

    more: tuple = ()
    right: tuple = ()
    wrong: tuple = ()
    others: tuple = ()

    def tried(self, hidden: bool) -> tuple[Invariant, ...]:
        """The invariants that a check tries, with `more` if it is hidden."""
        return self.invariants + (self.more if hidden else ())

    def trial(self, hidden: bool) -> Verdicts:
        """Return the versions that all invariants try together, copies included."""
        return Verdicts((*self.right, *self.wrong, *(self.others if hidden else ())) * COPIES)

    def share(self, answer: Callable, seed: int, hidden: bool) -> float:
        """Return the share of wrong versions that the test catches; 0 if it rejects a right version."""
        test = guarded_answer(self, answer, hidden)
        try:
            fair = not rejected(asked(test, self.right), self.right)
            return float(np.mean([caught(copies) for copies in asked(test, self.wrong)])) if fair else 0.0
        except Exception:
            return 0.0


def student_test(
    name: str,
    parameters: tuple[str, ...],
    module: ModuleType,
    hints: tuple[str, ...],
    right: str = "RIGHT",
    wrong: str = "WRONG",
    more: str = "MORE",
) -> StudentTest:
    """Build the check of the test `name`; `module` holds its Versions in three tuples of these names.

    Each of `right` must be accepted, each of `wrong` rejected, and after handing in each of `more` too.
    """
    good, bad, others = (getattr(module, tuple_) for tuple_ in (right, wrong, more))
    return StudentTest(
        name,
        parameters,
        lambda rng: [],
        hints=hints,
        right=good,
        wrong=bad,
        others=others,
        more=(Invariant(f"catches {len(others)} more wrong versions", catches(others)),),
        invariants=(
            Invariant(f"accepts {len(good)} right versions", accepts(good)),
            Invariant(f"catches {len(bad)} wrong versions", catches(bad)),
        ),
    )
