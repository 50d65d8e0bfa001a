"""The known mistakes of an exercise: small wrong implementations, alone and two at a time, that are
recognised by result.
"""
import contextlib
import copy
import itertools
from collections.abc import Callable
from dataclasses import dataclass

from .compare import agree
from .guard import quiet


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: `function` computes it, `hint` is what the student is told."""

    hint: str
    function: Callable


def pairs(factory, *switches):
    """Mistakes that are two mistakes at once, made of the pieces of one wrong implementation.

    factory(**pieces) is the implementation with these pieces replaced; a switch is (pieces, what is wrong in
    a clause). Two switches that replace the same piece make no pair.

    >>> def power(base=2, sign=1):
    ...     return lambda x: sign * base ** x
    >>> both, = pairs(power, (dict(base=10), "the base is 10"), (dict(sign=-1), "the sign is turned"))
    >>> both.hint, both.function(3)
    ('two mistakes at once: the base is 10; and the sign is turned.', -1000)
    """
    return tuple(Mistake(f"two mistakes at once: {first}; and {second}.", factory(**a, **b))
                 for (a, first), (b, second) in itertools.combinations(switches, 2)
                 if not a.keys() & b.keys())


def result(function, case):
    """What `function` gives on a copy of `case`, silently, or None where it crashes, as a wrong version
    may.
    """
    with contextlib.suppress(Exception), quiet(True):
        return function(*copy.deepcopy(case))


def equals(got, mistake, case):
    """True when the mistake gives `got` on `case`."""
    wrong = result(mistake.function, case)
    return wrong is not None and got is not None and agree(got, wrong)


def recognised(mistakes, got, case, answer=None, others=()):
    """The hint of the first mistake that gives `got` on `case`, or an empty string.

    Where several do, the first that also gives what `answer` gives on the `others`, further cases: so two
    mistakes at once are named both, though one input may show only the first.
    """
    fitting = [mistake for mistake in mistakes if equals(got, mistake, case)]
    if len(fitting) > 1 and answer is not None:
        given = [result(answer, other) for other in others]
        everywhere = [mistake for mistake in fitting
                      if all(equals(value, mistake, other) for value, other in zip(given, others, strict=True)
                             if value is not None)]
        fitting = everywhere or fitting
    return fitting[0].hint if fitting else ""


def recognised_crash(mistakes, error, case):
    """The hint of the first mistake that ends in the same error, by name and text, or an empty string."""
    for mistake in mistakes:
        try:
            with quiet(True):
                mistake.function(*copy.deepcopy(case))
        except Exception as other:
            if (type(other).__name__, str(other)) == (type(error).__name__, str(error)):
                return mistake.hint
    return ""
