"""Test inputs for `quantize_int8` and `dequantize`, by tensor or by channel, and common mistakes.

Zafrir et al. (2019, arXiv 1910.06188), section 2. No weight is close to halfway between two whole numbers,
so how halves are rounded does not matter.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits
from .definitions import LARGEST, dequantize

MARGIN = 1e-3  # how far a quotient is at least from halfway between two whole numbers


def weights(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    axis: int | None = None,
    dtype: type = np.float64,
    negative: bool = False,
    spread: float = 3.0,
) -> np.ndarray:
    """Return weights with scales that differ by up to exp(2 * spread), each the largest value over 127.

    negative: whether the largest absolute values belong to negative weights.
    """
    others = None if axis is None else tuple(other for other in range(len(shape)) if other != axis)
    steps = rng.integers(-90, 91, shape) + rng.uniform(-0.4, 0.4, shape)
    top = abs(steps) == abs(steps).max(axis=others, keepdims=True)
    steps = np.where(top, LARGEST * np.where(negative, -1, np.sign(steps)), steps)
    scales = np.exp(rng.uniform(-spread, spread, steps.max(axis=others, keepdims=True).shape))
    return (steps * scales).astype(dtype)


def allowed(weights: np.ndarray, axis: int | None = None) -> bool:
    """Return whether there is such an axis, and no weight is close to halfway between two whole numbers."""
    if axis is not None and not 0 <= axis < weights.ndim:
        return False
    with np.errstate(all="ignore"):
        quotients = weights / quantize_int8(weights, axis)[1]
    return bool((abs(quotients % 1 - 0.5) > MARGIN).all())


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return weights by tensor and by channel, with zeros, an outlier and negative largest values."""
    outlier = weights(rng, (3, 6), 0, spread=0.1)
    outlier[1] *= 500
    empty = weights(rng, (4, 3), 0)
    empty[2] = 0
    same = weights(rng, (3, 3), 1)
    return [
        (weights(rng, (3, 5)),),
        (weights(rng, (4, 5), 0), 0),
        (weights(rng, (4, 5), 1), 1),
        (weights(rng, (5, 3), negative=True), None),
        (weights(rng, (2, 5), 0, negative=True), 0),
        (-abs(weights(rng, (2, 3))), None),
        (-abs(weights(rng, (3, 4), 0)), 0),
        (outlier, 0),
        (np.zeros((2, 3)), None),
        (empty, 0),
        (same, 1),
        (weights(rng, (2, 4, 3), 1), 1),
        (weights(rng, (2, 4, 3), 2), 2),
        (weights(rng, (2, 3, 4)),),
        (weights(rng, (6,)), None),
        (weights(rng, (5,), 0), 0),
        (weights(rng, (4, 6), dtype=np.float32), None),
        (weights(rng, (3, 7), 0, dtype=np.float32), 0),
        (weights(rng, (40, 30), 1), 1),
    ]


def quantize_int8(weights: np.ndarray, axis: int | None = None) -> tuple[np.ndarray, float | np.ndarray]:
    others = None if axis is None else tuple(other for other in range(weights.ndim) if other != axis)
    keep = axis is not None
    largest = abs(weights).max(axis=others, keepdims=keep)
    scale = np.where(largest == 0, 1.0, largest / 127)
    quotients = weights / scale
    quantized = np.round(quotients).astype(np.int8)
    return quantized, scale if keep else float(scale)


def one_other(ndim: int, axis: int | None) -> int | tuple[()] | None:
    """Return one of the axes other than `axis`."""
    return None if axis is None else () if ndim == 1 else 0 if axis else ndim - 1


QUANTIZE = (
    *edits(
        quantize_int8,
        """
        $others = None if axis is None else tuple(other for other in range(weights.ndim) if other != axis)
        $channels = tuple(other for other in range(weights.ndim) if other != axis)
        $largest = abs(weights).max(axis=others, keepdims=keep)
        $scale = np.where(largest == 0, 1.0, largest / 127)
        $range = np.ptp(weights, axis=others, keepdims=keep)
        $round = np.round(quotients)
        $whole = $round.astype(np.int8)
        $quotient = quotients = weights / scale

        you always use one scale for the whole array. With an axis, each channel has a scale of its own, so
        that an outlier spoils only its own channel.
            $others => None
            or
            $others => None
            scale if keep => scale.item() if keep
            or
            $others => None
            scale if keep => np.full_like(weights.max(axis=$channels, keepdims=True), scale) if keep
        you take the maximum along `axis`. Take it over all other axes: `axis` is the one that keeps its
        length.
            $others => axis
        you always take the channels along axis 0. Use the argument `axis`.
            other != axis => other != 0
        you always take the channels along the last axis. Use the argument `axis`.
            other != axis => other != weights.ndim - 1
        you take the maximum over one other axis only. With three axes, take it over both others.
            $others => one_other(weights.ndim, axis)
        the scale is that of the largest weight. A negative weight may be further from 0: take absolute
        values.
            abs(weights).max => weights.max
        the scale is that of the smallest weight. Take the largest absolute value.
            abs(weights).max => -weights.min
        you take the largest weight, then its absolute value. Take the absolute values first.
            $largest => abs(weights.max(axis=others, keepdims=keep))
        your scale is the range over 255, as for asymmetric quantisation. Use the largest absolute value over
        127.
            largest / 127 => $range / 255
            or
            $scale => np.where($range == 0, 1.0, $range / 255)
        you divide by 128, so the largest weight becomes 128, which wraps around to -128. Divide by 127.
            largest / 127 => largest / 128
        you divide by 128 and clip to 127. Divide by 127, so that nothing has to be clipped.
            largest / 127 => largest / 128
            $whole => np.clip($round, -127, 127).astype(np.int8)
            or
            largest / 127 => largest / 128
            $whole => np.clip($round, -128, 127).astype(np.int8)
        you divide by 126. The largest absolute value should become 127.
            largest / 127 => largest / 126
        you add up the absolute values. Take the largest.
            $largest => abs(weights).sum(axis=others, keepdims=keep)
        you divide by {255 | 256}, so large weights do not fit into int8 and wrap around. Divide by 127.
            largest / 127 => largest / {255 | 256}
        you divide by 255 and clip, which cuts off all large weights. Divide by 127.
            largest / 127 => largest / 255
            $whole => np.clip($round, -127, 127).astype(np.int8)
            or
            largest / 127 => largest / 255
            $whole => np.clip($round, -128, 127).astype(np.int8)
        your scale is upside down. It is the largest absolute value over 127, by which int8 is multiplied
        later.
            return quantized, scale => return quantized, 1 / scale
            float(scale) => float(1 / scale)
        your scale is the largest absolute value itself. Divide it by 127.
            return quantized, scale => return quantized, largest
            float(scale) => float(largest)
        you cut off the digits after the point: `astype` does not round. Round to the nearest whole number
        first.
            $whole => quotients.astype(np.int8)
            or
            $round => np.trunc(quotients)
        you round down. Round to the nearest whole number.
            $round => np.floor(quotients)
        you round up. Round to the nearest whole number.
            $round => np.ceil(quotients)
        you add 0.5 and cut off, which rounds negative numbers the wrong way. Use `np.round`.
            $round => np.trunc(quotients + 0.5)
        you multiply by the scale. Divide by it.
            weights / scale => weights * scale
        the scale of zeros alone is 0, nan or almost 0. If all weights of a tensor or channel are 0, its scale
        is 1.
            $scale => largest / 127
            or
            $scale => largest / 127 + {1e-12 | 1e-10 | 1e-9 | 1e-8 | 1e-6}
            or
            $scale => np.maximum(largest / 127, {1e-12 | 1e-10 | 1e-9 | 1e-8 | 1e-6})
            or
            $scale => (largest + {1e-12 | 1e-10 | 1e-9 | 1e-8 | 1e-6}) / 127
            or
            $scale => np.maximum(largest, {1e-12 | 1e-10 | 1e-9 | 1e-8 | 1e-6}) / 127
            or
            $scale => np.where(np.all(largest == 0), 1.0, largest / 127)
            or
            $quotient => $quotient\\nscale = np.where(largest == 0, 0.0, scale)
        if all weights are 0, your scale is 1 / 127. It should be 1.
            1.0, largest / 127 => 1 / 127, largest / 127
        one channel of zeros makes all scales 1. Only its own should be 1.
            $scale => largest / 127 if np.all(largest) else np.ones_like(largest)
        the scale has the wrong shape. With an axis, it keeps all axes, with length 1 in all but this one
        (`keepdims=True`), so that it can be multiplied with int8.
            scale if keep => scale.ravel() if keep
            or
            scale if keep => np.squeeze(scale) if keep
            or
            scale if keep => np.broadcast_to(scale, weights.shape).copy() if keep
        the smallest number is -128 in your answer. Symmetric means -127 to 127: shift nothing.
            $whole => np.round((weights + largest) / (2 * largest) * 255 - 128).astype(np.int8)
        your numbers are not signed. Use int8, from -127 to 127.
            np.int8 => np.uint8
        you return the restored floats. Return the int8 numbers and their scale.
            return quantized, => return quantized * scale,
        your two results are swapped. Return the int8 array first, then the scale.
            return result[::-1]
        you scale each weight by the standard deviation. Use the largest absolute value.
            $largest => weights.std(axis=others, keepdims=keep)
        you scale by the mean absolute value. Use the largest, so that nothing is cut off or wraps around.
            $largest => abs(weights).mean(axis=others, keepdims=keep)
        """,
        one_other=one_other,
    ),
    *pairs_of_edits(
        quantize_int8,
        """
        the scale is that of the largest weight, although a negative one may be further from 0
            abs(weights).max => weights.max
        `astype` cuts off the digits after the point, although they should be rounded
            np.round(quotients).astype => quotients.astype
        you take the maximum along `axis`, although this is the axis that keeps its length
            None if axis is None else tuple(other for other in range(weights.ndim) if other != axis) => axis
        you divide by 128, not by 127
            largest / 127) => largest / 128)
        zeros alone give 0 / 0, although their scale should be 1
            np.where(largest == 0, 1.0, largest / 127) => largest / 127
        """,
    ),
)


def is_int8(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether the first result is a NumPy array of dtype int8."""
    quantized, _ = f(weights(rng, (3, 5)))
    if not isinstance(quantized, np.ndarray):
        return f"the first result is a {type(quantized).__name__}; it should be a NumPy array of dtype int8."
    return quantized.dtype == np.int8 or f"the dtype is {quantized.dtype}; it should be int8."


def near_enough(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether each weight is at most half a scale from its restored one."""
    for axis in (None, 0, 1):
        x = weights(rng, (6, 8), axis)
        quantized, scale = f(x, axis)
        if np.any(abs(quantized * np.asarray(scale, float) - x) > 0.501 * np.asarray(scale)):
            return False
    return True


def symmetric(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether weights of the opposite sign give the opposite numbers and the same scales."""
    x = weights(rng, (4, 5), 0)
    (one, scale), (other, same) = f(x, 0), f(-x, 0)
    return bool((np.asarray(one, int) == -np.asarray(other, int)).all() and close(scale, same))


def outlier_stays_alone(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a large weight changes nothing in other channels."""
    x = weights(rng, (4, 5), 0)
    large = x.copy()
    large[1, 2] = 1e4 * abs(x).max()
    (one, scale), (other, after) = f(x, 0), f(large, 0)
    others = [0, 2, 3]
    return np.array_equal(one[others], other[others]) and close(
        np.asarray(scale)[others], np.asarray(after)[others]
    )


def restore_cases(rng: np.random.Generator) -> list[tuple]:
    """Return int8 arrays with one scale, or with scales that broadcast."""

    def numbers(*shape: int) -> np.ndarray:
        return rng.integers(-127, 128, shape).astype(np.int8)

    def scales(*shape: int) -> np.ndarray:
        return np.exp(rng.uniform(-3, 2, shape))

    return [
        (numbers(3, 4), float(rng.uniform(0.01, 3))),
        (numbers(3, 4), scales(3, 1)),
        (numbers(3, 4), scales(1, 4)),
        (numbers(2, 3, 4), scales(1, 3, 1)),
        (numbers(5), scales(5)),
        (np.array([[127, -127], [64, 3]], np.int8), 2.0),
        (numbers(4, 2), scales(4, 1).astype(np.float32)),
        (np.zeros((2, 2), np.int8), 1.0),
    ]


DEQUANTIZE = edits(
    dequantize,
    r"""
    $result = quantized * np.asarray(scale)

    you divide by the scale. Multiply by it.
        $result => quantized / np.asarray(scale)
    your result is int8 again, so it wraps around and has no digits after the point. Return floats.
        $result => ($result).astype(np.int8)
    you round the result. Return floats.
        $result => np.round($result)
        or
        $result => ($result).astype(int)
    you divide by 127. The scale has already been divided by it.
        $result => $result / 127
    you multiply by 127. The scale is that of one step, not of the largest weight.
        $result => $result * 127
    you return the int8 numbers. Multiply them by the scale.
        $result => quantized.astype(float)
    you use the largest scale for all channels. Each has its own.
        np.asarray(scale) => np.max(scale)
    you use the mean of the scales. Each channel has its own.
        np.asarray(scale) => np.mean(scale)
    you use the first scale for all channels. Each has its own.
        np.asarray(scale) => np.ravel(scale)[0]
    the scales are used in the wrong order along the axis.
        np.asarray(scale) => np.flip(np.asarray(scale))
    you add the scale. Multiply by it.
        $result => quantized + np.asarray(scale)
    you multiply in place, but an int8 array cannot hold the result. Make a new array.
        return $result => quantized *= scale\nreturn quantized
    you take absolute values. Keep the signs.
        $result => abs($result)
    """,
)


def back_and_forth(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether what `quantize_int8` gives comes back with at most half a scale of difference."""
    x = weights(rng, (4, 5), 0)
    quantized, scale = quantize_int8(x, 0)
    return bool((abs(np.asarray(f(quantized, scale), float) - x) <= 0.501 * scale).all())
