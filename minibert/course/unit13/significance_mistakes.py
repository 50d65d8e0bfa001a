"""Test inputs for `is_significant`, McNemar's exact test for multiple comparisons, and common mistakes.

McNemar (1947, Psychometrika 12); Dror et al. (2018, P18-1128 in the ACL Anthology). N: examples of the test
set.
"""

import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits

# wins of a, wins of b, both right, both wrong, level, comparisons; each separates some known mistakes
FIXED = (
    (9, 1, 6, 4, 0.05, 1),
    (9, 1, 6, 4, 0.05, 4),
    (2, 11, 3, 5, 0.05, 1),
    (7, 1, 4, 2, 0.05, 1),
    (5, 5, 3, 2, 0.05, 1),
    (0, 0, 7, 3, 0.05, 2),
    (12, 2, 300, 86, 0.05, 1),
    (40, 38, 10, 5, 0.01, 3),
    (31, 14, 200, 56, 0.05, 2),
    (8, 0, 2, 1, 0.02, 1),
    (1, 9, 5, 8, 0.01, 1),
    (7, 1, 4, 2, 0.05, 3),
    (12, 1, 10, 12, 0.05, 10),
    (70, 50, 400, 80, 0.05, 1),
    (12, 3, 6, 4, 0.05, 1),  # p = 0.035: significant alone,
    (12, 3, 9, 2, 0.05, 2),  # but not as one of two comparisons
    (640, 580, 900, 300, 0.05, 1),  # 0.5 ** 1220 is 0 in a computer
)
LEVELS, MARGIN = (0.01, 0.05, 0.1), 1.3  # every p differs from its level by more than this factor


def exact(wins: int, losses: int) -> float:
    n = wins + losses
    return min(1.0, 2 * tail(min(wins, losses), n))


def tail(k: int, n: int) -> float:
    """Return the probability of at most k heads in n tosses of a fair coin."""
    return sum(math.comb(n, i) for i in range(k + 1)) / 2**n


def answers(rng: np.random.Generator, wins: int, losses: int, both: int, neither: int) -> tuple:
    """Return two bool arrays: whether each model answers each example correctly, in random order.

    wins, losses, both, neither: how many examples only model 1, only model 2, both or neither gets right.
    """
    kinds = np.repeat(
        [[True, False], [False, True], [True, True], [False, False]], [wins, losses, both, neither], axis=0
    )
    right = rng.permutation(kinds)  # (N, 2)
    return right[:, 0].copy(), right[:, 1].copy()


def allowed(right_a: np.ndarray, right_b: np.ndarray, level: float, comparisons: int) -> bool:
    """Return whether p is not close to the limit of significance."""
    p, limit = exact(int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())), level / comparisons
    return not limit / MARGIN < p < limit * MARGIN


def drawn(rng: np.random.Generator) -> tuple:
    """Return random `is_significant` arguments for which p is not close to the significance limit."""
    while True:
        sizes = [int(rng.integers(high)) for high in (20, 20, 40, 20)]
        level, comparisons = float(rng.choice(LEVELS)), int(rng.choice([1, 2, 5]))
        case = *answers(rng, *sizes), level, comparisons
        if sum(sizes) and allowed(*case):
            return case


def cases(rng: np.random.Generator) -> list[tuple]:
    return [(*answers(rng, *sizes), level, comparisons) for *sizes, level, comparisons in FIXED] + [
        drawn(rng) for _ in range(4)
    ]


def plain(right_a: np.ndarray, right_b: np.ndarray, level: float, comparisons: int) -> tuple[float, bool]:
    wins, losses = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    n = wins + losses
    p = min(1.0, 2 * tail(min(wins, losses), n))
    return p, p <= level / comparisons


def unpaired_z(a: np.ndarray, b: np.ndarray) -> float:
    """Return the p-value of a two-proportion z-test, as if the models had answered different examples."""
    pooled, N = (a.mean() + b.mean()) / 2, len(a)
    deviation = math.sqrt(2 * pooled * (1 - pooled) / N)
    return math.erfc(abs(a.mean() - b.mean()) / deviation / math.sqrt(2)) if deviation else 1.0


def unpaired_exact(a: np.ndarray, b: np.ndarray) -> float:
    from scipy.stats import fisher_exact

    return fisher_exact([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]])[1]


def chi_square(wins: int, losses: int, less: int) -> float:
    """Return the p-value of McNemar's approximate test. less: 1 for the continuity correction, or 0."""
    n = wins + losses
    return math.erfc(math.sqrt(max(abs(wins - losses) - less, 0) ** 2 / n / 2)) if n else 1.0


def scipy_alone(wins: int, n: int) -> float:
    from scipy.stats import binomtest

    return binomtest(wins, n).pvalue


def overflowing(k: int, n: int) -> float:
    """Return `tail` computed with a NumPy integer n, for which 2 ** n overflows to 0 from n = 64 on."""
    with np.errstate(all="ignore"):
        return sum(math.comb(n, i) for i in range(k + 1)) / 2 ** np.int64(n)


SIGNIFICANT = (
    *edits(
        plain,
        """
        $tail = tail(min(wins, losses), n)
        $both = min(1.0, 2 * tail(min(wins, losses), n))
        $decision = p <= level / comparisons
        $result = p, p <= level / comparisons

        your test is one-sided. Double the tail: a result as uneven in the other direction also counts.
            $both => $tail
        your test is one-sided, because only wins of the first model count. Double the smaller tail.
            $both => tail(losses, n)
        your test is one-sided, because only wins of the second model count. Double the smaller tail.
            $both => tail(wins, n)
        the power of 2 overflows, because n is a NumPy integer. Convert the counts to Python integers.
            $tail => overflowing(min(wins, losses), n)
        your tail ends at the number of wins. Sum up to the smaller of the numbers of wins and losses.
            min(wins, losses) => wins
        your tail ends at the number of losses. Sum up to the smaller of the numbers of wins and losses.
            min(wins, losses) => losses
        your p is above 1 if both models win equally often, because the two tails overlap. Limit p to 1.
            $both => 2 * $tail
        your tail leaves out the result itself. p is the probability of a result *at least* as uneven.
            min(wins, losses) => min(wins, losses) - 1
        you double the probability of exactly this result. Add the probabilities of the results that are more
        uneven first.
            $tail => math.comb(n, min(wins, losses)) / 2**n
        you subtract half of the probability of the result itself, as in the mid-p test. The exact test counts
        all of it.
            $both => $both - math.comb(n, min(wins, losses)) / 2**n
        you also count examples on which both models are right or both wrong. Count only those on which they
        differ.
            n = wins + losses => n = len(right_a)
        you also count examples on which both models are right. Count only those on which they differ.
            $tail => tail(int(min(right_a.sum(), right_b.sum())), int(right_a.sum() + right_b.sum()))
        you use the test of two proportions, which ignores that both models answer the same examples.
            $both => unpaired_z(right_a, right_b)
        you use Fisher's test of two samples, which ignores that both models answer the same examples.
            $both => unpaired_exact(right_a, right_b)
        you use McNemar's approximate test, with chi-square. Use the exact test, which adds binomial
        probabilities.
            $both => chi_square(wins, losses, 0)
        you use McNemar's approximate test, with the continuity correction. Use the exact test, which adds
        binomial probabilities.
            $both => chi_square(wins, losses, 1)
        your first result is 1 - p. Return p itself.
            return (1 - result[0], result[1])
        you return the difference of the two accuracies. Return p, the probability of such a result if both
        are equally good.
            $both => abs(right_a.mean() - right_b.mean())
        you ignore `comparisons`. Divide the level by it.
            $decision => p <= level
        you multiply the level by the number of comparisons. Divide by it, so that the limit becomes stricter.
            $decision => p <= level * comparisons
        you multiply p by the number of comparisons. Leave p as it is, and divide the level.
            $result => min(1.0, comparisons * p), $decision
        your decision is inverted. A *small* p is significant.
            $decision => p > level / comparisons
        you return True only if the first model is better. Either may be.
            $decision => wins > losses and $decision
        you return True only if the second model is better. Either may be.
            $decision => losses > wins and $decision
        your level is always 0.05. Use the argument `level`.
            $decision => p <= 0.05 / comparisons
        you treat any unequal numbers of wins and losses as significant. Compare p with the level.
            $decision => wins != losses
        your two results are swapped. Return p first, then the decision.
            return result[::-1]
        your function fails if the two models never differ. Return p = 1 in this case, before you call the
        test.
            $both => scipy_alone(wins, n)
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        $both = min(1.0, 2 * tail(min(wins, losses), n))
        the test is one-sided, although the smaller tail should be doubled
            $both => tail(min(wins, losses), n)
        you ignore that both models answer the same examples, of which only those with different results count
            $both => unpaired_z(right_a, right_b)
        `comparisons` is not used, although the level should be divided by it
            level / comparisons => level
        the decision is inverted, although a small p is significant
            p <= => p >
        """,
    ),
)


def either_way(f: Callable, rng: np.random.Generator) -> bool:
    a, b = answers(rng, 9, 2, 20, 7)
    return bool(np.isclose(f(a, b, 0.05, 1)[0], f(b, a, 0.05, 1)[0]))


def agreement_says_nothing(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's p-value depends only on the examples on which the two models differ."""
    some = [f(*answers(rng, 9, 2, both, neither), 0.05, 1)[0] for both, neither in ((0, 0), (50, 7), (3, 90))]
    return bool(np.allclose(some, some[0]))


def same_answers(f: Callable, rng: np.random.Generator) -> bool:
    a, _ = answers(rng, 0, 0, 9, 4)
    p, significant = f(a, a.copy(), 0.05, 1)
    return bool(np.isclose(p, 1) and not significant)


def stricter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f calls p = 0.0117 significant alone, but not as one of ten comparisons."""
    a, b = answers(rng, 10, 1, 20, 7)
    return bool(f(a, b, 0.05, 1)[1]) and not f(a, b, 0.05, 10)[1]
