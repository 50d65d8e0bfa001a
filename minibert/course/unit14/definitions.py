"""Define the functions of unit 14 that the library has in another form, or only in PyTorch.

The loss with in-batch negatives: Henderson et al. (2017, arXiv 1705.00652), section 4.4. Attention masks for
long texts: Beltagy et al. (2020, arXiv 2004.05150), section 3.1. Mask-Predict: Ghazvininejad et al. (2019,
arXiv 1904.09324), section 3. Axes: B pairs, D hidden, T tokens, V vocabulary.
"""

from collections.abc import Sequence

import numpy as np

from minibert.data.languages import sampling_shares
from minibert.generation import mask_predict as library
from minibert.generation.gibbs import gibbs_step
from minibert.generation.mask_predict import number_masked
from minibert.generation.metropolis import metropolis_accept
from minibert.generation.sampling import LogProbs
from minibert.reference.losses import in_batch_loss, soften

__all__ = [
    "gibbs_step",
    "longformer_visible",
    "loss_and_gradients",
    "mask_predict",
    "metropolis_accept",
    "number_masked",
    "sampling_shares",
    "sliding_window_visible",
]


def loss_and_gradients(
    queries: np.ndarray, answers: np.ndarray, temperature: float
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return `in_batch_loss` and its gradients with respect to the vectors of both sides, (B, D) each.

    >>> loss, gradient, _ = loss_and_gradients(np.eye(2), np.eye(2)[[0, 0]], 1.0)
    >>> round(float(loss), 4), gradient.round(4).tolist()
    (0.6931, [[0.0, 0.0], [0.0, 0.0]])
    """
    lengths = [np.linalg.norm(x, axis=1, keepdims=True) for x in (queries, answers)]  # (B, 1) each
    q, a = queries / lengths[0], answers / lengths[1]  # (B, D) each
    probs = soften(q @ a.T, temperature)  # (B, B)
    error = (probs - np.eye(len(q))) / (len(q) * temperature)  # (B, B)

    def gradient(one: np.ndarray, of: np.ndarray, length: np.ndarray) -> np.ndarray:
        # the length of a vector does not matter, so its gradient is orthogonal to it
        return (of - (of * one).sum(1, keepdims=True) * one) / length

    loss = in_batch_loss(queries, answers, temperature)
    return loss, gradient(q, error @ a, lengths[0]), gradient(a, error.T @ q, lengths[1])


def mask_predict(
    ids: np.ndarray, free: np.ndarray, log_probs: LogProbs, mask: int, iterations: int
) -> np.ndarray:
    """Return a text (T,) after each iteration of Mask-Predict, (iterations, T); free: (T,) bool."""
    return np.array(
        [one.ids[0] for one in library.mask_predict(ids[None], free, log_probs, mask, iterations)]
    )


def sliding_window_visible(length: int, reach: int) -> np.ndarray:
    """Return who attends to whom, (T, T) bool: each token to itself and to `reach` tokens on each side.

    >>> sliding_window_visible(4, 1).astype(int).tolist()
    [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]
    """
    at = np.arange(length)
    return abs(at[:, None] - at) <= reach


def longformer_visible(length: int, reach: int, positions: Sequence[int]) -> np.ndarray:
    """Return a sliding window and global tokens, (T, T) bool.

    positions: the global tokens, which attend to all tokens, as all tokens attend to them.
    """
    everywhere = np.isin(np.arange(length), positions)
    return sliding_window_visible(length, reach) | everywhere[:, None] | everywhere
