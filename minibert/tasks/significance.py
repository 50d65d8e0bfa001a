"""Could the better score of one model be chance? Tests on the answers of two models to the same examples.

McNemar (1947) and the paired bootstrap (Efron and Tibshirani, 1993, chapter 16; Berg-Kirkpatrick et al.,
2012, D12-1091 in the ACL Anthology), which Dror et al. (2018, P18-1128 there) recommend for accuracy and for
other scores; corrections for several comparisons (Holm, 1979). All examples are drawn and counted in pairs:
what makes an example hard for one model makes it hard for the other. N: examples of the test set.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..analysis.significance import holm as holm
from ..analysis.significance import is_significant
from .metrics import accuracy, arrays

Metric = Callable[[Any, Any], float]  # (gold, answers), arrays or lists


def mcnemar(gold: Sequence[Any], a: Sequence[Any], b: Sequence[Any]) -> float:
    """Return McNemar's exact p-value, two-sided, of a difference in accuracy. gold, a, b: N labels each.

    Only examples that one of the two answers right, and the other wrong, count. Raises ValueError for lists
    of different lengths.

    >>> mcnemar([1] * 7, [1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 1])      # 6 wins to 1
    0.125
    """
    (labels, first), (_, second) = arrays(gold, a), arrays(gold, b)
    return is_significant(first == labels, second == labels, level=0.05)[0]


def paired_differences(
    gold: Sequence[Any],
    a: Sequence[Any],
    b: Sequence[Any],
    rng: np.random.Generator,
    metric: Metric = accuracy,
    draws: int = 1000,
) -> np.ndarray:
    """Return metric(a) - metric(b) on `draws` bootstrap samples of the examples, (draws,).

    Each sample has N examples, drawn with replacement, and both models are scored on the same ones. Raises
    ValueError for lists of different lengths.
    """
    (labels, first), (_, second) = arrays(gold, a), arrays(gold, b)
    N, differences = len(labels), np.empty(draws)
    for draw in range(draws):
        chosen = rng.integers(N, size=N)
        differences[draw] = metric(labels[chosen], first[chosen]) - metric(labels[chosen], second[chosen])
    return differences


def paired_bootstrap(
    gold: Sequence[Any],
    a: Sequence[Any],
    b: Sequence[Any],
    rng: np.random.Generator,
    metric: Metric = accuracy,
    draws: int = 1000,
) -> tuple[float, float, float]:
    """Return (p, low, high): the two-sided p-value of a difference, and its 95% confidence interval.

    The sampled differences scatter around the observed one as it scatters around the true one; if that is 0,
    one as large as observed is as frequent as a sampled one that is off by so much, on either side. Arguments
    as in `paired_differences`.
    """
    observed = metric(gold, a) - metric(gold, b)
    sampled = paired_differences(gold, a, b, rng, metric, draws)
    # the observed result counts as one of the samples, so that p is never 0
    extreme = np.count_nonzero(abs(sampled - observed) >= abs(observed) - 1e-12)
    low, high = np.quantile(sampled, [0.025, 0.975])
    return (extreme + 1) / (draws + 1), float(low), float(high)


def smallest_gain(examples: int, disagreement: float, level: float = 0.05) -> float:
    """Return the smallest gain in accuracy that a test set of this size can show as significant, 0 to 1.

    disagreement: the share of the examples that exactly one of the two models answers right; level: the
    largest significant p-value of McNemar's test. It is nan where even winning all of them is not
    significant. Raises ValueError for a share outside [0, 1].

    >>> smallest_gain(277, 0.1)         # RTE's development set: 20 of 28 must be won, 8 are lost
    0.04332129963898917
    """
    from scipy.stats import binomtest

    if not 0 <= disagreement <= 1:
        raise ValueError(f"disagreement={disagreement} is a share of the examples: 0 to 1")
    differ = round(disagreement * examples)
    for wins in range(differ // 2, differ + 1):
        if wins > differ - wins and binomtest(wins, differ).pvalue <= level:
            return (2 * wins - differ) / examples
    return float("nan")


def best_of_many(spread: float, runs: int) -> float:
    """Return how far the best of several runs lies above their mean by chance, for scores of a normal spread.

    spread: the standard deviation over seeds. So much does "the best of `runs`" gain over a single run, with
    no better method.

    >>> round(best_of_many(1.0, 20), 2)
    1.87
    """
    from scipy.integrate import quad
    from scipy.stats import norm

    if runs < 1:
        raise ValueError(f"the best of {runs} runs: there must be at least 1")
    return spread * quad(lambda x: x * runs * norm.pdf(x) * norm.cdf(x) ** (runs - 1), -10, 10)[0]
