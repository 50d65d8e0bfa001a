"""Versions of `softmax`, right and wrong, that the student's test has to tell apart."""

import math
from collections.abc import Callable

import numpy as np

from ..checks.student_tests import Version


def by_logarithm(x: np.ndarray, axis: int = -1) -> np.ndarray:
    x = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True)))


def in_float32(x: np.ndarray, axis: int = -1) -> np.ndarray:
    return by_logarithm(np.asarray(x, np.float32), axis)


def in_loops(x: np.ndarray, axis: int = -1) -> np.ndarray:
    def row(scores):
        shares = [math.exp(score - max(scores)) for score in scores]
        return np.array(shares) / sum(shares)

    return np.apply_along_axis(row, axis, np.asarray(x, float))


def shares(
    x: np.ndarray,
    axis: int,
    shift: Callable = np.max,
    over: int | tuple[int, ...] | None = None,
    power: Callable = np.exp,
) -> np.ndarray:
    """A softmax in pieces: shift(x, axis) is subtracted, and the sum runs over the axis `over`."""
    e = power(x - shift(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis if over is None else over, keepdims=True)


def nothing(x: np.ndarray, axis: int, keepdims: bool) -> float:
    return 0.0


RIGHT = (
    Version(
        "one that subtracts the logarithm of the sum in the exponent; its rounding differs in the last "
        "digits",
        by_logarithm,
    ),
    Version("one that goes through the rows in a loop", in_loops),
    Version(
        "one that computes in float32, so that a sum may be 1.0000001: compare with np.allclose", in_float32
    ),
)
WRONG = (
    Version(
        "gives the exponentials, not divided by their sum",
        lambda x, axis=-1: np.exp(x - x.max(axis, keepdims=True)),
    ),
    Version("ignores `axis` and always takes the last one", lambda x, axis=-1: shares(x, -1)),
    Version(
        "divides by the sum of the whole array, so that only all rows together give 1",
        lambda x, axis=-1: shares(x, axis, over=tuple(range(np.ndim(x)))),
    ),
    Version(
        "divides x itself by its sum, without an exponential",
        lambda x, axis=-1: x / x.sum(axis, keepdims=True),
    ),
    Version(
        "gives 1 to the largest score and 0 to the others",
        lambda x, axis=-1: shares(
            (x == x.max(axis, keepdims=True)).astype(float), axis, nothing, power=lambda z: z
        ),
    ),
    Version("overflows for large scores, and gives nan", lambda x, axis=-1: shares(x, axis, nothing)),
    Version("gives every score the same share", lambda x, axis=-1: np.ones(np.shape(x)) / np.shape(x)[axis]),
)
MORE = (
    Version(
        "reverses the order: the largest score gets the smallest share", lambda x, axis=-1: shares(-x, axis)
    ),
    Version("takes powers of 2 instead of e", lambda x, axis=-1: shares(x, axis, power=np.exp2)),
    Version(
        "subtracts the largest number of the whole array, so that a row far below it becomes nan",
        lambda x, axis=-1: shares(x, axis, lambda x, axis, keepdims: x.max()),
    ),
    Version("changes its input in place", lambda x, axis=-1: changed(x, axis)),
)


def changed(x: np.ndarray, axis: int) -> np.ndarray:
    x -= x.max(axis=axis, keepdims=True)
    return shares(x, axis)
