"""Metropolis-Hastings: a masked conditional proposes a token, and a score of the text decides.

Goyal et al. (2022, arXiv 2106.02736). Unlike `gibbs`, the chain has a known distribution in the long run,
proportional to exp(score), even if the proposals are inconsistent with each other.
"""

from collections.abc import Callable, Iterator

import numpy as np

from .sampling import LogProbs, sample


def pseudo_log_likelihood(ids: np.ndarray, free: np.ndarray, log_probs: LogProbs, mask: int) -> np.ndarray:
    """Return the sum over the free positions of log p(token | all other tokens), (N,).

    It is the negative of the paper's normalised energy, section 3.1. Each position is masked by itself, so
    the model reads as many copies of a text as it has free positions.
    """
    positions = np.flatnonzero(free)  # (P,)
    copies = np.repeat(ids[:, None], len(positions), 1)  # (N, P, T)
    copies[:, np.arange(len(positions)), positions] = mask
    logs = log_probs(copies.reshape(-1, ids.shape[1])).reshape(*copies.shape, -1)  # (N, P, T, V)
    logs = logs[:, np.arange(len(positions)), positions]  # (N, P, V)
    return np.take_along_axis(logs, ids[:, positions, None], -1).sum((1, 2))


def metropolis_accept(
    old: np.ndarray, new: np.ndarray, forward: np.ndarray, backward: np.ndarray, uniform: np.ndarray
) -> np.ndarray:
    """Decide which proposals to accept, (N,) bool: with probability min(1, p(new) q(old) / (p(old) q(new))).

    old, new: log scores of the texts, (N,). forward: log probability of proposing the new text from the old
    one, log q(new). backward: of the reverse, log q(old). uniform: numbers from [0, 1), (N,).
    """
    return uniform < np.exp(np.minimum(0, new - old + backward - forward))


def metropolis(
    ids: np.ndarray,
    free: np.ndarray,
    log_probs: LogProbs,
    mask: int,
    score: Callable[[np.ndarray], np.ndarray],
    steps: int,
    rng: np.random.Generator,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (texts (N, T), which proposals were accepted (N,) bool) after each step of one proposal per text.

    ids: the texts at the beginning, which must have a finite score. score: maps texts (N, T) to log scores
    (N,), such as `pseudo_log_likelihood`.
    """
    rows, old = np.arange(len(ids)), score(ids)
    for _ in range(steps):
        position = rng.choice(np.flatnonzero(free))
        proposed = ids.copy()
        proposed[:, position] = mask
        logs = log_probs(proposed)[:, position]  # (N, V); the same for both directions
        proposed[:, position] = sample(logs, rng)
        new = score(proposed)
        forward, backward = logs[rows, proposed[:, position]], logs[rows, ids[:, position]]
        accepted = metropolis_accept(old, new, forward, backward, rng.random(len(ids)))
        ids, old = np.where(accepted[:, None], proposed, ids), np.where(accepted, new, old)
        yield ids, accepted
