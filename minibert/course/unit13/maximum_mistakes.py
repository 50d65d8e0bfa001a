"""Known mistakes about `expected_maximum`, the expected best of k runs, and its inputs.

Dodge et al. (2019, arXiv 1909.03004), section 3. N runs, k draws of them.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import expected_maximum

# unsorted, with equal scores: the mistakes differ on these
TIES = (77.0, 61.0, 90.5, 77.0, 82.5)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Scores and k: fixed ones first; k below, equal to and above N, and 1."""

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
    """Return the probability that each of n sorted scores is the best of k different ones, (n,)."""
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

        this is drawn without replacement: no score comes twice. Here each of the k draws is from all N
        scores, whatever was drawn before.
            $chance => without_replacement($N, k)
        the scores are not sorted. The share i / N of the scores is at most the i-th one only if they
        are sorted.
            $sorted => np.asarray(scores, float)
        this is the expected minimum: the scores are sorted the wrong way round.
            $sorted => $sorted[::-1]
        (i / N) ** k is the probability that the best is *at most* the i-th score. That it *is* the i-th is
        the difference from the one before: (i / N) ** k - ((i - 1) / N) ** k.
            $chance => at_most[1:]
        i counts from 1: the lowest score is at least as large as 1 of N scores, itself.
            $every => np.arange(-1, $N) / $N
            or
            $every => np.arange(-1, $N).clip(0) / $N
        equal scores are taken as one in your answer. Each run counts: leave them all in.
            np.sort( => np.unique(
        this is the mean of the scores, which is the best of one run. k plays no part yet.
            $chance => np.full($N, 1 / $N)
        this is the best of all N scores. Of k draws, the best one may be missing.
            $chance => np.eye($N)[-1]
        this is the best of the first k scores. All choices count, each with its probability.
            return float(max(scores[:k])), float(np.var(scores[:k]))
        this is the mean of the k highest scores. It is the best of k draws that is wanted.
            return float(np.sort(scores)[-k:].mean(dtype=float)), float(np.sort(scores)[-k:].var(dtype=float))
        this is the best of k - 1 draws.
            ** k  # => ** (k - 1)  #
        this is the best of k + 1 draws.
            ** k  # => ** (k + 1)  #
        the shares are multiplied by k. All k draws must be at most the score: the share to the power of k.
            ** k  # => * k  #
        the second number is the standard deviation. The variance is its square.
            return result[0], result[1] ** 0.5
        the second number is the mean of the squares. Subtract the square of the mean.
            $variance => chance @ ordered**2
        from the mean of the squares, you subtract the mean. Subtract its square.
            $variance => chance @ ordered**2 - mean
        the sign of the variance is wrong: the mean of the squares minus the square of the mean.
            return result[0], -result[1]
        the second number is the variance of the scores. The best of k draws has another one.
            $variance => ordered.var()
        the second number is the variance of the scores divided by k. That is the variance of a mean of k
        draws, not of their maximum.
            $variance => ordered.var() / k
        in the variance all scores count alike. Each counts with the probability that it is the best.
            $variance => ((ordered - mean) ** 2).mean()
        the variance is around the mean of the scores. It is around the expected maximum.
            (ordered - mean) => (ordered - ordered.mean())
        the variance is multiplied by N / (N - 1). The probabilities are exact here, nothing is estimated.
            $variance => $variance * $N / max($N - 1, 1)
        mean and variance have changed places: first the mean.
            return result[::-1]
        both numbers are the mean. The second is the variance.
            return result[0], result[0]
        """,
        without_replacement=without_replacement,
    ),
    *pairs_of_edits(
        expected_maximum,
        """
        it is drawn without replacement
            np.diff(at_most) => without_replacement(len(ordered), k)
        equal scores are taken as one
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
    """True if mean and variance are those of all 27 ways to draw 3 of 3 scores."""
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
