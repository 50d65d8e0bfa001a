"""Known mistakes about `matthews_correlation`.

Matthews (1975); Wang et al. (2019, arXiv 1804.07461), section 3.1. N: examples.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from minibert.course.unit06.definitions import matthews_correlation

from ..checks.exercise import Mistake


def counts(gold: ArrayLike, predicted: ArrayLike) -> list[float]:
    """tp, tn, fp, fn as floats, which do not overflow."""
    gold, predicted = np.asarray(gold), np.asarray(predicted)
    return [float(((gold == g) & (predicted == p)).sum()) for g, p in ((1, 1), (0, 0), (0, 1), (1, 0))]


def by_counts(formula: Callable, undefined: float | None = 0.0) -> Callable:
    """Build `matthews_correlation` with another formula; undefined: its result where ours is 0 / 0."""

    def wrong(gold, predicted):
        tp, tn, fp, fn = counts(gold, predicted)
        if undefined is not None and not (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn):
            return undefined
        return formula(tp, tn, fp, fn)

    return wrong


def below(tp: float, tn: float, fp: float, fn: float) -> float:
    return (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)


def right(tp: float, tn: float, fp: float, fn: float) -> float:
    return (tp * tn - fp * fn) / np.sqrt(below(tp, tn, fp, fn))


def divided(above: float, under: float) -> float:
    """above / under as NumPy computes it: nan or infinity for a division by 0."""
    return float(np.divide(np.float64(above), np.float64(under)))


def overflowing(gold: ArrayLike, predicted: ArrayLike) -> float:
    tp, tn, fp, fn = (np.int64(count) for count in counts(gold, predicted))
    product = below(tp, tn, fp, fn)
    return float((tp * tn - fp * fn) / np.sqrt(np.float64(product))) if product else 0.0


def zero_for(test: Callable, value: float = 0.0) -> Callable:
    """Build a function that returns `value` if test(tp, tn, fp, fn), and the right correlation otherwise."""

    def wrong(gold, predicted):
        return value if test(*counts(gold, predicted)) else matthews_correlation(gold, predicted)

    return wrong


def kappa(tp: float, tn: float, fp: float, fn: float) -> float:
    return 2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


def f1(tp: float, tn: float, fp: float, fn: float) -> float:
    return 2 * tp / (2 * tp + fp + fn)


MATTHEWS = (
    Mistake(
        "you return 0 when nothing was answered rightly, or nothing wrongly; those are -1 and +1.",
        zero_for(lambda tp, tn, fp, fn: not tp + tn or not fp + fn),
    ),
    Mistake(
        "you return 0 when one of the four counts is 0. The fraction is undefined only when one of the "
        "four sums below it is 0.",
        zero_for(lambda *c: 0 in c),
    ),
    Mistake(
        "where the correlation is not defined, you return 1 for equal lists. Return 0.0 there too: there "
        "was nothing to tell apart.",
        zero_for(lambda tp, tn, fp, fn: not below(tp, tn, fp, fn) and not fp + fn, 1.0),
    ),
    Mistake(
        "this is the size without the sign. Answers that are worse than chance have a negative correlation.",
        by_counts(lambda *c: abs(right(*c))),
    ),
    Mistake(
        "this is the accuracy. It says nothing about how often the rare label is found.",
        by_counts(lambda tp, tn, fp, fn: (tp + tn) / (tp + tn + fp + fn), undefined=None),
    ),
    Mistake("this is F1. It looks at label 1 only; Matthews treats both alike.", by_counts(f1)),
    Mistake(
        "this is the share of right answers minus that of wrong ones, not Matthews' correlation.",
        by_counts(lambda tp, tn, fp, fn: (tp + tn - fp - fn) / (tp + tn + fp + fn), undefined=None),
    ),
    Mistake(
        "this is Cohen's kappa, a relative. Divide by the square root of the four sums.", by_counts(kappa)
    ),
    Mistake(
        "this is informedness: the shares of ones and of zeros that are found, less 1. Matthews also "
        "looks "
        "at how many of the answers 1 and 0 are right.",
        by_counts(lambda tp, tn, fp, fn: tp / (tp + fn) + tn / (tn + fp) - 1),
    ),
    Mistake(
        "this is markedness: the shares of right answers among those that say 1 and 0, less 1. Matthews "
        "also looks at how many ones and zeros are found.",
        by_counts(lambda tp, tn, fp, fn: tp / (tp + fp) + tn / (tn + fn) - 1),
    ),
    Mistake(
        "this is the balanced accuracy: the mean share of ones and of zeros that are found.",
        by_counts(lambda tp, tn, fp, fn: (tp / (tp + fn) + tn / (tn + fp)) / 2),
    ),
    Mistake(
        "this is the geometric mean of the shares of ones and of zeros that are found. Follow the formula.",
        by_counts(lambda tp, tn, fp, fn: np.sqrt(tp / (tp + fn) * tn / (tn + fp))),
    ),
    Mistake(
        "below the line stands tp·tn + fp·fn: that is Yule's Q. Matthews has the root of four sums there.",
        by_counts(lambda tp, tn, fp, fn: divided(tp * tn - fp * fn, tp * tn + fp * fn)),
    ),
    Mistake(
        "below the line the sums are added. Multiply the four sums.",
        by_counts(lambda *c: (c[0] * c[1] - c[2] * c[3]) / np.sqrt(2 * sum(c))),
    ),
    Mistake(
        "below the line is the fourth root. It is the square root of the product.",
        by_counts(lambda *c: (c[0] * c[1] - c[2] * c[3]) / below(*c) ** 0.25),
    ),
    Mistake(
        "1 is added below the line. Return 0.0 where it is 0 / 0, and leave the rest as it is.",
        by_counts(lambda *c: (c[0] * c[1] - c[2] * c[3]) / (np.sqrt(below(*c)) + 1)),
    ),
    *(
        Mistake(
            "the result is rounded. Return it as it is.",
            by_counts(lambda *c, digits=digits: round(right(*c), digits)),
        )
        for digits in (1, 2, 3)
    ),
    Mistake(
        "the square root is missing below the line.",
        by_counts(lambda *c: (c[0] * c[1] - c[2] * c[3]) / below(*c)),
    ),
    Mistake(
        "the square root is taken of the whole fraction. It belongs below the line only.",
        by_counts(lambda *c: np.sqrt((c[0] * c[1] - c[2] * c[3]) / below(*c))),
    ),
    Mistake(
        "there is a plus above the line: it is tp·tn − fp·fn.",
        by_counts(lambda tp, tn, fp, fn: (tp * tn + fp * fn) / np.sqrt(below(tp, tn, fp, fn))),
    ),
    Mistake(
        "above the line, the products are mixed up: it is tp·tn − fp·fn, right ones minus wrong ones.",
        by_counts(lambda tp, tn, fp, fn: (tp * fp - tn * fn) / np.sqrt(below(tp, tn, fp, fn))),
    ),
    Mistake(
        "only tp·tn is above the line. Take the wrong answers away: tp·tn − fp·fn.",
        by_counts(lambda tp, tn, fp, fn: tp * tn / np.sqrt(below(tp, tn, fp, fn))),
    ),
    Mistake("the sign is flipped: perfect answers must give +1.", by_counts(lambda *c: -right(*c))),
    Mistake(
        "negative values are cut off at 0. Answers that are worse than chance have a negative correlation.",
        by_counts(lambda *c: max(0.0, right(*c))),
    ),
    Mistake("this is the square of the correlation.", by_counts(lambda *c: right(*c) ** 2)),
    Mistake("this is in percent. Return a number from -1 to 1.", by_counts(lambda *c: 100 * right(*c))),
    Mistake(
        "it runs from 0 to 1 in your answer. Return a number from -1 to 1.",
        by_counts(lambda *c: (right(*c) + 1) / 2, undefined=0.5),
    ),
    Mistake(
        "below the line, one sum is wrong. The four are tp+fp, tp+fn, tn+fp, tn+fn: both labels, in gold "
        "and in the answers.",
        by_counts(
            lambda tp, tn, fp, fn: divided(
                tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tp + tn))
            )
        ),
    ),
    Mistake(
        "below the line, only two of the four sums are there: tp+fp, tp+fn, tn+fp, tn+fn.",
        by_counts(lambda tp, tn, fp, fn: (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn))),
    ),
    Mistake(
        "it is 0 / 0 where one side is constant. Return 0.0 there.",
        by_counts(lambda *c: divided(c[0] * c[1] - c[2] * c[3], np.sqrt(below(*c))), undefined=None),
    ),
    Mistake(
        "it divides by 0 where one side is constant. Return 0.0 there.",
        by_counts(lambda *c: (c[0] * c[1] - c[2] * c[3]) / math.sqrt(below(*c)), undefined=None),
    ),
    Mistake(
        "where the correlation is not defined, you return 1. Return 0: such answers show no skill.",
        by_counts(right, undefined=1.0),
    ),
    Mistake(
        "where the correlation is not defined, you return -1. Return 0: such answers show no skill.",
        by_counts(right, undefined=-1.0),
    ),
    Mistake(
        "where one side is constant, you return the accuracy. Return 0.0 there.",
        lambda gold, predicted: by_counts(
            right, undefined=float(np.mean(np.asarray(gold) == np.asarray(predicted)))
        )(gold, predicted),
    ),
    Mistake(
        "the product below the line is too large for a 64-bit integer, and turns over. Make the counts "
        "floats or Python ints first: float(...), int(...).",
        overflowing,
    ),
)
