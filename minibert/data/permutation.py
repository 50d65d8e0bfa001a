"""XLNet's random factorisation order, and which tokens may look at which under it, in NumPy: the definition.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3. `visible_causal` is the special order 0, 1, 2,
...; here any order is possible, and each has two versions, because a prediction may not see the token that it
predicts.
"""

import numpy as np

from .batch import visible_all


def factorization_order(candidates: np.ndarray, real: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the place of each token in a random order, one order for each sequence.

    candidates: (B, T) bool, tokens that may be predicted; real: (B, T) bool, False = padding. Special tokens
    come first, from left to right: they are given, and every prediction sees them. The candidates follow in
    random order, padding comes last. Returns (B, T) int, each row a permutation of 0 ... T - 1.
    """
    draws = 1 + rng.random(candidates.shape)  # (B, T), in [1, 2)
    keys = np.where(candidates, draws, np.where(real, 0, 2))
    return keys.argsort(axis=1, kind="stable").argsort(axis=1)  # the inverse of the sorting permutation


def permutation_visible(real: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the visibility of the content stream and that of the query stream, (B, T, T) bool each.

    real: (B, T) bool; order: (B, T) numbers, the place of each token. Content t sees the non-padding tokens
    that are not later than t in the order, itself included; query t, which predicts token t, sees only those
    that are earlier, so the first query sees nothing. Tokens with the same place see each other's content, so
    context that is never predicted may share a low place. Raises ValueError where order and real have
    different shapes.

    >>> # token 1 comes first, then token 2, then token 0
    >>> content, query = permutation_visible(np.ones((1, 3), bool), np.array([[2, 0, 1]]))
    >>> content.astype(int).tolist()
    [[[1, 1, 1], [0, 1, 0], [0, 1, 1]]]
    >>> query.astype(int).tolist()
    [[[0, 1, 1], [0, 0, 0], [0, 1, 0]]]
    """
    if order.shape != real.shape:
        raise ValueError(f"order has shape {order.shape}, real has {real.shape}: one place a token")
    anyone = visible_all(real)  # (B, T, T)
    query, key = order[:, :, None], order[:, None, :]  # (B, T, 1), (B, 1, T)
    return anyone & (key <= query), anyone & (key < query)  # (B, T, T) each


def last_in_order(order: np.ndarray, candidates: np.ndarray, one_in: float) -> np.ndarray:
    """Choose the candidates to predict: of n candidates the last n / one_in in the order, at least one.

    Partial prediction, section 2.3: the first tokens of an order have little to be predicted from. order: (B,
    T) int; candidates: (B, T) bool; one_in: at least 1, the paper's K. n / one_in is rounded. Returns (B, T)
    bool. Raises ValueError for a `one_in` below 1.
    """
    if one_in < 1:
        raise ValueError(
            f"one_in={one_in!r} must be at least 1: it is the number of candidates for one prediction"
        )
    n = candidates.sum(axis=1, keepdims=True)  # (B, 1)
    count = np.maximum(1, np.round(n / one_in))  # (B, 1)
    after = candidates[:, None, :] & (order[:, None, :] > order[:, :, None])  # (B, T, T)
    later = after.sum(-1)  # (B, T)
    return candidates & (later < count)
