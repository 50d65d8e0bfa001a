"""Analyse a grid of fine-tuning runs with different initial weights and data orders.

Dodge et al. (2020, arXiv 2002.06305): only the new output layer's weights (WI) and the order of the training
examples (DO) are random, each with its own seed; `finetune` calls them `head_seed` and `seed`. Mosbach et al.
(2021, arXiv 2006.04884): failed runs. Axes: W weight initialisations, O data orders.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from minibert.tasks.metrics import spearman


def grid(inits: int, orders: int, done: Iterable[tuple[int, int]] = ()) -> Iterator[tuple[int, int]]:
    """Yield the pairs of seeds (WI, DO) that are not in `done`, in an order that fills growing squares.

    WI, from 0 to inits - 1, is the seed of the initial weights; DO, from 0 to orders - 1, is the seed of the
    data order. Whenever the experiment is stopped, the table of results is as square as possible.

    >>> list(grid(2, 3, done=[(0, 1)]))
    [(0, 0), (1, 0), (1, 1), (0, 2), (1, 2)]
    """
    known = set(done)
    pairs = ((init, order) for init in range(inits) for order in range(orders))
    return iter([pair for pair in sorted(pairs, key=lambda pair: (max(pair), pair)) if pair not in known])


def anova(scores: np.ndarray) -> dict[str, tuple[float, float]]:
    """Test whether some seeds are better than others by more than chance, and return {kind of seed: (F, p)}.

    scores: (W, O), with a row for each seed of the initial weights (key "WI") and a column for each seed of
    the data order (key "DO"), at least two of each. For each key, SciPy computes an analysis of variance, as
    in section 4.1 of the paper, with the rows or the columns as groups. p is the probability of an F at least
    as large if no seed were better than the others.
    """
    from scipy.stats import f_oneway

    table = checked(scores)
    return {
        name: tuple(map(float, f_oneway(*groups)))  # type: ignore[misc]  # a pair
        for name, groups in (("WI", table), ("DO", table.T))
    }


def variance_shares(scores: np.ndarray) -> dict[str, float]:
    """Return the shares of the scores' variance explained by WI alone, by DO alone, and by their combination.

    scores: (W, O), with a row for each seed of the initial weights (WI) and a column for each seed of the
    data order (DO). The shares come from the sums of squares of the rows' means, of the columns' means, and
    of the remainder. They add up to 1, or all three are 0 if all scores are equal.

    >>> variance_shares(np.array([[1.0, 2.0], [3.0, 4.0]]))
    {'WI': 0.8, 'DO': 0.2, 'both': 0.0}
    """
    table = checked(scores)
    rows, columns, mean = table.mean(1, keepdims=True), table.mean(0, keepdims=True), table.mean()
    parts = {
        "WI": rows - mean + 0 * table,
        "DO": columns - mean + 0 * table,
        "both": table - rows - columns + mean,
    }  # (W, O) each
    whole = ((table - mean) ** 2).sum() or 1.0
    return {name: float((part**2).sum() / whole) for name, part in parts.items()}


def agreement(
    one: np.ndarray, other: np.ndarray, rng: np.random.Generator, permutations: int = 2000
) -> tuple[float, float]:
    """Test whether seeds that are good for one task are good for another; return (rank correlation, p).

    one, other: scores (W, O) on two tasks, with the same seed of the initial weights in each row. The
    correlation is Spearman's, between the means of the rows. p is the share of random pairings of the rows
    with a correlation at least as high; it is one-sided, because only a positive correlation is of interest.
    Raises ValueError for different numbers of rows.
    """
    first, second = checked(one).mean(1), checked(other).mean(1)
    if len(first) != len(second):
        raise ValueError(
            f"the tables have {len(first)} and {len(second)} seeds, but the numbers must be equal"
        )
    observed = spearman(list(first), list(second))
    shuffled = [spearman(list(rng.permutation(first)), list(second)) for _ in range(permutations)]
    return observed, (1 + sum(r >= observed - 1e-12 for r in shuffled)) / (1 + permutations)


def failed(scores: np.ndarray, majority: float) -> np.ndarray:
    """Return whether each run failed, that is, whether its score is at most `majority`.

    majority: the share of the most common label. This is the definition of Mosbach et al. (2021).
    """
    return np.asarray(scores) <= majority


def checked(scores: np.ndarray) -> np.ndarray:
    """Return scores (W, O) as floats; raise ValueError if W or O is below 2 or a score is missing."""
    table = np.asarray(scores, float)
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(
            f"the scores have shape {table.shape}, but must have shape (W, O), with W and O at least 2"
        )
    if not np.isfinite(table).all():
        raise ValueError(f"{np.count_nonzero(~np.isfinite(table))} of {table.size} runs have no score yet")
    return table
