"""A factorisation order and who may look at whom under it, in NumPy: the definition.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3. `visible_causal` is the one order 0, 1, 2, ...; here any order goes,
and every order comes in two versions, because a prediction may not see the token it predicts.
"""
import numpy as np


def factorization_order(candidates, real, rng):
    """The place of each token in a random order, one order a row.

    candidates: (B, T) bool, tokens that may be predicted; real: (B, T) bool. Special tokens come first, in reading order:
    they are given, and every prediction sees them. The candidates follow in random order, padding comes last.
    Returns (B, T) int, each row a permutation of 0 .. T - 1.
    """
    draws = 1 + rng.random(candidates.shape)                                    # (B, T), in [1, 2)
    keys = np.where(candidates, draws, np.where(real, 0, 2))
    return keys.argsort(axis=1, kind="stable").argsort(axis=1)                  # the inverse of the sorting permutation


def permutation_visible(order, real):
    """Two visibilities, each (B, T, T) bool: of the content stream and of the query stream.

    order: (B, T) int, the place of each token; real: (B, T) bool. Content t sees s if s is not later than t in the order,
    itself included; query t only if s is earlier, so the first query sees nothing. Padding is seen by nobody.

    >>> content, query = permutation_visible(np.array([[2, 0, 1]]), np.ones((1, 3), bool))
    >>> content.astype(int).tolist()
    [[[1, 1, 1], [0, 1, 0], [0, 1, 1]]]
    >>> query.astype(int).tolist()
    [[[0, 1, 1], [0, 0, 0], [0, 1, 0]]]
    """
    key, query = order[:, None, :], order[:, :, None]                           # (B, 1, S), (B, T, 1)
    real = real[:, None, :]                                                     # (B, 1, S)
    return (key <= query) & real, (key < query) & real                          # (B, T, S) each


def last_in_order(order, candidates, one_in):
    """Partial prediction (section 2.3): of n candidates the last n / one_in in the order, rounded, at least one.

    order: (B, T) int; candidates: (B, T) bool; one_in: at least 1, the paper's K. Returns (B, T) bool. The first tokens of an
    order have little to be predicted from. Raises ValueError for a `one_in` below 1.
    """
    if one_in < 1:
        raise ValueError(f"one_in={one_in!r} must be at least 1: it is the number of candidates for one prediction")
    n = candidates.sum(axis=1, keepdims=True)                                   # (B, 1)
    count = np.maximum(1, np.round(n / one_in))
    later = (candidates[:, None, :] & (order[:, None, :] > order[:, :, None])).sum(-1)  # (B, T): candidates after this one
    return candidates & (later < count)
