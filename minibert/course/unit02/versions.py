"""Correct and wrong versions of `softmax`, which the student's test must tell apart."""

import math
from functools import partial

import numpy as np

from minibert.reference import softmax

from ..checks.edits import edited, named
from ..checks.student_tests import Version
from .softmax_mistakes import SOFTMAX

slip = partial(named, SOFTMAX)
LARGEST = "x.max(axis=axis, keepdims=True)"


def by_logarithm(x: np.ndarray, axis: int = -1) -> np.ndarray:
    x = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True)))


def in_float32(x: np.ndarray, axis: int = -1) -> np.ndarray:
    return by_logarithm(np.asarray(x, np.float32), axis)


def last_of_three(x: np.ndarray, axis: int = -1) -> np.ndarray:
    return softmax(x, axis if np.ndim(x) < 3 else -1)


def in_loops(x: np.ndarray, axis: int = -1) -> np.ndarray:
    def row(scores):
        shares = [math.exp(score - max(scores)) for score in scores]
        return np.array(shares) / sum(shares)

    return np.apply_along_axis(row, axis, np.asarray(x, float))


RIGHT = (
    Version(
        "one that subtracts the logarithm of the sum in the exponent, so that the last digits are "
        "rounded differently",
        by_logarithm,
    ),
    Version("one that loops over the rows", in_loops),
    Version(
        "one that computes in float32, so that a sum may be 1.0000001: compare with np.allclose",
        in_float32,
    ),
)
WRONG = (
    Version("returns the exponentials without dividing by their sum", slip("exponentials of x - max")),
    Version("ignores `axis` and always uses the last one", slip("your softmax ignores `axis`")),
    Version(
        "divides by the sum of the whole array, so that only all rows together sum to 1",
        edited(softmax, "e.sum(axis=axis, keepdims=True) => e.sum()"),
    ),
    Version("divides x itself by its sum, without an exponential", slip("you divide x itself")),
    Version(
        "returns 1 for the largest score and 0 for the others",
        edited(softmax, f"np.exp(x - {LARGEST}) => (x == {LARGEST})"),
    ),
    Version("overflows for large scores and returns nan", slip("exp overflows for large ones")),
    Version(
        "returns the same probability for every score",
        edited(softmax, "return np.ones(np.shape(x)) / np.shape(x)[axis]"),
    ),
)
MORE = (
    Version(
        "reverses the order: the largest score gets the smallest probability", slip("the order is reversed")
    ),
    Version("takes powers of 2 instead of e", slip("powers of 2")),
    Version(
        "subtracts the maximum of the whole array, so that a row far below it becomes nan",
        slip("the maximum of the whole array"),
    ),
    Version("always takes the last axis if there are three axes or more", last_of_three),
    Version(
        "changes its input in place", edited(softmax, f"x - {LARGEST} => np.subtract(x, {LARGEST}, out=x)")
    ),
)
