"""Known mistakes about `expected_maximum`, the expected best of k runs, and its inputs.

Dodge et al. (2019, arXiv 1909.03004), section 3. N runs, k draws of them.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs

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


def with_replacement(n: int, k: int) -> np.ndarray:
    """The probability that each of n sorted scores is the best of k draws, (n,)."""
    return np.diff((np.arange(n + 1) / n) ** k)


def without_replacement(n: int, k: int) -> np.ndarray:
    k = min(k, n)
    return np.array([math.comb(i, k - 1) / math.comb(n, k) for i in range(n)])


def variance(scores: np.ndarray, chance: np.ndarray, mean: float, n: int, k: int) -> float:
    return float(chance @ (scores - mean) ** 2)


def maximum(
    order: Callable = np.sort,
    chance: Callable = with_replacement,
    spread: Callable = variance,
    draws: Callable = lambda k: k,
    returned: Callable = lambda mean, spread: (mean, spread),
) -> Callable:
    """Build the function with some pieces replaced.

    order(scores); chance(n, k): of each of these; spread(scores, chance, mean, n, k); draws(k): how many.
    """

    def expected_maximum(scores, k):
        ordered = order(np.asarray(scores, float))
        n = len(ordered)
        shares = chance(n, draws(k))
        mean = shares @ ordered
        return returned(float(mean), float(spread(ordered, shares, mean, n, k)))

    return expected_maximum


def only_the_first(scores: np.ndarray, k: int) -> tuple[float, float]:
    return float(max(scores[:k])), float(np.var(scores[:k]))


def best_ones(scores: np.ndarray, k: int) -> tuple[float, float]:
    top = np.sort(np.asarray(scores, float))[-k:]
    return float(top.mean()), float(top.var())


WITH = "each of the k draws is from all N scores, whatever was drawn before"
MAXIMUM = (
    Mistake(
        f"this is drawn without replacement: no score comes twice. Here {WITH}.",
        maximum(chance=without_replacement),
    ),
    Mistake(
        "the scores are not sorted. The share i / N of the scores is at most the i-th one only if they "
        "are sorted.",
        maximum(order=lambda scores: scores),
    ),
    Mistake(
        "this is the expected minimum: the scores are sorted the wrong way round.",
        maximum(order=lambda scores: np.sort(scores)[::-1]),
    ),
    Mistake(
        "(i / N) ** k is the probability that the best is *at most* the i-th score. That it *is* the "
        "i-th is the difference from the one before: (i / N) ** k - ((i - 1) / N) ** k.",
        maximum(chance=lambda n, k: (np.arange(1, n + 1) / n) ** k),
    ),
    Mistake(
        "i counts from 1: the lowest score is at least as large as 1 of N scores, itself.",
        maximum(chance=lambda n, k: (np.arange(n) / n) ** k - ((np.arange(n) - 1) / n) ** k),
    ),
    Mistake(
        "i counts from 1: the lowest score is at least as large as 1 of N scores, itself.",
        maximum(chance=lambda n, k: np.diff((np.arange(-1, n).clip(0) / n) ** k)),
    ),
    Mistake(
        "equal scores are taken as one in your answer. Each run counts: leave them all in.",
        maximum(order=np.unique),
    ),
    Mistake(
        "this is the mean of the scores, which is the best of one run. k plays no part yet.",
        maximum(chance=lambda n, k: np.full(n, 1 / n)),
    ),
    Mistake(
        "this is the best of all N scores. Of k draws, the best one may be missing.",
        maximum(chance=lambda n, k: np.eye(n)[-1]),
    ),
    Mistake(
        "this is the best of the first k scores. All choices count, each with its probability.",
        only_the_first,
    ),
    Mistake("this is the mean of the k highest scores. It is the best of k draws that is wanted.", best_ones),
    Mistake("this is the best of k - 1 draws.", maximum(draws=lambda k: k - 1)),
    Mistake("this is the best of k + 1 draws.", maximum(draws=lambda k: k + 1)),
    Mistake(
        "the shares are multiplied by k. All k draws must be at most the score: the share to the power of k.",
        maximum(chance=lambda n, k: np.diff(k * np.arange(n + 1) / n)),
    ),
    Mistake(
        "the second number is the standard deviation. The variance is its square.",
        maximum(spread=lambda *a: math.sqrt(variance(*a))),
    ),
    Mistake(
        "the second number is the mean of the squares. Subtract the square of the mean.",
        maximum(spread=lambda scores, chance, mean, n, k: chance @ scores**2),
    ),
    Mistake(
        "from the mean of the squares, you subtract the mean. Subtract its square.",
        maximum(spread=lambda scores, chance, mean, n, k: chance @ scores**2 - mean),
    ),
    Mistake(
        "the sign of the variance is wrong: the mean of the squares minus the square of the mean.",
        maximum(spread=lambda *a: -variance(*a)),
    ),
    Mistake(
        "the second number is the variance of the scores. The best of k draws has another one.",
        maximum(spread=lambda scores, chance, mean, n, k: scores.var()),
    ),
    Mistake(
        "the second number is the variance of the scores divided by k. That is the variance of a mean of "
        "k draws, not of their maximum.",
        maximum(spread=lambda scores, chance, mean, n, k: scores.var() / k),
    ),
    Mistake(
        "in the variance all scores count alike. Each counts with the probability that it is the best.",
        maximum(spread=lambda scores, chance, mean, n, k: ((scores - mean) ** 2).mean()),
    ),
    Mistake(
        "the variance is around the mean of the scores. It is around the expected maximum.",
        maximum(spread=lambda scores, chance, mean, n, k: chance @ (scores - scores.mean()) ** 2),
    ),
    Mistake(
        "the variance is multiplied by N / (N - 1). The probabilities are exact here, nothing is estimated.",
        maximum(
            spread=lambda scores, chance, mean, n, k: variance(scores, chance, mean, n, k) * n / max(n - 1, 1)
        ),
    ),
    Mistake(
        "mean and variance have changed places: first the mean.",
        maximum(returned=lambda mean, spread: (spread, mean)),
    ),
    Mistake(
        "both numbers are the mean. The second is the variance.",
        maximum(returned=lambda mean, spread: (mean, mean)),
    ),
    *pairs(
        maximum,
        (dict(chance=without_replacement), "it is drawn without replacement"),
        (dict(order=np.unique), "equal scores are taken as one"),
        (dict(order=lambda scores: scores), "the scores are not sorted"),
        (dict(spread=lambda *a: math.sqrt(variance(*a))), "the second number is the standard deviation"),
        (
            dict(spread=lambda scores, chance, mean, n, k: scores.var()),
            "the second number is the variance of the scores",
        ),
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
