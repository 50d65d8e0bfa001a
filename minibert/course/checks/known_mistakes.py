"""Recognise common mistakes by comparing their results with the results of the student's function."""

import contextlib
import copy
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .compare import agree
from .guard import quiet
from .records import Mistake

ELSEWHERE = " (For some other inputs, your function gets this right.)"


def pairs(factory: Callable, *switches: tuple[dict[str, Any], str]) -> tuple[Mistake, ...]:
    """Combine every two of the given mistakes, and return one Mistake for each pair.

    factory(**pieces): builds the function with these pieces replaced. switches: the single mistakes, as
    (pieces, clause that describes what is wrong). Two mistakes that replace the same piece are not combined.

    >>> def power(base=2, sign=1):
    ...     return lambda x: sign * base ** x
    >>> both, = pairs(power, (dict(base=10), "the base is 10"), (dict(sign=-1), "the sign is flipped"))
    >>> both.hint, both.function(3)
    ('two mistakes at once: the base is 10; and the sign is flipped.', -1000)
    """
    return tuple(
        Mistake(f"two mistakes at once: {first}; and {second}.", factory(**a, **b))
        for (a, first), (b, second) in itertools.combinations(switches, 2)
        if not a.keys() & b.keys()
    )


def result(function: Callable, case: tuple) -> Any:
    """Return `function(*case)` for a copy of `case`, without warnings, or None if it raises an error."""
    with contextlib.suppress(Exception), quiet(True):
        return function(*copy.deepcopy(case))


def equals(got: Any, mistake: Mistake, case: tuple, atol: float = 0.0, crashed: bool = False) -> bool:
    """Return True if a known mistake gives the result `got` on the arguments `case`.

    crashed: the value to return if the mistake raises an error.
    """
    wrong = result(mistake.function, case)
    return crashed if wrong is None else got is not None and agree(got, wrong, atol)


def recognised(
    mistakes: Sequence[Mistake],
    got: Any,
    case: tuple,
    answer: Callable | None = None,
    reference: Callable | None = None,
    before: Sequence[tuple] = (),
    after: Sequence[tuple] = (),
    atol: float = 0.0,
) -> str:
    """Return the hint of the known mistake that best explains a wrong result, or an empty string.

    got, case: the wrong result and its arguments. before: arguments for which the student's function is
    right; a mistake that is wrong for one of them is used only if no other fits, and its hint then mentions
    this. after: other arguments; a mistake that agrees with the student's function on all of them is
    preferred, because a single result may show only one of two mistakes made together.
    """
    fitting = [mistake for mistake in mistakes if equals(got, mistake, case, atol)]
    if not fitting or reference is None:
        return fitting[0].hint if fitting else ""
    right = [(one, result(reference, one)) for one in before]
    given = [(one, result(answer, one)) for one in after] if answer and len(fitting) > 1 else []

    def against(mistake):
        return [
            not all(equals(value, mistake, one, atol, crashed=True) for one, value in right),
            not all(equals(value, mistake, one, atol) for one, value in given if value is not None),
        ]

    ranked = [(against(mistake), mistake.hint) for mistake in fitting]
    (elsewhere, _), hint = min(ranked, key=lambda pair: pair[0])
    return hint + (ELSEWHERE if elsewhere else "")


def recognised_crash(mistakes: Iterable[Mistake], error: Exception, case: tuple) -> str:
    """Return the hint of the first mistake that raises an error of the same type and text, or ""."""
    for mistake in mistakes:
        try:
            with quiet(True):
                mistake.function(*copy.deepcopy(case))
        except Exception as other:
            if (type(other).__name__, str(other)) == (type(error).__name__, str(error)):
                return mistake.hint
    return ""
