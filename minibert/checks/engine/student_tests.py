"""Tests that a student writes: they have to accept every right version of a function, and to catch wrong
ones.

Functions cannot cross into the process that grades, so versions are handed over by name: the decorator
`by_name` makes them beside the student's test, and sends back a verdict on each as text. See base.py for the
ladder that calls it.
"""
import contextlib
import functools
import io
import traceback
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .answer_protocol import named
from .exercise import Exercise, Invariant
from .guard import CheckFailed

ACCEPTED, RETURNED = "accepted", "returned"     # a verdict; any other is what the test raised


@dataclass(frozen=True)
class Version:
    """A version of the function to be tested. words: "a version that " and what it does, or how it is
    written.
    """

    words: str
    function: Callable


def candidate(name):
    """The function of the Version called "module:TUPLE.number", such as
    "minibert.checks.unit02.versions:WRONG.0".

    What is returned says nothing of where it comes from. Raises ValueError for a name that leads out of the
    package.
    """
    module, _, path = name.partition(":")
    place, _, number = path.partition(".")
    if not module.startswith("minibert.checks.") or not number.isdecimal():
        raise ValueError(f"candidate {name!r}: it is called minibert.checks.MODULE:TUPLE.NUMBER")
    function = named(f"{module}:{place}")[int(number)].function

    def version(*args, **kwargs):
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)
    return version


def by_name(test):
    """Decorator of a test: called with a list of names, it returns the verdict on each candidate, a list of
    text.
    """
    @functools.wraps(test)
    def tests(versions):
        return test(versions) if callable(versions) else [verdict(test, candidate(name)) for name in versions]
    return tests


def verdict(test, function):
    """ACCEPTED where test(function) ends quietly, RETURNED where it returns something, else what it raised,
    as text.
    """
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return ACCEPTED if test(function) is None else RETURNED
    except (NotImplementedError, CheckFailed):
        raise
    except Exception as error:
        return f"{type(error).__name__}: {first_line(error) or line_of(error, test)}".removesuffix(": ")


def first_line(error):
    return str(error).split("\n")[0]


def line_of(error, test):
    """The line of the student's test at which `error` was raised, such as its `assert`."""
    own = [frame.line for frame in traceback.extract_tb(error.__traceback__)
           if frame.filename == test.__code__.co_filename]
    return own[-1] if own else ""


def asked(test, names):
    """The test's verdicts on candidates; raises CheckFailed where it cannot be asked."""
    try:
        said = test(list(names))
    except NotImplementedError:
        raise
    except Exception as error:
        # with one, it stands for a crash after handing in
        if isinstance(error, CheckFailed) and not error.error:
            raise
        said = None
    if not isinstance(said, (list, tuple)) or len(said) != len(names):
        raise CheckFailed("your test cannot be tried. Leave the line `@by_name` right above its `def`.")
    if RETURNED in said:
        raise CheckFailed(
            "your test returns a value. A test says nothing when all is well, and stops at an `assert` "
                          "when it is not.")
    return said


def accepts(names, versions):
    """`holds`: every one of the right `versions` is accepted."""
    def holds(test, rng):
        __tracebackhide__ = True
        for said, version in zip(asked(test, names), versions, strict=True):
            if said != ACCEPTED:
                return f"your test rejects a right version, {version.words}. It stops at: {said}."
        return True
    return holds


def catches(names, versions):
    """`holds`: none of the wrong `versions` is accepted."""
    def holds(test, rng):
        __tracebackhide__ = True
        missed = [v for said, v in zip(asked(test, names), versions, strict=True) if said == ACCEPTED]
        return not missed or (
            f"your test catches {len(versions) - len(missed)} of {len(versions)} wrong versions. It "
                              f"lets one pass that {missed[0].words}.")
    return holds


@dataclass(frozen=True)
class StudentTest(Exercise):
    """The check of a test that `by_name` decorates; `more` invariants are tried after handing in only.

    right, wrong: names of the versions that it should accept and reject, for partial credit.
    """

    more: tuple = ()
    right: tuple = ()
    wrong: tuple = ()

    def tried(self, hidden):
        return self.invariants + (self.more if hidden else ())

    def _share(self, answer, seed, hidden):
        """The share of wrong versions that the test catches, 0 to 1; 0 for a test that rejects a right
        version.
        """
        test = self._guarded(answer, hidden)
        try:
            fair = all(said == ACCEPTED for said in asked(test, self.right))
            return np.mean([said != ACCEPTED for said in asked(test, self.wrong)]) if fair else 0.0
        except Exception:
            return 0.0


def student_test(name, parameters, module, hints, right="RIGHT", wrong="WRONG", more="MORE"):
    """The check of the test `name`; `module` holds its Versions in three tuples of these names.

    Each of `right` must be accepted, each of `wrong` rejected, and after handing in each of `more` too.
    """
    versions = {tuple_: getattr(module, tuple_) for tuple_ in (right, wrong, more)}
    names = {tuple_: [f"{module.__name__}:{tuple_}.{i}" for i in range(len(versions[tuple_]))]
             for tuple_ in versions}

    def caught(tuple_, words):
        return Invariant(words.format(len(versions[tuple_])), catches(names[tuple_], versions[tuple_]))
    return StudentTest(
        name, parameters, lambda rng: [], hints=hints, right=names[right], wrong=names[wrong],
        more=(caught(more, "catches {} more wrong versions"),), invariants=(
            Invariant(f"accepts {len(versions[right])} right versions",
                      accepts(names[right], versions[right])),
            caught(wrong, "catches {} wrong versions")))
