"""Known mistakes about the size of logits, for `mlm_loss` and `nsp_loss`: exp overflows, or a log of 0.

log_softmax of any logits needs each position's own largest logit subtracted (Blanchard, Higham and Higham
2021, arXiv 1909.03469); each mistake here does something else, and is right for logits of one size only.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake
from .loss_mistakes import log_softmax, mean, of_picked, picked


def unstable(logits: np.ndarray, labels: np.ndarray) -> float:
    exps = np.exp(logits)
    return -np.log(picked(exps / exps.sum(-1, keepdims=True), labels)).mean()


def shifted_but_logged(logits: np.ndarray, labels: np.ndarray) -> float:
    return -np.log(np.exp(picked(log_softmax(logits), labels))).mean()


def padded(eps: float) -> Callable:
    return lambda logits, labels: -np.log(np.exp(picked(log_softmax(logits), labels)) + eps).mean()


def floored(eps: float) -> Callable:
    return lambda logits, labels: -np.log(np.maximum(np.exp(picked(log_softmax(logits), labels)), eps)).mean()


def after(change: Callable) -> Callable:
    """Build a loss that computes log(exp / sum of exp) of change(logits), without another shift."""

    def scores(logits):
        changed = change(logits)
        return changed - np.log(np.exp(changed).sum(-1, keepdims=True))

    return of_picked(mean, scores)


def shifted(amount: Callable) -> Callable:
    """Build a loss that subtracts amount(logits), which should be each position's largest logit."""
    return after(lambda logits: logits - amount(logits))


def top(logits: np.ndarray) -> np.ndarray:
    return logits.max(-1, keepdims=True)


def only_above(limit: float) -> Callable:
    """Build the amounts to subtract: each position's largest logit, where it is above the limit."""
    return lambda logits: np.where(top(logits) > limit, top(logits), 0)


def only_if_any_above(limit: float) -> Callable:
    return lambda logits: top(logits) if logits.max() > limit else 0


LIMITS = (0, 10, 20, 30, 50, 80, 88, 100, 200, 300, 500, 600, 700, 709, 710, 999, 1000)
BOUNDS = (20, 30, 50, 88, 100, 300, 500, 700, 709, 745, 1000, 1e4, 1e5)
OVERFLOW = (
    "nan: np.exp overflows for large logits. First subtract the largest logit of each position, "
    "`logits - logits.max(axis=-1, keepdims=True)`: that changes no probability."
)
UNDERFLOW = (
    "inf: the exp of a large number is inf, and the log of a probability that was rounded to 0 is "
    "-inf. "
    "Subtract each position's own largest logit first, and make no probabilities: "
    "log p = logit - log(sum of exp(logits))."
)
SMALL = (
    "a small number added to p, or a floor under it, hides very unlikely words: their loss stops "
    "growing. Without probabilities there is nothing to hide: log p = logit - log(sum of exp(logits))."
)
ONE = (
    "one number is subtracted everywhere. Where all logits of a position are far below it, each exp is "
    "rounded to 0. Each position has a largest logit of its own: max(axis=-1, keepdims=True)."
)
SOMETIMES = (
    "the largest logit is subtracted only where it is large. Logits may be very negative too, and "
    "then "
    "each exp is rounded to 0: subtract it always; that changes no probability."
)
CLIPPED = (
    "the logits are cut off at a bound, so that larger differences do not count. Nothing has to be "
    "cut "
    "once each position's largest logit is subtracted, for exp of a very negative number is simply 0."
)
STABILITY = (
    Mistake(OVERFLOW, unstable),
    Mistake(UNDERFLOW, shifted_but_logged),
    Mistake(ONE, shifted(lambda logits: logits.max())),
    *(
        Mistake(SOMETIMES, shifted(amount(limit)))
        for limit in LIMITS
        for amount in (only_above, only_if_any_above)
    ),
    Mistake(
        "the mean of the logits is subtracted. One logit can be far above it, and its exp overflows: "
        "subtract the largest.",
        shifted(lambda logits: logits.mean(-1, keepdims=True)),
    ),
    Mistake(
        "the smallest logit is subtracted, which makes the largest even larger. Subtract the largest.",
        shifted(lambda logits: logits.min(-1, keepdims=True)),
    ),
    Mistake(
        "the largest absolute value is subtracted. For negative logits that is too much, and each exp is "
        "rounded to 0: subtract the largest logit, with its sign.",
        shifted(lambda logits: np.abs(logits).max(-1, keepdims=True)),
    ),
    Mistake(
        "the maximum of other positions is subtracted. Each position has a largest logit of its own, "
        "over "
        "the last axis: max(axis=-1, keepdims=True).",
        shifted(lambda logits: logits.max(0, keepdims=True)),
    ),
    *(
        Mistake(
            "the loss of a position has a largest value in your answer. It has none: the less likely the "
            "label, "
            "the larger the loss.",
            of_picked(lambda values, labels, bound=bound: -np.maximum(values, -bound).mean()),
        )
        for bound in BOUNDS
    ),
    *(
        Mistake(CLIPPED, after(lambda logits, bound=bound: np.clip(logits, -bound, bound)))
        for bound in BOUNDS
    ),
    *(
        Mistake(CLIPPED, after(lambda logits, bound=bound: np.maximum(logits - top(logits), -bound)))
        for bound in BOUNDS
    ),
    *(
        Mistake(SMALL, wrong(eps))
        for wrong in (padded, floored)
        for eps in (1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6)
    ),
)
