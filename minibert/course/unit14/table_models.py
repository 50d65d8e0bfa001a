"""Small models that are tables of random numbers, for the checks of functions that write with a model.

Axes: N texts, T tokens, V vocabulary.
"""

import numpy as np

from minibert.generation.sampling import LogProbs

LONGEST = 64  # tokens


def table_model(rng: np.random.Generator, V: int, mask: int, sharp: float = 1.0) -> LogProbs:
    """Return a model: ids (N, T) to log probabilities (N, T, V), which depend on all tokens and positions.

    mask: the id of [MASK], which the model never predicts. sharp: how unequal the probabilities are. The
    model raises ValueError for ids that are not (N, T) or not in the vocabulary.
    """
    influence = rng.normal(size=(LONGEST, LONGEST))  # of a position on another
    evidence, bias = rng.normal(size=(V, V)), rng.normal(size=(LONGEST, V))

    def log_probs(ids):
        ids = np.asarray(ids)
        if ids.ndim != 2 or ids.dtype.kind not in "iu":
            raise ValueError(f"a model reads whole numbers (N, T), not {ids.dtype} of shape {ids.shape}")
        if ids.size and not 0 <= ids.min() <= ids.max() < V:
            raise ValueError(f"the ids must be from 0 to {V - 1}")
        T = ids.shape[1]
        scores = sharp * (influence[:T, :T] @ evidence[ids] + bias[:T])  # (N, T, V)
        scores[..., mask] = -np.inf
        return scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)

    return log_probs


def fits(ids: np.ndarray, log_probs: LogProbs, mask: int) -> bool:
    """Return whether a model reads these ids and never predicts [MASK]."""
    try:
        return bool(np.isneginf(log_probs(np.atleast_2d(ids))[..., mask]).all())
    except (ValueError, IndexError):
        return False
