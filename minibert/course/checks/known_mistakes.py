"""Recognise common mistakes by comparing their results with the results of the student's function."""

import contextlib
import copy
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from .compare import agree, finite
from .guard import quiet
from .records import Mistake

TOGETHER = "two mistakes at once: "


Results = Iterable[tuple[tuple, Any]]  # (arguments, the student's result, or None if it raises an error)


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
        Mistake(f"{TOGETHER}{first}; and {second}.", factory(**a, **b))
        for (a, first), (b, second) in itertools.combinations(switches, 2)
        if not a.keys() & b.keys()
    )


def result(function: Callable, case: tuple) -> Any:
    """Return `function(*case)` for a copy of `case`, without warnings, or None if it raises an error."""
    with contextlib.suppress(Exception), quiet(True):
        return function(*copy.deepcopy(case))


def equals(got: Any, mistake: Mistake, case: tuple, atol: float = 0.0) -> bool:
    """Return True if a known mistake gives the result `got` on the arguments `case`."""
    wrong = result(mistake.function, case)
    return got is not None and wrong is not None and agree(got, wrong, atol)


def contradicts(got: Any, mistake: Mistake, case: tuple, atol: float = 0.0) -> bool:
    """Return True if a known mistake has another result than `got` on the arguments `case`.

    An error of the student's function, where `got` is None, says nothing; nor does a result of the mistake
    that is not finite, or an error of it where `got` is not finite.
    """
    wrong = result(mistake.function, case)
    if got is None or wrong is None:
        return got is not None and finite(got)
    return finite(wrong) and not agree(got, wrong, atol)


def recognised(
    mistakes: Iterable[Mistake], got: Any, case: tuple, others: Results = (), atol: float = 0.0
) -> str:
    """Return the hint of the only known mistake that explains all results of a student's function, or "".

    got, case: the wrong result and its arguments. others: (arguments, result) for other inputs.
    """
    return only_hint([mistake for mistake in mistakes if equals(got, mistake, case, atol)], others, atol)


def recognised_crash(mistakes: Iterable[Mistake], error: Exception, case: tuple, others: Results = ()) -> str:
    """Return the hint of the only known mistake that raises an error of the same type and text, or "".

    case: the arguments. others: (arguments, result) for other inputs, which it must also explain.
    """
    raised = type(error).__name__, str(error)
    return only_hint([mistake for mistake in mistakes if error_of(mistake, case) == raised], others)


def only_hint(fitting: list[Mistake], others: Results = (), atol: float = 0.0) -> str:
    """Return the hint that all mistakes in `fitting` share which explain the other results, too, or "".

    A mistake that has these results is preferred to one that only does not contradict them, and a single
    mistake to two mistakes at once.
    """
    exact = fitting
    for case, got in others if fitting else ():
        fitting = [mistake for mistake in fitting if not contradicts(got, mistake, case, atol)]
        exact = [mistake for mistake in exact if got is None or equals(got, mistake, case, atol)]
    hints = dict.fromkeys(mistake.hint for mistake in exact or fitting)
    likely = [hint for hint in hints if not hint.startswith(TOGETHER)] or [*hints]
    return likely[0] if len(likely) == 1 else ""


def error_of(mistake: Mistake, case: tuple) -> tuple[str, str] | None:
    """Return the type and the text of the error that a known mistake raises, or None."""
    try:
        with quiet(True):
            mistake.function(*copy.deepcopy(case))
    except Exception as error:
        return type(error).__name__, str(error)
    return None
