"""Known mistakes about `softmax`. Where two give the same result on an input, the first one is named."""

from collections.abc import Callable

import numpy as np

from minibert import reference

from ..checks.exercise import Mistake, pairs


def over_sum(e: np.ndarray, axis: int | tuple[int, ...] | None) -> np.ndarray:
    return e / e.sum(axis=axis, keepdims=True)


def one_hot(x: np.ndarray, axis: int | tuple[int, ...] | None = -1) -> np.ndarray:
    return (x == x.max(axis=axis, keepdims=True)).astype(float)


def shares(
    along: Callable = lambda axis: axis,
    shift: Callable = lambda x, axis: x.max(axis=axis, keepdims=True),
    sign: int = 1,
) -> Callable:
    """Build a softmax with one piece replaced.

    along(axis): the axis of the sum; shift(x, axis): what is subtracted; sign: of the scores.
    """

    def wrong(x, axis=-1):
        return over_sum(np.exp(sign * x - shift(sign * x, axis)), along(axis))

    return wrong


SOFTMAX = (
    Mistake(
        "your softmax ignores `axis`: it always runs over the last axis. Pass `axis=axis` to both max "
        "and sum.",
        lambda x, axis=-1: reference.softmax(x, -1),
    ),
    Mistake(
        "your softmax runs over the first axis, whatever `axis` says. Pass `axis=axis` to both max and sum.",
        lambda x, axis=-1: reference.softmax(x, 0),
    ),
    Mistake(
        "the sum ignores `axis`: it always runs over the last axis, while the maximum runs over the "
        "right one.",
        shares(along=lambda axis: -1),
    ),
    Mistake(
        "the sum always runs over the first axis, while the maximum runs over the right one. Pass "
        "`axis=axis`.",
        shares(along=lambda axis: 0),
    ),
    Mistake(
        "the maximum ignores `axis`: it always runs over the last axis, so it does not cancel in the "
        "fraction.",
        shares(shift=lambda x, axis: x.max(axis=-1, keepdims=True)),
    ),
    Mistake(
        "you divide by the sum of the whole array, so only everything together sums to 1. Sum along `axis`.",
        lambda x, axis=-1: over_sum(np.exp(x - x.max()), None),
    ),
    Mistake("these are the exponentials, not yet divided by their sum.", lambda x, axis=-1: np.exp(x)),
    Mistake(
        "these are the exponentials of x - max, not yet divided by their sum.",
        lambda x, axis=-1: np.exp(x - x.max(axis=axis, keepdims=True)),
    ),
    Mistake("you divide x itself by its sum. The exponential is missing.", over_sum),
    Mistake(
        "this is 1 for the largest score and 0 elsewhere: an argmax. Softmax is its soft form, "
        "exponentials over their sum.",
        one_hot,
    ),
    Mistake("this is the logarithm of the softmax.", lambda x, axis=-1: np.log(reference.softmax(x, axis))),
    Mistake(
        "this is the sigmoid of each score alone. A softmax shares 1 among all scores along the axis.",
        lambda x, axis=-1: 1 / (1 + np.exp(-x)),
    ),
    Mistake(
        "the order is reversed: the largest score gets the smallest result. Check the sign in the exponent.",
        lambda x, axis=-1: reference.softmax(-x, axis),
    ),
    *(
        Mistake(
            "the maximum is subtracted only where scores are large. Very low scores need it too: exp of "
            "-1000 is 0, and a row of zeros becomes 0 / 0. Subtract it always.",
            shares(
                shift=lambda x, axis, limit=limit, each=each: np.where(
                    (x.max(axis=axis, keepdims=True) if each else x.max()) > limit,
                    x.max(axis=axis, keepdims=True),
                    0,
                )
            ),
        )
        for limit in (700, 500, 100, 50, 0)
        for each in (True, False)
    ),
    Mistake(
        "right for small scores, but exp overflows for large ones: exp(1000) is inf, and inf / inf is "
        "nan. Subtract the maximum along `axis` first; it cancels in the fraction.",
        lambda x, axis=-1: over_sum(np.exp(x), axis),
    ),
    Mistake(
        "you subtract the maximum of the whole array, so a row far below it becomes 0 / 0. Each row "
        "needs its own maximum: x.max(axis=axis, keepdims=True).",
        lambda x, axis=-1: over_sum(np.exp(x - x.max()), axis),
    ),
    Mistake(
        "you subtract the minimum, which makes the overflow worse. Subtract the maximum: no exponent is "
        "above 0.",
        lambda x, axis=-1: over_sum(np.exp(x - x.min(axis=axis, keepdims=True)), axis),
    ),
    Mistake(
        "the scores are clipped. Subtract the maximum instead: it cancels in the fraction, and clipping "
        "changes the result.",
        lambda x, axis=-1: over_sum(np.exp(np.clip(x, -700, 700)), axis),
    ),
    Mistake(
        "nan is replaced by 0, which hides the overflow and is no share. Subtract the maximum along "
        "`axis` first.",
        lambda x, axis=-1: np.nan_to_num(over_sum(np.exp(x), axis)),
    ),
    Mistake(
        "these are powers of 2. Take powers of e: np.exp.",
        lambda x, axis=-1: over_sum(2.0 ** (x - x.max(axis=axis, keepdims=True)), axis),
    ),
    Mistake(
        "you subtract the mean, which does not stop the overflow. Subtract the maximum: no exponent is "
        "above 0.",
        lambda x, axis=-1: over_sum(np.exp(x - x.mean(axis=axis, keepdims=True)), axis),
    ),
    Mistake(
        "the maximum or the sum has lost its axis, so it does not line up with x. Add keepdims=True.",
        lambda x, axis=-1: x - x.max(axis=axis),
    ),
    *pairs(
        shares,
        (dict(along=lambda axis: -1), "the sum always runs over the last axis; it should run along `axis`"),
        (dict(along=lambda axis: 0), "the sum always runs over the first axis; it should run along `axis`"),
        (dict(along=lambda axis: None), "the sum runs over the whole array; it should run along `axis`"),
        (dict(shift=lambda x, axis: 0), "the maximum is not subtracted, so exp overflows for large scores"),
        (
            dict(shift=lambda x, axis: x.max()),
            "the maximum is that of the whole array; each row needs its own",
        ),
        (dict(sign=-1), "the sign in the exponent is flipped"),
    ),
)
