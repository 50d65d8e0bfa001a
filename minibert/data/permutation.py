"""XLNet's random factorisation order and the resulting attention masks.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3. There are two masks for each order, because a
prediction must not see the token that it predicts.
"""

import numpy as np

from .batch import visible_all


def factorization_order(candidates: np.ndarray, real: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the rank of each token in a random order, drawn separately for each sequence.

    candidates: (B, T) bool, the tokens that may be predicted. real: (B, T) bool, False = padding. Special
    tokens come first, from left to right, so that every prediction sees them. The candidates follow in random
    order, and padding comes last. Returns (B, T) int, each row a permutation of 0 ... T - 1.
    """
    draws = 1 + rng.random(candidates.shape)  # (B, T), in [1, 2)
    keys = np.where(candidates, draws, np.where(real, 0, 2))
    return keys.argsort(axis=1, kind="stable").argsort(axis=1)  # the inverse of the sorting permutation


def permutation_visible(real: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the attention masks of the content stream and the query stream, (B, T, T) bool each.

    real: (B, T) bool, False = padding. order: (B, T) numbers, the rank of each token. Content t may attend to
    the non-padding tokens up to and including t in the order; query t, which predicts token t, only to
    earlier ones, so the first query attends to nothing. Tokens with the same rank may attend to each other's
    content. Raises ValueError if the shapes differ.

    >>> # token 1 comes first, then token 2, then token 0
    >>> content, query = permutation_visible(np.ones((1, 3), bool), np.array([[2, 0, 1]]))
    >>> content.astype(int).tolist()
    [[[1, 1, 1], [0, 1, 0], [0, 1, 1]]]
    >>> query.astype(int).tolist()
    [[[0, 1, 1], [0, 0, 0], [0, 1, 0]]]
    """
    if order.shape != real.shape:
        raise ValueError(f"order has shape {order.shape}, but real has {real.shape}: give each token a rank")
    anyone = visible_all(real)  # (B, T, T)
    query, key = order[:, :, None], order[:, None, :]  # (B, T, 1), (B, 1, T)
    return anyone & (key <= query), anyone & (key < query)  # (B, T, T) each


def last_in_order(order: np.ndarray, candidates: np.ndarray, one_in: float) -> np.ndarray:
    """Choose the candidates to predict: the last n / one_in of n candidates in the order, and at least one.

    This is partial prediction (section 2.3): the first tokens in the order have too little context. order:
    (B, T) int. candidates: (B, T) bool. one_in: the paper's K. Returns (B, T) bool. Raises ValueError if
    `one_in` is less than 1.
    """
    if one_in < 1:
        raise ValueError(f"one_in={one_in!r} must be at least 1: one in this many candidates is predicted")
    n = candidates.sum(axis=1, keepdims=True)  # (B, 1)
    count = np.maximum(1, np.round(n / one_in))  # (B, 1)
    after = candidates[:, None, :] & (order[:, None, :] > order[:, :, None])  # (B, T, T)
    later = after.sum(-1)  # (B, T)
    return candidates & (later < count)
