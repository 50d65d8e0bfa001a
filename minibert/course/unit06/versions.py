"""Versions of `matthews_correlation`, right and wrong, that the student's test has to tell apart."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ..checks.student_tests import Version
from . import matthews_mistakes as wrongly


def by_pearson(gold: ArrayLike, predicted: ArrayLike) -> float:
    gold, predicted = np.asarray(gold, float), np.asarray(predicted, float)
    return 0.0 if gold.std() == 0 or predicted.std() == 0 else np.corrcoef(gold, predicted)[0, 1]


def in_a_loop(gold: Iterable[int], predicted: Iterable[int]) -> float:
    count = {(g, p): 0 for g in (0, 1) for p in (0, 1)}
    for g, p in zip(gold, predicted):
        count[int(g), int(p)] += 1
    tn, fp, fn, tp = (count[pair] for pair in ((0, 0), (0, 1), (1, 0), (1, 1)))
    below = wrongly.below(tp, tn, fp, fn)
    return (tp * tn - fp * fn) / math.sqrt(below) if below else 0


def in_float32(gold: ArrayLike, predicted: ArrayLike) -> float:
    return np.float32(by_pearson(gold, predicted)) * np.float32(0.9999999)


def one_sum_twice(tp: float, tn: float, fp: float, fn: float) -> float:
    return wrongly.divided(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tp + fn)))


RIGHT = (
    Version(
        "one that computes Pearson's correlation, which it is; its rounding differs in the last digits",
        by_pearson,
    ),
    Version("one that counts in a loop, and gives a whole 0 where it is 0 / 0", in_a_loop),
    Version(
        "one in float32, so that perfect answers may have 0.9999999: compare with np.isclose", in_float32
    ),
)
WRONG = (
    Version(
        "gives the accuracy",
        wrongly.by_counts(lambda tp, tn, fp, fn: (tp + tn) / (tp + tn + fp + fn), undefined=None),
    ),
    Version("gives F1, which looks at label 1 only", wrongly.by_counts(wrongly.f1)),
    Version("gives the size without the sign", wrongly.by_counts(lambda *c: abs(wrongly.right(*c)))),
    Version(
        "takes no square root below the line",
        wrongly.by_counts(lambda *c: (c[0] * c[1] - c[2] * c[3]) / wrongly.below(*c)),
    ),
    Version(
        "gives nan where one side is constant",
        wrongly.by_counts(
            lambda *c: wrongly.divided(c[0] * c[1] - c[2] * c[3], np.sqrt(wrongly.below(*c))), undefined=None
        ),
    ),
    Version(
        "has one of the four sums twice below the line, in place of another", wrongly.by_counts(one_sum_twice)
    ),
    Version("is in percent", wrongly.by_counts(lambda *c: 100 * wrongly.right(*c))),
)
MORE = (
    Version("gives 0 where one of the four counts is 0", wrongly.zero_for(lambda *c: 0 in c)),
    Version(
        "gives 1 where all gold labels and all answers are the same, instead of 0",
        wrongly.zero_for(lambda tp, tn, fp, fn: not fp + fn and not tp * tn, 1.0),
    ),
    Version(
        "gives Cohen's kappa, which is the same only where both sides say 1 equally often",
        wrongly.by_counts(wrongly.kappa),
    ),
    Version("multiplies in 64 bits, so that it turns over for 400,000 examples", wrongly.overflowing),
)
