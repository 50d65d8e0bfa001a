"""Known mistakes: small wrong implementations, alone or two at a time, recognised by their results."""
import contextlib
import copy
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .compare import agree
from .guard import quiet

ELSEWHERE = " (For some other inputs yours does that right.)"


@dataclass(frozen=True)
class Mistake:
    """A known mistake: `function` makes it, and `hint` tells the student about it."""

    hint: str
    function: Callable


def pairs(factory: Callable, *switches: tuple[dict[str, Any], str]) -> tuple[Mistake, ...]:
    """Combine single mistakes into Mistakes that make two of them at once.

    factory(**pieces) builds the implementation with these pieces replaced; a switch is (pieces, a clause that
    says what is wrong). Two switches that replace the same piece make no pair.

    >>> def power(base=2, sign=1):
    ...     return lambda x: sign * base ** x
    >>> both, = pairs(power, (dict(base=10), "the base is 10"), (dict(sign=-1), "the sign is flipped"))
    >>> both.hint, both.function(3)
    ('two mistakes at once: the base is 10; and the sign is flipped.', -1000)
    """
    return tuple(Mistake(f"two mistakes at once: {first}; and {second}.", factory(**a, **b))
                 for (a, first), (b, second) in itertools.combinations(switches, 2)
                 if not a.keys() & b.keys())


def result(function: Callable, case: tuple) -> Any:
    """Call `function` silently on a copy of `case` and return its result, or None if it crashes."""
    with contextlib.suppress(Exception), quiet(True):
        return function(*copy.deepcopy(case))


def equals(got: Any, mistake: Mistake, case: tuple, atol: float = 0.0, crashed: bool = False) -> bool:
    """True if the mistake gives the result `got` on `case`; `crashed` if it crashes."""
    wrong = result(mistake.function, case)
    return crashed if wrong is None else got is not None and agree(got, wrong, atol)


def recognised(mistakes: Sequence[Mistake], got: Any, case: tuple, answer: Callable | None = None,
               reference: Callable | None = None, others: Sequence[tuple] = (), atol: float = 0.0) -> str:
    """The hint of the first mistake that gives `got` on `case`, or an empty string.

    With an `answer` and the `reference`, the `others`, further cases, have a say. First comes a mistake that
    would show in none that the answer gets right, then one that gives all of the answer's wrong results, so
    that of two mistakes at once both are named. Where each would show elsewhere, the hint says so.
    """
    fitting = [mistake for mistake in mistakes if equals(got, mistake, case, atol)]
    if not fitting or answer is None or reference is None:
        return fitting[0].hint if fitting else ""
    given = [(other, value, agree(value, result(reference, other), atol))
             for other in others for value in [result(answer, other)] if value is not None]

    def against(mistake):
        """Whether (a right, a wrong) result of the answer is not the mistake's."""
        return [any(right == wanted and not equals(value, mistake, other, atol, crashed=right)
                    for other, value, right in given) for wanted in (True, False)]
    best = min(fitting, key=against)
    return best.hint + (ELSEWHERE if against(best)[0] else "")


def recognised_crash(mistakes: Iterable[Mistake], error: Exception, case: tuple) -> str:
    """The hint of the first mistake that raises an error of the same type and text, or an empty string."""
    for mistake in mistakes:
        try:
            with quiet(True):
                mistake.function(*copy.deepcopy(case))
        except Exception as other:
            if (type(other).__name__, str(other)) == (type(error).__name__, str(error)):
                return mistake.hint
    return ""
