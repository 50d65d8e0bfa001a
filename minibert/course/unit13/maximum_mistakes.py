"""Known mistakes in `expected_maximum` (the expected best of k runs), and the inputs.

Dodge et al. (2019, arXiv 1909.03004), section 3. N runs, k draws of them.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import expected_maximum

# unsorted, with equal scores, which reveal the mistakes
TIES = (77.0, 61.0, 90.5, 77.0, 82.5)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return scores and k: fixed ones first, then k below, equal to and above N, and 1."""

    def drawn(N: int) -> np.ndarray:
        return np.round(rng.uniform(50, 95, N), 1)

    return [
        (np.array([60.0, 90.0, 75.0]), 2),
        (np.array(TIES), 3),
        (drawn(6), 1),
        (drawn(4), 4),
        (drawn(3), 7),
        (drawn(9), 2),
        (np.array([70.0]), 3),
        (drawn(5).astype(np.float32), 2),
    ]


def without_replacement(n: int, k: int) -> np.ndarray:
    """Return the probability that each of n sorted scores is the best of k different scores, (n,)."""
    k = min(k, n)
    return np.array([math.comb(i, k - 1) / math.comb(n, k) for i in range(n)])


MAXIMUM = (
    *edits(
        expected_maximum,
        """
        $sorted = np.sort(np.asarray(scores, float))
        $chance = np.diff(at_most)
        $variance = chance @ (ordered - mean) ** 2
        $every = np.arange(len(ordered) + 1) / len(ordered)
        $N = len(ordered)

        you draw without replacement. Here each of the k draws is from all N scores,
        whatever was drawn before.
            $chance => without_replacement($N, k)
        you do not sort the scores. Only if they are sorted is the share i / N of the
        scores at most the i-th one.
            $sorted => np.asarray(scores, float)
        this is the expected minimum: you sort the scores the wrong way round.
            $sorted => $sorted[::-1]
        (i / N) ** k is the probability that the best is *at most* the i-th score. The probability that it
        *is* the i-th score is the difference from the one before.
            $chance => at_most[1:]
        i counts from 1. The lowest score is at least as large as 1 of N scores, itself.
            $every => np.arange(-1, $N) / $N
            or
            $every => np.arange(-1, $N).clip(0) / $N
        you merge equal scores. Each run counts, so keep all of them.
            np.sort( => np.unique(
        this is the mean of the scores, which is the best of a single run. Use k.
            $chance => np.full($N, 1 / $N)
        this is the best of all N scores. The best one may not be among the k draws.
            $chance => np.eye($N)[-1]
        this is the best of the first k scores. All possible draws count, each with its probability.
            return float(max(scores[:k])), float(np.var(scores[:k]))
        this is the mean of the k highest scores. Compute the best of k draws.
            return float(np.sort(scores)[-k:].mean(dtype=float)), float(np.sort(scores)[-k:].var(dtype=float))
        this is the best of k - 1 draws.
            ** k  # => ** (k - 1)  #
        this is the best of k + 1 draws.
            ** k  # => ** (k + 1)  #
        you multiply the shares by k. All k draws must be at most the score, so raise
        the share to the power of k.
            ** k  # => * k  #
        your second number is the standard deviation. The variance is its square.
            return result[0], result[1] ** 0.5
        your second number is the mean of the squares. Subtract the square of the mean.
            $variance => chance @ ordered**2
        you subtract the mean from the mean of the squares. Subtract its square.
            $variance => chance @ ordered**2 - mean
        the sign of the variance is wrong. It is the mean of the squares minus the square of the mean.
            return result[0], -result[1]
        your second number is the variance of the scores. Return that of the best of k draws.
            $variance => ordered.var()
        your second number is the variance of the scores divided by k. That is the variance of a mean of k
        draws, not of their maximum.
            $variance => ordered.var() / k
        your variance gives all scores equal weight. Weight each with the probability that it is the best.
            $variance => ((ordered - mean) ** 2).mean()
        your variance is around the mean of the scores. Take it around the expected maximum.
            (ordered - mean) => (ordered - ordered.mean())
        you multiply the variance by N / (N - 1). The probabilities are exact here: nothing is estimated.
            $variance => $variance * $N / max($N - 1, 1)
        mean and variance are swapped. The mean comes first.
            return result[::-1]
        both numbers are the mean. The second is the variance.
            return result[0], result[0]
        """,
        without_replacement=without_replacement,
    ),
    *pairs_of_edits(
        expected_maximum,
        """
        draws are without replacement
            np.diff(at_most) => without_replacement(len(ordered), k)
        equal scores are merged
            np.sort( => np.unique(
        the scores are not sorted
            np.sort( => (
        the second number is the standard deviation
            chance @ (ordered - mean) ** 2 => (chance @ (ordered - mean) ** 2) ** 0.5
        the second number is the variance of the scores
            chance @ (ordered - mean) ** 2 => ordered.var()
        """,
        without_replacement=without_replacement,
    ),
)


def enumerated(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether mean and variance are those of all 27 ways to draw 3 of 3 scores."""
    scores = np.round(rng.uniform(50, 95, 3), 1)
    best = [max(draw) for draw in itertools.product(scores, repeat=3)]
    mean, spread = f(scores, 3)
    return bool(np.allclose((float(mean), float(spread)), (np.mean(best), np.var(best)), atol=1e-4))


def one_draw(f: Callable, rng: np.random.Generator) -> bool:
    scores = np.round(rng.uniform(50, 95, 5), 1)
    mean, spread = f(scores, 1)
    return bool(np.allclose((float(mean), float(spread)), (scores.mean(), scores.var()), atol=1e-4))


def many_draws(f: Callable, rng: np.random.Generator) -> bool:
    scores = np.round(rng.uniform(50, 95, 5), 1)
    mean, spread = f(scores, 400)
    return bool(np.allclose((float(mean), float(spread)), (scores.max(), 0), atol=1e-4))
