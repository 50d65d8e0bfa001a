"""Significance tests for the difference between two models' scores on the same examples.

McNemar (1947), and the paired bootstrap (Efron and Tibshirani, 1993, chapter 16; Berg-Kirkpatrick et al.,
2012, ACL Anthology D12-1091), as Dror et al. (2018, ACL Anthology P18-1128) recommend. The tests are paired,
because an example that is hard for one model tends to be hard for the other. N: number of examples.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..analysis.significance import holm as holm
from ..analysis.significance import is_significant
from .metrics import accuracy, arrays

Metric = Callable[[Any, Any], float]  # (gold, answers), arrays or lists


def mcnemar(gold: Sequence[Any], a: Sequence[Any], b: Sequence[Any]) -> float:
    """Return McNemar's exact two-sided p-value for the difference in accuracy between two models.

    gold: the N true labels. a, b: the N predictions of each model. Only the examples that exactly one model
    answers correctly matter. Raises ValueError if the lists have different lengths.

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

    gold: the N true labels. a, b: the N predictions of each model. Each sample has N examples, drawn with
    replacement. Raises ValueError if the lists have different lengths.
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

    The p-value is the fraction of samples whose deviation from the observed difference is at least as large
    as that difference itself. Takes the same arguments as `paired_differences`.
    """
    observed = metric(gold, a) - metric(gold, b)
    sampled = paired_differences(gold, a, b, rng, metric, draws)
    # Count the observed result as one of the samples, so that p is never 0.
    extreme = np.count_nonzero(abs(sampled - observed) >= abs(observed) - 1e-12)
    low, high = np.quantile(sampled, [0.025, 0.975])
    return (extreme + 1) / (draws + 1), float(low), float(high)


def smallest_gain(examples: int, disagreement: float, level: float = 0.05) -> float:
    """Return the smallest gain in accuracy, 0 to 1, that is significant on a test set of this size.

    examples: the size of the test set. disagreement: the fraction of examples that exactly one of the two
    models answers correctly. level: the significance level of McNemar's test. Returns nan if even winning all
    these examples is not significant. Raises ValueError unless 0 <= disagreement <= 1.

    >>> smallest_gain(277, 0.1)         # RTE's development set: 20 wins and 8 losses
    0.04332129963898917
    """
    from scipy.stats import binomtest

    if not 0 <= disagreement <= 1:
        raise ValueError(
            f"disagreement={disagreement} must be between 0 and 1: it is a fraction of the examples"
        )
    differ = round(disagreement * examples)
    for wins in range(differ // 2, differ + 1):
        if wins > differ - wins and binomtest(wins, differ).pvalue <= level:
            return (2 * wins - differ) / examples
    return float("nan")
