"""Let students write a test that must accept correct versions of a function and reject wrong ones.

A test must judge a version only by what it does. So the versions have no names, and each is passed multiple
times, in random order. If a grader runs the test in another process, the versions stay in the grader's
process and are called from there (`minibert.grading.wire.callbacks`). In the student's own notebook they are
plain functions, whose closures would give them away; but nothing is graded there.
"""

import contextlib
import functools
import io
import itertools
import random
import re
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

# verdicts; any other verdict is the error that the test raised
ACCEPTED, RETURNED, RAISED = "accepted", "returned", "raised"
ORDER = random.SystemRandom()  # cannot be predicted or seeded by a student
COPIES = 2  # least copies of each version, so that guessing which are correct almost never succeeds


@dataclass(frozen=True)
class Version:
    """A correct or wrong implementation of the function that a student's test should test.

    words: what the function does wrong, or how it is written if it is correct.
    """

    words: str
    function: Callable


@dataclass
class Verdicts:
    """The functions that a student's test is tried on, and the test's verdict on each."""

    versions: Sequence[Version]
    said: Sequence[str] = ()


def nameless(function: Callable) -> Callable:
    """Wrap a function so that its name and attributes do not identify it."""

    def version(*args, **kwargs):
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return version


def by_name(test: Callable) -> Callable:
    """Decorate a student's test so that one call can run it on several implementations of a function.

    Called with a list of implementations, the decorated test returns a string for each: whether it passed, or
    the error. Called with one function, it runs as written. Called with None, it returns reasons why some
    asserts can never fail.
    """

    @functools.wraps(test)
    def tests(versions):
        if versions is None:
            return never_fails.weaknesses(test)
        return test(versions) if callable(versions) else [verdict(test, version) for version in versions]

    return tests


@contextlib.contextmanager
def undone(function: Callable) -> Iterator[Callable]:
    """Yield a wrapped function for a `with` block, and then undo all its changes to its arguments.

    A wrong function may write into an array that the student's test uses again.
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
    """Call test(function), and return ACCEPTED if it passes, or else what it does wrong, or the error.

    RETURNED: it returns a value. RAISED: it has a `raise` for another error than an AssertionError.
    """
    try:
        with contextlib.redirect_stdout(io.StringIO()), undone(function) as version:
            return ACCEPTED if test(version) is None else RETURNED
    except (NotImplementedError, CheckFailed):
        raise
    except Exception as error:
        line = line_of(error, test)
        if not isinstance(error, AssertionError) and re.search(r"(^|: *)raise\b", line):
            return RAISED
        return f"{type(error).__name__}: {first_line(error) or line}".removesuffix(": ")


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    return str(error).split("\n")[0]


def line_of(error: BaseException, test: Callable) -> str:
    """Return the line of the student's test that raised `error`, such as an `assert`."""
    own = [
        frame.line
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == test.__code__.co_filename
    ]
    return (own[-1] or "") if own else ""


def asked(test: Any, versions: Sequence[Version]) -> list[list[str]]:
    """Return, for each version of the tested function, the verdicts of a student's test on its copies.

    A version is tested multiple times (its copies). A verdict is ACCEPTED or an error message. Raises
    CheckFailed if the test gives no verdicts. A check stores all verdicts, so the test runs only once.
    """
    trial = getattr(test, "trial", None) or Verdicts(versions)
    if not trial.said:
        trial.said = verdicts(test, trial.versions)
    return [
        [said for said, tried in zip(trial.said, trial.versions) if tried is version] for version in versions
    ]


def verdicts(test: Callable, versions: Sequence[Version]) -> list[str]:
    """Run a student's test on versions of a function in random order, and return its verdict on each."""
    order = ORDER.sample(range(len(versions)), len(versions))
    try:
        said = test([nameless(versions[place].function) for place in order])
    except NotImplementedError:
        raise
    except Exception as error:
        if isinstance(error, CheckFailed) and not error.error:  # with an `error`, the test itself crashed
            raise
        said = None
    if not isinstance(said, (list, tuple)) or len(said) != len(versions):
        raise CheckFailed("your test cannot be run. Keep the line `@by_name` directly above its `def`.")
    if RAISED in said:
        raise CheckFailed(
            "your test contains a `raise`, but a test should report a mistake with a failing `assert`. Write "
            "`assert` before the condition that should hold."
        )
    if RETURNED in said:
        raise CheckFailed(
            "your test returns a value, but a test should report a mistake with a failing `assert`. Remove "
            "the `return`, and write `assert` before the condition."
        )
    return [verdict for _, verdict in sorted(zip(order, said), key=lambda pair: pair[0])]


def rejected(said: Sequence[Sequence[str]], versions: Sequence[Version]) -> str:
    """Return a message about the first correct version that the student's test rejects, or "".

    said: for each version, the test's verdicts on its copies. versions: the correct versions.
    """
    return next(
        (
            f"your test rejects a correct version, {version.words}. It stops at: {verdict}."
            for copies, version in zip(said, versions)
            for verdict in copies
            if verdict != ACCEPTED
        ),
        "",
    )


def caught(copies: Sequence[str]) -> bool:
    """Return True if a test rejects most copies of a wrong function, given its verdicts on them."""
    return 2 * copies.count(ACCEPTED) < len(copies)


def accepts(right: Sequence[Version]) -> Callable:
    """Return a test, for `Invariant.holds`, that a student's test accepts all versions in `right`."""

    def holds(test, _rng):
        __tracebackhide__ = True
        return rejected(asked(test, right), right) or True

    return holds


def catches(wrong: Sequence[Version]) -> Callable:
    """Return a test, for `Invariant.holds`, that a student's test rejects all versions in `wrong`."""

    def holds(test, _rng):
        __tracebackhide__ = True
        missed = [v for copies, v in zip(asked(test, wrong), wrong, strict=True) if not caught(copies)]
        return not missed or (
            f"your test catches {len(wrong) - len(missed)} of {len(wrong)} wrong "
            f"versions. It does not catch the one that {missed[0].words}.{why_missed(test)}"
        )

    return holds


def why_missed(test: Callable) -> str:
    """Return sentences that explain why some asserts in a test can never fail, or an empty string."""
    try:
        return never_fails.told(test(None))
    except Exception:  # a decorator written by the student may raise anything
        return ""


@dataclass(frozen=True)
class StudentTest(Exercise):
    """The check of a student's test that is decorated with `by_name`.

    right, wrong: the versions that the test should accept and reject. others: additional wrong versions, for
    grading. All versions are passed in one call, because a test could recognise a call with only wrong
    versions by their number.
    """

    more: tuple = ()
    right: tuple = ()
    wrong: tuple = ()
    others: tuple = ()

    def tried(self, hidden: bool) -> tuple[Invariant, ...]:
        """Return the invariants that a check tests, including additional ones in grading (`hidden`)."""
        return self.invariants + (self.more if hidden else ())

    def drawn(self, seed: int) -> int:
        """Return `seed`, because the versions do not depend on it."""
        return seed

    def trial(self, hidden: bool) -> Verdicts:
        """Return several copies of each version, on which the test runs once for all invariants.

        Some wrong versions get more copies than all correct ones together, some as many, and some as many as
        one correct version. So a test cannot find the correct ones by counting equal results.
        """
        right, every = self.right * COPIES, (*self.wrong, *(self.others if hidden else ()))
        counts = itertools.cycle((len(right) + COPIES, COPIES, len(right)))
        wrong = [(version,) * next(counts) for version in ORDER.sample(every, len(every))]
        return Verdicts((*right, *itertools.chain.from_iterable(wrong)))

    def share(self, answer: Callable, seed: int, hidden: bool) -> float:
        """Return the share of wrong versions that the test catches, or 0 if it rejects a correct one."""
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
    """Build the check of the student's test called `name`.

    module: a module with three tuples of versions of the tested function, whose names are right, wrong and
    more. The test must accept the versions in `right` and reject those in `wrong` and, in grading, in `more`.
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
            Invariant(f"accepts {len(good)} correct versions", accepts(good)),
            Invariant(f"catches {len(bad)} wrong versions", catches(bad)),
        ),
    )
