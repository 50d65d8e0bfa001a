"""Define adapters, and rules for choosing among many fine-tuning runs, in NumPy.

A bottleneck with a skip connection: Houlsby et al. (2019, arXiv 1902.00751), section 2.1. LoRA, merged into
the weights: Hu et al. (2022, arXiv 2106.09685), section 4.1. Learning rates by layer: Sun et al. (2019, arXiv
1905.05583). The expected best of k runs: Dodge et al. (2019, arXiv 1909.03004), section 3. Starting many
runs, stopping early and continuing some: Dodge et al. (2020, arXiv 2002.06305), section 5. Axes: D hidden, M
bottleneck, R rank, N runs, E evaluations of a run, evenly spaced, the last one at its end.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from minibert.reference.encoder import gelu, linear

Arrays = dict[str, np.ndarray]
STD = 0.01  # standard deviation of an adapter's initial weights; Houlsby et al., section 3.6
# paper: the normal distribution is truncated at 2 std


def adapter_weights(hidden_size: int, bottleneck: int, rng: np.random.Generator) -> Arrays:
    """Return initial weights for an adapter, so small that the adapter changes almost nothing.

    The arrays are "down.weight" (M, D), "down.bias" (M,), "up.weight" (D, M) and "up.bias" (D,).
    """
    D, M = hidden_size, bottleneck
    return {
        "down.weight": rng.normal(0, STD, (M, D)),
        "down.bias": np.zeros(M),
        "up.weight": rng.normal(0, STD, (D, M)),
        "up.bias": np.zeros(D),
    }


def adapter(hidden: np.ndarray, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return hidden (..., D) plus the output of a bottleneck: reduce to M numbers, apply GELU, expand to D.

    weights: as returned by `adapter_weights`.
    """
    down, up = ({part: weights[f"{way}.{part}"] for part in ("weight", "bias")} for way in ("down", "up"))
    return hidden + linear(gelu(linear(hidden, down)), up)  # (..., M) -> (..., D)


def lora_merge(
    weights: Mapping[str, np.ndarray], adapters: Mapping[str, Mapping[str, np.ndarray]], alpha: float
) -> Arrays:
    """Return the weights with LoRA's products added: W + (alpha / R) B A.

    weights: a dict that maps names to arrays, among them matrices (out, in). adapters: a dict that maps names
    of matrices to dicts with "a", (R, in), and "b", (out, R); their ranks R may differ. Returns new weights;
    a weight without an adapter is only copied. Raises ValueError if there is no matrix with an adapter's
    name, or if its shape is not the shape of B A.

    >>> merged = lora_merge({"query": np.eye(2)}, {"query": {"a": np.array([[1.0, 0.0]]),
    ...                                                     "b": np.array([[0.0], [3.0]])}}, alpha=2.0)
    >>> merged["query"].tolist()
    [[1.0, 0.0], [6.0, 1.0]]
    """
    merged = {name: array.copy() for name, array in weights.items()}
    for name, pair in adapters.items():
        change = pair["b"] @ pair["a"]  # (out, in)
        if name not in merged or merged[name].shape != change.shape:
            there = f"have shape {merged[name].shape}" if name in merged else "are missing"
            raise ValueError(f"{name}: the adapter has shape {change.shape}, but the weights {there}")
        merged[name] = merged[name] + alpha / len(pair["a"]) * change
    return merged


def layer_rates(layers: int, peak: float, decay: float) -> list[float]:
    """Return the learning rates of the embeddings, of layers 1 to `layers`, and of the head.

    The head and the top layer have `peak`, and each lower layer has `decay` times the learning rate of the
    layer above it; the embeddings count as the layer below the first. Raises ValueError for a decay
    outside (0, 1].

    >>> layer_rates(2, 8.0, 0.5)                # embeddings, layer 1, layer 2, head
    [2.0, 4.0, 8.0, 8.0]
    """
    if not 0 < decay <= 1:
        raise ValueError(f"decay={decay} must be above 0 and at most 1")
    return [peak * decay**depth for depth in range(layers, -1, -1)] + [peak]


Number = TypeVar("Number", float, np.ndarray)


def expected_maximum(scores: Sequence[float] | np.ndarray, k: int) -> tuple[float, float]:
    """Return the mean and variance of the best of k scores drawn with replacement from N scores.

    scores: (N,), one for each run. k: at least 1; it may be larger than N. The best of k draws is at most v
    if all draws are, which has the probability (share of scores that are at most v) ** k. Raises ValueError
    if there are no scores or k is below 1.

    >>> expected_maximum([70.0, 90.0], 2)       # 70 and 70 once in four times, else 90
    (85.0, 75.0)
    """
    ordered = np.sort(np.asarray(scores, float))  # (N,)
    if ordered.ndim != 1 or not len(ordered):
        raise ValueError(
            f"the scores have shape {ordered.shape}, but must have shape (N,), with N at least 1"
        )
    if k < 1:
        raise ValueError(f"k={k} must be at least 1")
    at_most = (np.arange(len(ordered) + 1) / len(ordered)) ** k  # (N + 1,)
    chance = np.diff(at_most)  # (N,), the probability that each score is the best
    mean = chance @ ordered
    return float(mean), float(chance @ (ordered - mean) ** 2)


def stopping_cost(t: int, f: Number, p: int, s: float) -> Number:
    """Return the total number of steps of t runs, of which p continue after the share f of their steps.

    s: the steps of a full run. f: from 0 to 1, or an array of such shares for multiple costs. The result is
    (t f + p (1 - f)) s: all t runs take their first f s steps, and p of them take the other (1 - f) s.

    >>> stopping_cost(20, 0.25, 5, 1000)        # as many steps as 8.75 full runs
    8750.0
    """
    return (t * f + p * (1 - f)) * s


def successive_stopping(curves: np.ndarray, t: int, f: float, p: int) -> tuple[np.ndarray, int]:
    """Start t runs, keep the best p after the share f of their training, and choose the best of them.

    curves: (N, E), the validation score of each run at each evaluation; runs 0 to t - 1 are started. They are
    compared at evaluation f E, counted from 1, which must be a whole number (up to rounding). Returns (kept,
    best): the runs that continue, (p,) int, in descending order of their scores at that time, and the one
    with the highest last score. If scores at that time are equal, the lower number comes first; if last
    scores are equal, the run that comes first in kept is the best. Raises ValueError unless 1 <= p <= t <= N
    and f E is a whole number from 1 to E.

    >>> curves = np.array([[60.0, 80.0], [70.0, 75.0], [65.0, 85.0]])
    >>> kept, best = successive_stopping(curves, t=3, f=0.5, p=2)
    >>> kept.tolist(), best                     # run 2 overtakes run 1; run 0 is never seen again
    ([1, 2], 2)
    """
    N, E = curves.shape
    if not 1 <= p <= t <= N:
        raise ValueError(f"p={p} and t={t} must satisfy 1 <= p <= t <= {N}, the number of runs in the table")
    stop = round(f * E)
    if not 1 <= stop <= E or abs(stop - f * E) > 1e-6:
        raise ValueError(
            f"f={f} times {E} evaluations is {f * E:g}, but must be a whole number from 1 to {E}"
        )
    kept = np.argsort(-curves[:t, stop - 1], kind="stable")[:p]  # (p,)
    return kept, int(kept[curves[kept, -1].argmax()])
