"""The metrics of GLUE: accuracy, F1 and three correlations, computed with scikit-learn and SciPy.

Wang et al. (2019, arXiv 1804.07461), section 3. An undefined score is 0, without a library's warning. Each
function raises ValueError if there are no examples, or if the numbers of answers and labels differ.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

# scikit-learn and SciPy take seconds to import, so only the functions that need them do so.


def accuracy(gold: Sequence[Any], answers: Sequence[Any]) -> float:
    """Return the fraction of correct answers, 0 to 1.

    >>> accuracy(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    0.75
    """
    labels, given = arrays(gold, answers)
    return float((labels == given).mean())


def f1(gold: Sequence[Any], answers: Sequence[Any], positive: Any) -> float:
    """Return the F1 of one label, 0 to 1: the harmonic mean of precision and recall.

    It is 0 if neither the labels nor the answers contain that label.

    >>> f1([1, 1, 0, 0], [1, 0, 0, 0], positive=1) == 2 / 3
    True
    """
    from sklearn.metrics import f1_score

    labels, given = arrays(gold, answers)
    return float(f1_score(labels == positive, given == positive, zero_division=0))


def macro_f1(gold: Sequence[Any], answers: Sequence[Any]) -> float:
    """Return the mean F1, 0 to 1, over all labels that occur in the labels or in the answers."""
    from sklearn.metrics import f1_score

    return float(f1_score(*arrays(gold, answers), average="macro", zero_division=0))


def matthews(gold: Sequence[Any], answers: Sequence[Any]) -> float:
    """Return Matthews' correlation of labels and answers, -1 to 1, for two or more classes.

    If the labels or the answers are all the same, it is undefined (0 / 0), and 0 is returned, which is the
    mean score of random guesses.

    >>> matthews([1, 1, 0, 0], [1, 1, 1, 1])
    0.0
    """
    from sklearn.metrics import matthews_corrcoef

    labels, given = arrays(gold, answers)
    return 0.0 if constant(labels) or constant(given) else float(matthews_corrcoef(labels, given))


def pearson(gold: Sequence[float], answers: Sequence[float]) -> float:
    """Return Pearson's correlation of two lists of numbers, -1 to 1, or 0 if one of them is constant.

    Raises ValueError if a number is not finite.

    >>> round(pearson([0.0, 2.5, 5.0], [1.0, 2.0, 3.0]), 9), pearson([0.0, 2.5, 5.0], [2.0, 2.0, 2.0])
    (1.0, 0.0)
    """
    from scipy.stats import pearsonr

    return correlation(pearsonr, gold, answers)


def spearman(gold: Sequence[float], answers: Sequence[float]) -> float:
    """Return Spearman's correlation, -1 to 1: Pearson's of the ranks, where equal numbers share a rank."""
    from scipy.stats import spearmanr

    return correlation(spearmanr, gold, answers)


def correlation(measure: Callable, gold: Sequence[float], answers: Sequence[float]) -> float:
    """Return a correlation, computed by `measure` from SciPy, or 0 if one of the lists is constant."""
    labels, given = (side.astype(float) for side in arrays(gold, answers))
    for name, side in (("label", labels), ("answer", given)):
        for place in np.flatnonzero(~np.isfinite(side))[:1]:
            raise ValueError(f"{name} {place} is {side[place]}, but a correlation needs finite numbers")
    if constant(labels) or constant(given):
        return 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(measure(labels, given).statistic)


def constant(side: np.ndarray) -> bool:
    return bool((side == side[0]).all())


def arrays(gold: Sequence[Any], answers: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Convert both lists to arrays. Raises ValueError if they are empty or have different lengths."""
    if len(gold) != len(answers):
        raise ValueError(
            f"got {len(answers)} answers for {len(gold)} examples; give one answer for each example"
        )
    if not len(gold):
        raise ValueError("there are no examples to score")
    return np.asarray(gold), np.asarray(answers)
