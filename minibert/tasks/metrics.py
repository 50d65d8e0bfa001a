"""The scores of GLUE's table: accuracy, F1, and three correlations, by scikit-learn and SciPy.

Wang et al. (2019, arXiv 1804.07461), section 3, say which task is scored by which. The libraries are asked
only where their answer is right and silent: they warn where a score is not defined, here it is 0. Each
function raises ValueError for no examples, or another number of answers than of labels.
"""
import warnings

import numpy as np

# scikit-learn and SciPy's statistics take seconds to import, which `predict` need not wait for: hence inside
# the functions.


def accuracy(gold, answers):
    """The share of right answers, 0 to 1.

    >>> accuracy(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    0.75
    """
    gold, answers = arrays(gold, answers)
    return float((gold == answers).mean())


def f1(gold, answers, positive):
    """F1 of one label, 0 to 1: the harmonic mean of precision and recall; 0 where neither labels nor answers
    have it.

    >>> f1([1, 1, 0, 0], [1, 0, 0, 0], positive=1) == 2 / 3
    True
    """
    from sklearn.metrics import f1_score
    gold, answers = arrays(gold, answers)
    return float(f1_score(gold == positive, answers == positive, zero_division=0))


def macro_f1(gold, answers):
    """The mean, 0 to 1, of the F1 of each label that stands in the labels or in the answers."""
    from sklearn.metrics import f1_score
    return float(f1_score(*arrays(gold, answers), average="macro", zero_division=0))


def matthews(gold, answers):
    """Matthews' correlation of labels and answers, -1 to 1, for two labels or more; 0 where one side says
    always the same.

    It is not defined there (0 / 0); 0 is what guessing without looking has on average.

    >>> matthews([1, 1, 0, 0], [1, 1, 1, 1])
    0.0
    """
    from sklearn.metrics import matthews_corrcoef
    gold, answers = arrays(gold, answers)
    return 0.0 if constant(gold) or constant(answers) else float(matthews_corrcoef(gold, answers))


def pearson(gold, answers):
    """Pearson's correlation of two lists of numbers, -1 to 1; 0 where one side says always the same, which is
    not defined.

    Raises ValueError for a number that is not finite.

    >>> round(pearson([0.0, 2.5, 5.0], [1.0, 2.0, 3.0]), 9), pearson([0.0, 2.5, 5.0], [2.0, 2.0, 2.0])
    (1.0, 0.0)
    """
    from scipy.stats import pearsonr
    return correlation(pearsonr, gold, answers)


def spearman(gold, answers):
    """Spearman's correlation: Pearson's of the ranks, equal numbers sharing their mean rank. Else as
    `pearson`.
    """
    from scipy.stats import spearmanr
    return correlation(spearmanr, gold, answers)


def correlation(measure, gold, answers):
    """One of SciPy's correlations, with 0 for a constant side and without a warning for a nearly constant
    one.
    """
    gold, answers = (side.astype(float) for side in arrays(gold, answers))
    for name, side in (("label", gold), ("answer", answers)):
        for place in np.flatnonzero(~np.isfinite(side))[:1]:
            raise ValueError(f"{name} {place} is {side[place]}, which cannot be correlated")
    if constant(gold) or constant(answers):
        return 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(measure(gold, answers).statistic)


def constant(side):
    """True where all are the same."""
    return bool((side == side[0]).all())


def arrays(gold, answers):
    """Both lists as arrays of one length."""
    if len(gold) != len(answers):
        raise ValueError(f"{len(answers)} answers to {len(gold)} examples")
    if not len(gold):
        raise ValueError("0 examples to score")
    return np.asarray(gold), np.asarray(answers)
