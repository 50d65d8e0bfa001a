"""A factorisation order and who may look at whom under it, in NumPy: the definition.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3. `visible_causal` is the one order 0, 1, 2, ...;
here any order goes, and every order comes in two versions, because a prediction may not see the token it
predicts.
"""
import numpy as np

from ..batch import visible_all


def factorization_order(candidates, real, rng):
    """The place of each token in a random order, one order a row.

    candidates: (B, T) bool, tokens that may be predicted; real: (B, T) bool. Special tokens come first, in
    reading order: they are given, and every prediction sees them. The candidates follow in random order,
    padding comes last. Returns (B, T) int, each row a permutation of 0 .. T - 1.
    """
    draws = 1 + rng.random(candidates.shape)                                    # (B, T), in [1, 2)
    keys = np.where(candidates, draws, np.where(real, 0, 2))
    return keys.argsort(axis=1, kind="stable").argsort(axis=1)  # the inverse of the sorting permutation


def permutation_visible(real, order):
    """Two visibilities, each (B, T, T) bool: of the content stream and of the query stream.

    real: (B, T) bool; order: (B, T) numbers, the place of each token. Content t sees the real tokens that are
    not later than t in the order, itself included; query t, which has to guess token t, only those that are
    earlier: the first query sees nothing. Tokens of one place see each other's content, so context that is
    never predicted may share a low one. Raises ValueError for an order of another shape than real.

    >>> content, query = permutation_visible(np.ones((1, 3), bool), np.array([[2, 0, 1]]))    # token 1, then 2, then 0
    >>> content.astype(int).tolist()
    [[[1, 1, 1], [0, 1, 0], [0, 1, 1]]]
    >>> query.astype(int).tolist()
    [[[0, 1, 1], [0, 0, 0], [0, 1, 0]]]
    """
    if order.shape != real.shape:
        raise ValueError(f"order has shape {order.shape}, real has {real.shape}: one place a token")
    anyone = visible_all(real)                                                  # (B, T, T)
    query, key = order[:, :, None], order[:, None, :]                           # (B, T, 1), (B, 1, T)
    return anyone & (key <= query), anyone & (key < query)                      # (B, T, T) each


def last_in_order(order, candidates, one_in):
    """Partial prediction (section 2.3): of n candidates the last n / one_in in the order, rounded, at least
    one.

    order: (B, T) int; candidates: (B, T) bool; one_in: at least 1, the paper's K. Returns (B, T) bool. The
    first tokens of an order have little to be predicted from. Raises ValueError for a `one_in` below 1.
    """
    if one_in < 1:
        raise ValueError(
            f"one_in={one_in!r} must be at least 1: it is the number of candidates for one prediction")
    n = candidates.sum(axis=1, keepdims=True)                                   # (B, 1)
    count = np.maximum(1, np.round(n / one_in))
    # (B, T): candidates after this one
    later = (candidates[:, None, :] & (order[:, None, :] > order[:, :, None])).sum(-1)
    return candidates & (later < count)
