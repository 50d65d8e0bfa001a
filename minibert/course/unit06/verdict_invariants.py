"""Check `opposite_verdicts`, labels for which accuracy and Matthews' correlation prefer different models."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minibert.course.unit06.definitions import matthews_correlation

from ..checks.compare import as_array, is_list
from ..checks.exercise import Invariant

LEAST = 20  # the minimum number of examples
GAP = 0.1  # the minimum difference by each score
ROUNDING = 1e-9  # 0.9 - 0.8 is a little less than 0.1


def sides_of(given: Any) -> list[np.ndarray]:
    """Return the items of a tuple, list or array as arrays, or an empty list for any other value."""
    return [as_array(side) for side in given] if is_list(given) else []


def three_lists(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the answer consists of three equally long lists of 0 and 1, else an error message."""
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
            f"the three lists have {len(gold)}, {len(first)} and {len(second)} items; "
            "they must be equally long."
        )
    if len(gold) < LEAST:
        return f"there are {len(gold)} examples; use at least {LEAST}."
    return all(np.isin(side, (0, 1)).all() for side in sides) or "each label must be 0 or 1."


def judged(score: Callable, better: int, worse: int) -> Callable:
    """Return a check that one list of predictions has a clearly higher score than the other.

    score: a function of gold labels and predictions. better, worse: which list should score higher and which
    lower; 1 is the first and 2 the second. The check returns True or a message.
    """

    def holds(answer, rng):
        __tracebackhide__ = True
        given, names = sides_of(answer()), ("gold", "first", "second")
        high, low = (score(given[0], given[i]) for i in (better, worse))
        return high - low > GAP - ROUNDING or (
            f"by {score.__name__}, `{names[better]}` has {high:.2f} and `{names[worse]}` has {low:.2f}; the "
            f"first of these should be higher by at least {GAP}."
        )

    return holds


def accuracy(gold: Sequence[int], predicted: Sequence[int]) -> float:
    return float(np.mean(np.asarray(gold) == np.asarray(predicted)))


def matthews(gold: Sequence[int], predicted: Sequence[int]) -> float:
    return matthews_correlation(gold, predicted)


VERDICTS = (
    Invariant("there are three lists of 0 and 1, equally long", three_lists),
    Invariant("by accuracy, the first answers are better", judged(accuracy, 1, 2)),
    Invariant("by Matthews, the second answers are better", judged(matthews, 2, 1)),
)
