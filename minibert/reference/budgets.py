"""What a budget of fine-tuning runs buys: the best of k runs, and runs that are stopped early.

Dodge et al. (2019, arXiv 1909.03004), section 3, the expected best of k runs; Dodge et al. (2020, arXiv
2002.06305), section 5, start many, stop early, continue some. `minibert.finetuning.early_stopping` tries both
on tables of real runs. Axes: N runs, E evaluations of a run, evenly spaced and the last one at its end.
"""
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Number = TypeVar("Number", float, np.ndarray)


def expected_maximum(scores: Sequence[float] | np.ndarray, k: int) -> tuple[float, float]:
    """Return mean and variance of the best of k scores that are drawn from N scores, with replacement.

    scores: (N,), one for each run. k: at least 1, may be larger than N. The best of k draws is at most v
    where all k of them are, which has the probability (share of scores that are at most v) ** k. Raises
    ValueError for no scores or a k below 1.

    >>> expected_maximum([70.0, 90.0], 2)       # 70 and 70 once in four times, else 90
    (85.0, 75.0)
    """
    ordered = np.sort(np.asarray(scores, float))                                # (N,)
    if ordered.ndim != 1 or not len(ordered):
        raise ValueError(f"scores of shape {ordered.shape}: they must be (N,), with N above 0")
    if k < 1:
        raise ValueError(f"the best of k={k} runs: k must be at least 1")
    at_most = (np.arange(len(ordered) + 1) / len(ordered)) ** k                 # (N + 1,)
    chance = np.diff(at_most)                                                   # (N,), of each to be the best
    mean = chance @ ordered
    return float(mean), float(chance @ (ordered - mean) ** 2)


def stopping_cost(t: int, f: Number, p: int, s: float) -> Number:
    """Return the steps of t runs that are started, of which p are continued after the share f of s steps.

    s: the steps of a full run. f: 0 to 1, or an array of such shares, each with its own cost. (t f + p (1 -
    f)) s: all t runs take their first f s steps, and p of them take the other (1 - f) s.

    >>> stopping_cost(20, 0.25, 5, 1000)        # as many steps as 8.75 full runs
    8750.0
    """
    return (t * f + p * (1 - f)) * s


def successive_stopping(curves: np.ndarray, t: int, f: float, p: int) -> tuple[np.ndarray, int]:
    """Start t runs, keep the best p after the share f of their training, and choose the best of these.

    curves: (N, E), the validation score of each run at each evaluation; runs 0 to t - 1 are started. They are
    compared at evaluation number f E, counted from 1, which must be a whole number (up to rounding). Returns
    (kept, best): the runs that are continued, (p,) int, the best at that time first, and the one of them with
    the highest last score. Of equal scores at that time the lower number comes first; of equal last scores
    the run that comes first in kept is the best. Raises ValueError unless 1 <= p <= t <= N and f E is a whole
    number from 1 to E.

    >>> curves = np.array([[60.0, 80.0], [70.0, 75.0], [65.0, 85.0]])
    >>> kept, best = successive_stopping(curves, t=3, f=0.5, p=2)
    >>> kept.tolist(), best                     # run 2 overtakes run 1; run 0 is never seen again
    ([1, 2], 2)
    """
    N, E = curves.shape
    if not 1 <= p <= t <= N:
        raise ValueError(f"p={p} of t={t} runs, and {N} in the table: 1 <= p <= t <= N must hold")
    stop = round(f * E)
    if not 1 <= stop <= E or abs(stop - f * E) > 1e-6:
        raise ValueError(f"f={f} of {E} evaluations is number {f * E:g}: it must be one of 1 to {E}")
    kept = np.argsort(-curves[:t, stop - 1], kind="stable")[:p]                 # (p,)
    return kept, int(kept[curves[kept, -1].argmax()])
