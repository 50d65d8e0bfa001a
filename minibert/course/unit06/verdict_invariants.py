"""Invariants of `opposite_verdicts`: accuracy and Matthews' correlation prefer different predictions."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minibert.course.unit06.definitions import matthews_correlation

from ..checks.compare import as_array, is_list
from ..checks.exercise import Invariant

LEAST = 20  # examples of the two judges
GAP = 0.1  # how clearly each of them must decide
ROUNDING = 1e-9  # 0.9 - 0.8 is a little less than 0.1


def sides_of(given: Any) -> list[np.ndarray]:
    """gold, first and second as arrays, from whatever holds three of them: a tuple, a list, an array."""
    return [as_array(side) for side in given] if is_list(given) else []


def three_lists(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: three equally long lists of 0 and 1."""
    __tracebackhide__ = True
    sides = sides_of(answer())
    if len(sides) != 3:
        return "it should return three lists: gold, first, second."
    gold, first, second = sides
    odd = next((side for side in sides if side.ndim != 1), None)
    if odd is not None:
        return f"it should return three lists of 0 and 1; one of yours has the shape {odd.shape}."
    if not len(gold) == len(first) == len(second):
        return (
            f"the three lists have {len(gold)}, {len(first)} and {len(second)} items; they must be "
            f"equally "
            "long."
        )
    if len(gold) < LEAST:
        return f"there are {len(gold)} examples; take at least {LEAST}."
    return all(np.isin(side, (0, 1)).all() for side in sides) or "a label is 0 or 1, nothing else."


def judged(score: Callable, better: int, worse: int) -> Callable:
    """Build the `holds` that by `score`, one list of predictions is clearly better.

    better, worse: 1 for first, 2 for second.
    """

    def holds(answer, rng):
        __tracebackhide__ = True
        given, names = sides_of(answer()), ("gold", "first", "second")
        high, low = (score(given[0], given[i]) for i in (better, worse))
        return high - low > GAP - ROUNDING or (
            f"by {score.__name__}, `{names[better]}` has {high:.2f} and "
            f"`{names[worse]}` {low:.2f}; the former should be higher by "
            f"at least {GAP}."
        )

    return holds


def accuracy(gold: Sequence[int], predicted: Sequence[int]) -> float:
    return float(np.mean(np.asarray(gold) == np.asarray(predicted)))


def matthews(gold: Sequence[int], predicted: Sequence[int]) -> float:
    return matthews_correlation(gold, predicted)


VERDICTS = (
    Invariant("three lists of 0 and 1, equally long", three_lists),
    Invariant("by accuracy, the first answers are better", judged(accuracy, 1, 2)),
    Invariant("by Matthews, the second answers are better", judged(matthews, 2, 1)),
)
