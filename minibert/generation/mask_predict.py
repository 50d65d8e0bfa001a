"""Mask-Predict: fill all masks at once, then mask the least certain tokens again, fewer in each iteration.

Ghazvininejad et al. (2019, arXiv 1904.09324), section 3. A text needs a constant number of iterations, while
`write_left_to_right` and `gibbs` need one per token.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .sampling import LogProbs


class Iteration(NamedTuple):
    """An iteration: the masked tokens (N, T) bool, the texts (N, T) after it, their log probs (N, T)."""

    masked: np.ndarray
    ids: np.ndarray
    certainty: np.ndarray


def number_masked(n: int, t: int, iterations: int) -> int:
    """Return how many of n tokens are masked in iteration t of `iterations`, from all to few (linear decay).

    >>> [number_masked(12, t, 3) for t in range(3)]
    [12, 8, 4]
    """
    return n * (iterations - t) // iterations


def most_likely(log_probs: np.ndarray) -> np.ndarray:
    """Return the most probable token at each position: (..., V) -> (...)."""
    return log_probs.argmax(-1)


def mask_predict(
    ids: np.ndarray,
    free: np.ndarray,
    log_probs: LogProbs,
    mask: int,
    iterations: int,
    choose: Callable[[np.ndarray], np.ndarray] = most_likely,
) -> list[Iteration]:
    """Write the free positions (T,) bool of texts (N, T), and return every iteration.

    In each iteration, the masked tokens are chosen at once, and their probabilities are kept as their
    certainty. The other tokens and their certainties stay, so only the least certain ones are masked again.
    choose: maps log probabilities to tokens; `partial(sample, rng=rng)` draws, which gives different texts.
    """
    positions, rows = np.flatnonzero(free), np.arange(len(ids))[:, None]
    certainty = np.where(free, -np.inf, 0.0) + np.zeros(ids.shape)  # (N, T)
    found = []
    for t in range(iterations):
        order = certainty[:, positions].argsort(1, kind="stable")  # (N, P), least certain first
        again = positions[order[:, : number_masked(len(positions), t, iterations)]]
        masked = np.zeros(ids.shape, bool)
        masked[rows, again] = True
        logs = log_probs(np.where(masked, mask, ids))  # (N, T, V)
        ids = np.where(masked, choose(logs), ids)
        chosen = np.take_along_axis(logs, ids[..., None], -1)[..., 0]  # (N, T)
        certainty = np.where(masked, chosen, certainty)
        found.append(Iteration(masked, ids, certainty))
    return found


def best_length(candidates: Sequence[Iteration], free: Sequence[np.ndarray]) -> np.ndarray:
    """Return for each of N texts which candidate length has the highest mean certainty, (N,).

    candidates: the last iteration for each length, as in section 3.3. free: their free positions.
    """
    # paper: a [LENGTH] token predicts the candidates; here the caller names them
    return np.argmax([one.certainty[:, f].mean(1) for one, f in zip(candidates, free)], axis=0)
