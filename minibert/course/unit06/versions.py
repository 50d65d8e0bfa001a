"""Correct and wrong versions of `matthews_correlation`, which the student's test must tell apart."""

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
        "one that computes Pearson's correlation, which is the same; its rounding differs in the last digits",
        by_pearson,
    ),
    Version("one that counts in a loop, and returns the integer 0 if it is 0 / 0", in_a_loop),
    Version(
        "one in float32, in which perfect answers may have 0.9999999: compare with np.isclose", in_float32
    ),
)
WRONG = (
    Version("returns the accuracy", slip("you return the accuracy, which")),
    Version("returns F1, which looks at label 1 only", slip("you return F1")),
    Version("returns the absolute value", slip("you return the absolute value")),
    Version("takes no square root in the denominator", slip("the square root is missing")),
    Version("returns nan if one side is constant", slip("your result is nan")),
    Version("uses one of the four sums twice in the denominator, instead of another one", twice),
    Version("returns a percentage", slip("you return a percentage")),
)
MORE = (
    Version("returns 0 if one of the four counts is 0", slip("one of the four counts is 0")),
    Version(
        "returns 1 instead of 0 if all gold labels and all answers are the same", slip("1 for equal lists")
    ),
    Version(
        "returns Cohen's kappa, which is the same only if both sides have the same number of ones",
        slip("Cohen's kappa"),
    ),
    Version("multiplies in 64 bits, which overflow with 400,000 examples", slip("a 64-bit integer")),
)
