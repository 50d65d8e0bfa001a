"""Known mistakes about `is_significant`, McNemar's exact test for several comparisons, and its inputs.

McNemar (1947, Psychometrika 12); Dror et al. (2018, P18-1128 in the ACL Anthology). N: examples of the test
set.
"""

import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits

# wins of a, wins of b, both right, both wrong, level, comparisons; each decides between known mistakes
FIXED = (
    (9, 1, 6, 4, 0.05, 1),
    (9, 1, 6, 4, 0.05, 4),
    (2, 11, 3, 5, 0.05, 1),
    (7, 1, 4, 2, 0.05, 1),
    (5, 5, 3, 2, 0.05, 1),
    (0, 0, 7, 3, 0.05, 2),
    (12, 2, 300, 86, 0.05, 1),
    (40, 38, 10, 5, 0.01, 3),
    (30, 14, 200, 56, 0.05, 2),
    (8, 0, 2, 1, 0.01, 1),
    (1, 9, 5, 8, 0.01, 1),
    (7, 1, 4, 2, 0.05, 3),
    (12, 1, 10, 12, 0.05, 10),
)
LEVELS, MARGIN = (0.01, 0.05, 0.1), 1.3  # no p of a case is nearer to its level than by this factor


def exact(wins: int, losses: int) -> float:
    n = wins + losses
    return min(1.0, 2 * tail(min(wins, losses), n))


def tail(k: int, n: int) -> float:
    """The probability of at most k of n fair coins."""
    return sum(math.comb(n, i) for i in range(k + 1)) / 2**n


def answers(rng: np.random.Generator, wins: int, losses: int, both: int, neither: int) -> tuple:
    """(right_a, right_b) in a random order of the examples."""
    kinds = np.repeat(
        [[True, False], [False, True], [True, True], [False, False]], [wins, losses, both, neither], axis=0
    )
    right = rng.permutation(kinds)  # (N, 2)
    return right[:, 0].copy(), right[:, 1].copy()


def drawn(rng: np.random.Generator) -> tuple:
    """Answers to some dozens of examples, with a p that is not near its level."""
    while True:
        sizes = [int(rng.integers(high)) for high in (20, 20, 40, 20)]
        level, comparisons = float(rng.choice(LEVELS)), int(rng.choice([1, 2, 5]))
        p, limit = exact(*sizes[:2]), level / comparisons
        if sum(sizes) and not limit / MARGIN < p < limit * MARGIN:
            return *answers(rng, *sizes), level, comparisons


def cases(rng: np.random.Generator) -> list[tuple]:
    return [(*answers(rng, *sizes), level, comparisons) for *sizes, level, comparisons in FIXED] + [
        drawn(rng) for _ in range(4)
    ]


def plain(right_a: np.ndarray, right_b: np.ndarray, level: float, comparisons: int) -> tuple[float, bool]:
    """Return what `is_significant` returns, for arrays that fit."""
    wins, losses = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    n = wins + losses
    p = min(1.0, 2 * tail(min(wins, losses), n))
    return p, p <= level / comparisons


def unpaired_z(a: np.ndarray, b: np.ndarray) -> float:
    """Return the p-value of two proportions of different examples, by a normal distribution."""
    pooled, N = (a.mean() + b.mean()) / 2, len(a)
    deviation = math.sqrt(2 * pooled * (1 - pooled) / N)
    return math.erfc(abs(a.mean() - b.mean()) / deviation / math.sqrt(2)) if deviation else 1.0


def unpaired_exact(a: np.ndarray, b: np.ndarray) -> float:
    from scipy.stats import fisher_exact

    return fisher_exact([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]])[1]


def chi_square(wins: int, losses: int, less: int) -> float:
    """Return the p-value of McNemar's approximate test; less: 1 with the continuity correction, else 0."""
    n = wins + losses
    return math.erfc(math.sqrt(max(abs(wins - losses) - less, 0) ** 2 / n / 2)) if n else 1.0


def scipy_alone(wins: int, n: int) -> float:
    from scipy.stats import binomtest

    return binomtest(wins, n).pvalue


def overflowing(k: int, n: int) -> float:
    """Return `tail` with a NumPy integer for n, of which 2 ** n is 0 from n = 64 on."""
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

        this is one-sided: as uneven on the other side counts, too. Double the tail.
            $both => $tail
        this is one-sided: only wins of the first model count. As uneven on the other side counts, too: double
        the smaller tail.
            $both => tail(losses, n)
        this is one-sided: only wins of the second model count. As uneven on the other side counts, too:
        double the smaller tail.
            $both => tail(wins, n)
        2 ** n overflows where n is a NumPy integer: it is 0 from n = 64 on. Count with int(...).
            $tail => overflowing(min(wins, losses), n)
        the tail is that of the wins. Sum up to the smaller count, min(wins, losses).
            min(wins, losses) => wins
        the tail is that of the losses. Sum up to the smaller count, min(wins, losses).
            min(wins, losses) => losses
        a probability is at most 1: where both win equally often, the two tails overlap. Take min(1, ...).
            $both => 2 * $tail
        the result itself belongs to the tail: *at least* as uneven. Sum up to the smaller count, and include
        it.
            min(wins, losses) => min(wins, losses) - 1
        this is the probability of exactly this result, doubled. Add those that are more uneven.
            $tail => math.comb(n, min(wins, losses)) / 2**n
        half of the probability of the result itself is subtracted (the mid-p test). The exact test counts all
        of it.
            $both => $both - math.comb(n, min(wins, losses)) / 2**n
        examples on which both are right or both are wrong are counted. n is only the examples that exactly
        one of the two answers right.
            n = wins + losses => n = len(right_a)
        examples on which both are right are counted for both. n is only the examples that exactly one of the
        two answers right.
            $tail => tail(int(min(right_a.sum(), right_b.sum())), int(right_a.sum() + right_b.sum()))
        the pairs are broken: both models answer the same examples. Count, example by example, who is right
        alone. (This is the test of two proportions.)
            $both => unpaired_z(right_a, right_b)
        the pairs are broken: both models answer the same examples. Count, example by example, who is right
        alone. (This is Fisher's test of two samples.)
            $both => unpaired_exact(right_a, right_b)
        this is McNemar's approximate test, by chi-square. The exact test adds up the coins.
            $both => chi_square(wins, losses, 0)
        this is McNemar's approximate test, with the continuity correction. The exact test adds up the coins.
            $both => chi_square(wins, losses, 1)
        this is 1 - p.
            return (1 - result[0], result[1])
        this is the difference of the two accuracies. p is a probability under the assumption that both are
        equally good.
            $both => abs(right_a.mean() - right_b.mean())
        `comparisons` is not used: of several comparisons, each may have level / comparisons only.
            $decision => p <= level
        the level is multiplied by the number of comparisons. It is divided: the more you try, the stricter.
            $decision => p <= level * comparisons
        p is multiplied by the number of comparisons. Return the p of this one comparison; only the level is
        divided.
            $result => min(1.0, comparisons * p), $decision
        the decision is the wrong way round: a *small* p is significant.
            $decision => p > level / comparisons
        only a better first model is called significant. The test asks whether they differ, either way.
            $decision => wins > losses and $decision
        only a better second model is called significant. The test asks whether they differ, either way.
            $decision => losses > wins and $decision
        the level is fixed at 0.05. Use the argument.
            $decision => p <= 0.05 / comparisons
        a larger share of wins is not enough to be significant: compare p with the level.
            $decision => wins != losses
        the two results have changed places: first p, then the decision.
            return result[::-1]
        where the two models never differ, there are no coins to toss: p is 1. Look for it before you call the
        test.
            $both => scipy_alone(wins, n)
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        $both = min(1.0, 2 * tail(min(wins, losses), n))
        the test is one-sided
            $both => tail(min(wins, losses), n)
        the pairs are broken
            $both => unpaired_z(right_a, right_b)
        `comparisons` is not used
            level / comparisons => level
        the decision is the wrong way round
            p <= => p >
        """,
    ),
)


def either_way(f: Callable, rng: np.random.Generator) -> bool:
    a, b = answers(rng, 9, 2, 20, 7)
    return bool(np.isclose(f(a, b, 0.05, 1)[0], f(b, a, 0.05, 1)[0]))


def agreement_says_nothing(f: Callable, rng: np.random.Generator) -> bool:
    """True if p depends on the examples alone that one model wins."""
    some = [f(*answers(rng, 9, 2, both, neither), 0.05, 1)[0] for both, neither in ((0, 0), (50, 7), (3, 90))]
    return bool(np.allclose(some, some[0]))


def same_answers(f: Callable, rng: np.random.Generator) -> bool:
    a, _ = answers(rng, 0, 0, 9, 4)
    p, significant = f(a, a.copy(), 0.05, 1)
    return bool(np.isclose(p, 1) and not significant)


def stricter(f: Callable, rng: np.random.Generator) -> bool:
    """True if the same result is significant alone (p is 0.0117) and not as one of ten comparisons."""
    a, b = answers(rng, 10, 1, 20, 7)
    return bool(f(a, b, 0.05, 1)[1]) and not f(a, b, 0.05, 10)[1]
