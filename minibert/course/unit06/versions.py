"""Versions of `matthews_correlation`, right and wrong, that the student's test has to tell apart."""

import math
from collections.abc import Iterable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from ..checks.edits import edited, named
from ..checks.student_tests import Version
from .definitions import matthews_correlation
from .matthews_mistakes import MATTHEWS

slip = partial(named, MATTHEWS)
twice = edited(matthews_correlation, "(tn + fp) * (tn + fn) => (tp + fp) * (tn + fn)")


def by_pearson(gold: ArrayLike, predicted: ArrayLike) -> float:
    gold, predicted = np.asarray(gold, float), np.asarray(predicted, float)
    return 0.0 if gold.std() == 0 or predicted.std() == 0 else np.corrcoef(gold, predicted)[0, 1]


def in_a_loop(gold: Iterable[int], predicted: Iterable[int]) -> float:
    count = {(g, p): 0 for g in (0, 1) for p in (0, 1)}
    for g, p in zip(gold, predicted):
        count[int(g), int(p)] += 1
    tn, fp, fn, tp = (count[pair] for pair in ((0, 0), (0, 1), (1, 0), (1, 1)))
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / math.sqrt(below) if below else 0


def in_float32(gold: ArrayLike, predicted: ArrayLike) -> float:
    return np.float32(by_pearson(gold, predicted)) * np.float32(0.9999999)


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
    Version("gives the accuracy", slip("this is the accuracy")),
    Version("gives F1, which looks at label 1 only", slip("this is F1")),
    Version("gives the size without the sign", slip("the size without the sign")),
    Version("takes no square root below the line", slip("the square root is missing")),
    Version("gives nan where one side is constant", slip("it is 0 / 0 where")),
    Version("has one of the four sums twice below the line, in place of another", twice),
    Version("is in percent", slip("this is in percent")),
)
MORE = (
    Version("gives 0 where one of the four counts is 0", slip("one of the four counts is 0")),
    Version(
        "gives 1 where all gold labels and all answers are the same, instead of 0", slip("1 for equal lists")
    ),
    Version(
        "gives Cohen's kappa, which is the same only where both sides say 1 equally often",
        slip("Cohen's kappa"),
    ),
    Version("multiplies in 64 bits, so that it turns over for 400,000 examples", slip("a 64-bit integer")),
)
