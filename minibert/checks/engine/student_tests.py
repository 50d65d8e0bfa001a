"""Exercises in which the student writes a test, which must accept right versions and catch wrong ones.

Functions cannot be sent to the process in which the student's code runs, so versions are passed by name: the
decorator `by_name` looks them up beside the student's test, and returns a verdict on each as text.
"""
import contextlib
import functools
import io
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from . import never_fails
from .answer_protocol import named
from .exercise import Exercise, Invariant
from .guard import CheckFailed

ACCEPTED, RETURNED = "accepted", "returned"     # verdicts; any other is what the test raised


@dataclass(frozen=True)
class Version:
    """A version of the function to be tested. words: what it does, or how it is written."""

    words: str
    function: Callable


def candidate(name: str) -> Callable:
    """The function of the Version with this name, such as "minibert.checks.unit02.versions:WRONG.0".

    The function that is returned does not reveal its origin. Raises ValueError for a name outside the checks.
    """
    module, _, path = name.partition(":")
    place, _, number = path.partition(".")
    if not module.startswith("minibert.checks.") or not number.isdecimal():
        raise ValueError(f"candidate {name!r}: the form is minibert.checks.MODULE:TUPLE.NUMBER")
    function = named(f"{module}:{place}")[int(number)].function

    def version(*args, **kwargs):
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)
    return version


def by_name(test: Callable) -> Callable:
    """Decorator of a student's test: called with a list of names, it returns the verdict on each version.

    Called with a function, it runs the test itself; called with None, it says why asserts can never fail.
    """
    @functools.wraps(test)
    def tests(versions):
        if versions is None:
            return never_fails.weaknesses(test)
        return test(versions) if callable(versions) else [verdict(test, candidate(name)) for name in versions]
    return tests


def verdict(test: Callable, function: Callable) -> str:
    """ACCEPTED if test(function) passes, RETURNED if it returns a value, otherwise its error as text."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return ACCEPTED if test(function) is None else RETURNED
    except (NotImplementedError, CheckFailed):
        raise
    except Exception as error:
        return f"{type(error).__name__}: {first_line(error) or line_of(error, test)}".removesuffix(": ")


def first_line(error: BaseException) -> str:
    """The first line of an error's message."""
    return str(error).split("\n")[0]


def line_of(error: BaseException, test: Callable) -> str:
    """The line of the student's test at which `error` was raised, such as an `assert`."""
    own = [frame.line for frame in traceback.extract_tb(error.__traceback__)
           if frame.filename == test.__code__.co_filename]
    return (own[-1] or "") if own else ""


def asked(test: Callable, names: Iterable[str]) -> Sequence[str]:
    """The test's verdicts on the versions called `names`; raises CheckFailed if there are none."""
    names = list(names)
    try:
        said = test(names)
    except NotImplementedError:
        raise
    except Exception as error:
        if isinstance(error, CheckFailed) and not error.error:      # with an error, it is a crash of the test
            raise
        said = None
    if not isinstance(said, (list, tuple)) or len(said) != len(names):
        raise CheckFailed("your test cannot be tried. Leave the line `@by_name` right above its `def`.")
    if RETURNED in said:
        raise CheckFailed("your test returns a value. A test says nothing when all is well, and stops at an "
                          "`assert` when it is not.")
    return said


def accepts(names: Iterable[str], versions: Sequence[Version]) -> Callable:
    """Build the `holds` of an invariant: the test accepts every one of the right `versions`."""
    def holds(test, rng):
        __tracebackhide__ = True
        for said, version in zip(asked(test, names), versions, strict=True):
            if said != ACCEPTED:
                return f"your test rejects a right version, {version.words}. It stops at: {said}."
        return True
    return holds


def catches(names: Iterable[str], versions: Sequence[Version]) -> Callable:
    """Build the `holds` of an invariant: the test accepts none of the wrong `versions`."""
    def holds(test, rng):
        __tracebackhide__ = True
        missed = [v for said, v in zip(asked(test, names), versions, strict=True) if said == ACCEPTED]
        return not missed or (f"your test catches {len(versions) - len(missed)} of {len(versions)} wrong "
                              f"versions. It lets one pass that {missed[0].words}.{why_missed(test)}")
    return holds


def why_missed(test: Callable) -> str:
    """What can be said of asserts that can never fail, as further sentences; empty if there are none."""
    try:
        return never_fails.told(test(None))
    except Exception:       # whatever a decorator of the student's own does
        return ""


@dataclass(frozen=True)
class StudentTest(Exercise):
    """The check of a test that `by_name` decorates.

    more: invariants that are tried only after the student has handed in. right, wrong: names of the versions
    that the test should accept and reject, for partial credit.
    """

    more: tuple = ()
    right: tuple = ()
    wrong: tuple = ()

    def tried(self, hidden: bool) -> tuple[Invariant, ...]:
        """The invariants that a check tries, with `more` if it is hidden."""
        return self.invariants + (self.more if hidden else ())

    def _share(self, answer, seed, hidden):
        """The share of wrong versions that the test catches; 0 for a test that rejects a right version."""
        test = self._guarded(answer, hidden)
        try:
            fair = all(said == ACCEPTED for said in asked(test, self.right))
            return np.mean([said != ACCEPTED for said in asked(test, self.wrong)]) if fair else 0.0
        except Exception:
            return 0.0


def student_test(name: str, parameters: tuple[str, ...], module: ModuleType, hints: tuple[str, ...],
                 right: str = "RIGHT", wrong: str = "WRONG", more: str = "MORE") -> StudentTest:
    """Build the check of the test `name`; `module` holds its Versions in three tuples of these names.

    Each of `right` must be accepted, each of `wrong` rejected, and after handing in each of `more` too.
    """
    versions = {tuple_: getattr(module, tuple_) for tuple_ in (right, wrong, more)}
    names = {tuple_: tuple(f"{module.__name__}:{tuple_}.{i}" for i in range(len(versions[tuple_])))
             for tuple_ in versions}

    def caught(tuple_, words):
        return Invariant(words.format(len(versions[tuple_])), catches(names[tuple_], versions[tuple_]))
    return StudentTest(
        name, parameters, lambda rng: [], hints=hints, right=names[right], wrong=names[wrong],
        more=(caught(more, "catches {} more wrong versions"),), invariants=(
            Invariant(f"accepts {len(versions[right])} right versions",
                      accepts(names[right], versions[right])),
            caught(wrong, "catches {} wrong versions")))
