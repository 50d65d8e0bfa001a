"""Test inputs for `expected_maximum`, the expected best score of k runs, and common mistakes.

Dodge et al. (2019, arXiv 1909.03004), section 3. Axes: N runs, of which k are drawn.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits
from .definitions import expected_maximum

# unsorted, with equal scores, which reveal the mistakes
TIES = (77.0, 61.0, 90.5, 77.0, 82.5)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return pairs (scores, k), with k = 1 and with k below, equal to and above the number of scores."""

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
        (drawn(1200), 150),  # 1200.0 ** 150 is infinite in a computer
    ]


def without_replacement(n: int, k: int) -> np.ndarray:
    """Return how likely each of n sorted scores is to be the best of k drawn without replacement, (n,)."""
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

        you draw without replacement. Draw each of the k scores from all N scores, whatever was drawn before.
            $chance => without_replacement($N, k)
        you do not sort the scores. Sort them first, from the lowest to the highest.
            $sorted => np.asarray(scores, float)
        you sort the scores in descending order, which gives the expected minimum. Sort them in ascending
        order.
            $sorted => $sorted[::-1]
        you use the probability that the best is *at most* a score. Subtract that of the next lower score.
            $chance => at_most[1:]
        your i begins at 0 for the lowest score. Count from 1, because at least one score is at most the
        lowest.
            $every => np.arange(-1, $N) / $N
            or
            $every => np.arange(-1, $N).clip(0) / $N
        you merge equal scores. Keep all of them, because each run counts.
            np.sort( => np.unique(
        you return the mean of the scores, which is the expected best of a single run. Consider k draws.
            $chance => np.full($N, 1 / $N)
        you return the best of all scores, but it may not be drawn. Weight each score by its probability.
            $chance => np.eye($N)[-1]
        you return the best of the first k scores. Consider all possible draws.
            return float(max(scores[:k])), float(np.var(scores[:k]))
        you return the mean of the k highest scores. Return the expected best of k draws.
            return float(np.sort(scores)[-k:].mean(dtype=float)), float(np.sort(scores)[-k:].var(dtype=float))
        you return the expected best of one draw too few.
            ** k  # => ** (k - 1)  #
        you return the expected best of one draw too many.
            ** k  # => ** (k + 1)  #
        you multiply the shares by k. Raise them to the power of k, because all k draws must be at most the
        score.
            ** k  # => * k  #
        your second result is the standard deviation. Return the variance, which is its square.
            return result[0], result[1] ** 0.5
        your second result is the mean of the squares. Subtract the square of the mean.
            $variance => chance @ ordered**2
        you subtract the mean from the mean of the squares. Square the mean first.
            $variance => chance @ ordered**2 - mean
        your variance has the wrong sign. A variance is never negative.
            return result[0], -result[1]
        your second result is the variance of the scores. Return the variance of the best of k draws.
            $variance => ordered.var()
        your second result is the variance of a mean of k draws. Return that of their maximum.
            $variance => ordered.var() / k
        your variance gives all scores the same weight. Weight each score by the probability that it is the
        best.
            $variance => ((ordered - mean) ** 2).mean()
        your variance uses distances from the mean of the scores. Use distances from the expected maximum.
            (ordered - mean) => (ordered - ordered.mean())
        you multiply the variance by N / (N - 1). The probabilities are exact, so nothing is estimated.
            $variance => $variance * $N / max($N - 1, 1)
        your two results are swapped. Return the mean first, then the variance.
            return result[::-1]
        you return the mean twice. The second result should be the variance.
            return result[0], result[0]
        """,
        without_replacement=without_replacement,
    ),
    *pairs_of_edits(
        expected_maximum,
        """
        you draw without replacement, although each draw should be from all scores
            np.diff(at_most) => without_replacement(len(ordered), k)
        you merge equal scores, although each run should count
            np.sort( => np.unique(
        you do not sort the scores first
            np.sort( => (
        the second result is the standard deviation, not the variance
            chance @ (ordered - mean) ** 2 => (chance @ (ordered - mean) ** 2) ** 0.5
        the second result is the variance of the scores, not that of their maximum
            chance @ (ordered - mean) ** 2 => ordered.var()
        """,
        without_replacement=without_replacement,
    ),
)


def enumerated(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's mean and variance match those of all 27 ways to draw 3 times from 3 scores."""
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


def far_from_zero(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's variance stays the same if 1e8 is added, so that squares lose their last digits."""
    scores = np.round(rng.uniform(50, 95, 5), 1)
    return close(float(f(scores + 1e8, 3)[1]), float(f(scores, 3)[1]))
