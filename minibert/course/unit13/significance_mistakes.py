"""Known mistakes about `is_significant`, McNemar's exact test for several comparisons, and its inputs.

McNemar (1947, Psychometrika 12); Dror et al. (2018, P18-1128 in the ACL Anthology). N: examples of the test
set.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..checks.exercise import Mistake, pairs

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


def counts(a: np.ndarray, b: np.ndarray) -> tuple[int, int]:
    return int((a & ~b).sum()), int((b & ~a).sum())


def two_sided(wins: int, losses: int, a: np.ndarray, b: np.ndarray) -> float:
    return exact(wins, losses)


def at_most(p: float, level: float, comparisons: int, wins: int, losses: int) -> bool:
    return p <= level / comparisons


def significance(
    test: Callable = two_sided,
    decide: Callable = at_most,
    returned: Callable = lambda p, significant: (float(p), bool(significant)),
) -> Callable:
    """Build the function with some pieces replaced.

    test(wins, losses, right_a, right_b): the p-value; decide(p, level, comparisons, wins, losses).
    """

    def is_significant(right_a, right_b, level, comparisons):
        wins, losses = counts(right_a, right_b)
        p = test(wins, losses, right_a, right_b)
        return returned(p, decide(p, level, comparisons, wins, losses))

    return is_significant


def unpaired_z(wins: int, losses: int, a: np.ndarray, b: np.ndarray) -> float:
    """The p-value of two proportions of different examples, by a normal distribution."""
    pooled, N = (a.mean() + b.mean()) / 2, len(a)
    deviation = math.sqrt(2 * pooled * (1 - pooled) / N)
    return math.erfc(abs(a.mean() - b.mean()) / deviation / math.sqrt(2)) if deviation else 1.0


def unpaired_exact(wins: int, losses: int, a: np.ndarray, b: np.ndarray) -> float:
    from scipy.stats import fisher_exact

    return fisher_exact([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]])[1]


def from_chi_square(statistic: float) -> float:
    return math.erfc(math.sqrt(statistic / 2))


def chi_square(less: int) -> Callable:
    """McNemar's approximate test; less: 1 with the continuity correction, else 0."""

    def test(wins, losses, a, b):
        n = wins + losses
        return from_chi_square(max(abs(wins - losses) - less, 0) ** 2 / n) if n else 1.0

    return test


def mid_p(wins: int, losses: int, a: np.ndarray, b: np.ndarray) -> float:
    n = wins + losses
    return exact(wins, losses) - math.comb(n, min(wins, losses)) / 2**n


def scipy_alone(wins: int, losses: int, a: np.ndarray, b: np.ndarray) -> Any:
    from scipy.stats import binomtest

    return binomtest(wins, wins + losses).pvalue


def overflowing(wins: int, losses: int, a: np.ndarray, b: np.ndarray) -> Any:
    """The exact test with a NumPy integer for n, of which 2 ** n is 0 from n = 64 on."""
    n = np.int64(wins + losses)
    with np.errstate(all="ignore"):
        return min(1, 2 * sum(math.comb(n, i) for i in range(min(wins, losses) + 1)) / 2**n)


DISCORDANT = "only the examples that exactly one of the two answers right"
PAIRS = "the pairs are broken: both models answer the same examples. Count, example by example, who is right"
SIGNIFICANT = (
    Mistake(
        "this is one-sided: as uneven on the other side counts, too. Double the tail.",
        significance(lambda wins, losses, a, b: tail(min(wins, losses), wins + losses)),
    ),
    Mistake(
        "this is one-sided: only wins of the first model count. As uneven on the other side counts, too: "
        "double the smaller tail.",
        significance(lambda wins, losses, a, b: tail(losses, wins + losses)),
    ),
    Mistake(
        "this is one-sided: only wins of the second model count. As uneven on the other side counts, "
        "too: double the smaller tail.",
        significance(lambda wins, losses, a, b: tail(wins, wins + losses)),
    ),
    Mistake(
        "2 ** n overflows where n is a NumPy integer: it is 0 from n = 64 on. Count with int(...).",
        significance(overflowing),
    ),
    Mistake(
        "the tail is that of the wins. Sum up to the smaller count, min(wins, losses).",
        significance(lambda wins, losses, a, b: min(1, 2 * tail(wins, wins + losses))),
    ),
    Mistake(
        "the tail is that of the losses. Sum up to the smaller count, min(wins, losses).",
        significance(lambda wins, losses, a, b: min(1, 2 * tail(losses, wins + losses))),
    ),
    Mistake(
        "a probability is at most 1: where both win equally often, the two tails overlap. Take min(1, ...).",
        significance(lambda wins, losses, a, b: 2 * tail(min(wins, losses), wins + losses)),
    ),
    Mistake(
        "the result itself belongs to the tail: *at least* as uneven. Sum up to the smaller count, and "
        "include it.",
        significance(lambda wins, losses, a, b: min(1, 2 * tail(min(wins, losses) - 1, wins + losses))),
    ),
    Mistake(
        "this is the probability of exactly this result, doubled. Add those that are more uneven.",
        significance(
            lambda wins, losses, a, b: min(
                1, 2 * math.comb(wins + losses, min(wins, losses)) / 2 ** (wins + losses)
            )
        ),
    ),
    Mistake(
        "half of the probability of the result itself is subtracted (the mid-p test). The exact test "
        "counts all of it.",
        significance(mid_p),
    ),
    Mistake(
        f"examples on which both are right or both are wrong are counted. n is {DISCORDANT}.",
        significance(lambda wins, losses, a, b: min(1, 2 * tail(min(wins, losses), len(a)))),
    ),
    Mistake(
        f"examples on which both are right are counted for both. n is {DISCORDANT}.",
        significance(
            lambda wins, losses, a, b: min(1, 2 * tail(int(min(a.sum(), b.sum())), int(a.sum() + b.sum())))
        ),
    ),
    Mistake(f"{PAIRS} alone. (This is the test of two proportions.)", significance(unpaired_z)),
    Mistake(f"{PAIRS} alone. (This is Fisher's test of two samples.)", significance(unpaired_exact)),
    Mistake(
        "this is McNemar's approximate test, by chi-square. The exact test adds up the coins.",
        significance(chi_square(0)),
    ),
    Mistake(
        "this is McNemar's approximate test, with the continuity correction. The exact test adds up the "
        "coins.",
        significance(chi_square(1)),
    ),
    Mistake("this is 1 - p.", significance(returned=lambda p, significant: (1 - p, bool(significant)))),
    Mistake(
        "this is the difference of the two accuracies. p is a probability under the assumption that both "
        "are equally good.",
        significance(lambda wins, losses, a, b: abs(a.mean() - b.mean())),
    ),
    Mistake(
        "`comparisons` is not used: of several comparisons, each may have level / comparisons only.",
        significance(decide=lambda p, level, comparisons, wins, losses: p <= level),
    ),
    Mistake(
        "the level is multiplied by the number of comparisons. It is divided: the more you try, the "
        "stricter.",
        significance(decide=lambda p, level, comparisons, wins, losses: p <= level * comparisons),
    ),
    Mistake(
        "p is multiplied by the number of comparisons. Return the p of this one comparison; only the "
        "level is divided.",
        lambda a, b, level, comparisons: (
            min(1.0, comparisons * exact(*counts(a, b))),
            exact(*counts(a, b)) <= level / comparisons,
        ),
    ),
    Mistake(
        "the decision is the wrong way round: a *small* p is significant.",
        significance(decide=lambda p, level, comparisons, wins, losses: p > level / comparisons),
    ),
    Mistake(
        "only a better first model is called significant. The test asks whether they differ, either way.",
        significance(
            decide=lambda p, level, comparisons, wins, losses: wins > losses and p <= level / comparisons
        ),
    ),
    Mistake(
        "only a better second model is called significant. The test asks whether they differ, either way.",
        significance(
            decide=lambda p, level, comparisons, wins, losses: losses > wins and p <= level / comparisons
        ),
    ),
    Mistake(
        "the level is fixed at 0.05. Use the argument.",
        significance(decide=lambda p, level, comparisons, wins, losses: p <= 0.05 / comparisons),
    ),
    Mistake(
        "a larger share of wins is not enough to be significant: compare p with the level.",
        significance(decide=lambda p, level, comparisons, wins, losses: wins != losses),
    ),
    Mistake(
        "the two results have changed places: first p, then the decision.",
        significance(returned=lambda p, significant: (bool(significant), float(p))),
    ),
    Mistake(
        "where the two models never differ, there are no coins to toss: p is 1. Look for it before you "
        "call the test.",
        significance(scipy_alone),
    ),
    *pairs(
        significance,
        (
            dict(test=lambda wins, losses, a, b: tail(min(wins, losses), wins + losses)),
            "the test is one-sided",
        ),
        (dict(test=unpaired_z), "the pairs are broken"),
        (dict(decide=lambda p, level, comparisons, wins, losses: p <= level), "`comparisons` is not used"),
        (
            dict(decide=lambda p, level, comparisons, wins, losses: p > level / comparisons),
            "the decision is the wrong way round",
        ),
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
