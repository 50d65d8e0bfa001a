"""Quantisation: weights and activations as small integers times a scale.

Zafrir et al. (2019, arXiv 1910.06188), Q8BERT, section 2.1; groups with their own scales: Shen et al. (2020,
arXiv 1909.05840), Q-BERT, section 3.2. These functions are the definition; for speed, export a model with
int8=True. `fake_quantization` trains for it. Axes: N rows, O outputs and I inputs of a matrix, G groups.
"""

import copy
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from ...model.checkpoints.few_bits import largest_multiple

Scale = np.ndarray | np.floating


def quantize(weights: np.ndarray, bits: int = 8, axis: int | None = None) -> tuple[np.ndarray, Scale]:
    """Return (integers as int8, scale), symmetric around 0, with weights about equal to integers * scale.

    The largest weight becomes 2^(bits - 1) - 1: 127 for 8 bits, 1 for 2 bits. weights: finite numbers, any
    shape. axis: None for one scale, or the axis of the channels, which each get their own; the scales are
    then an array that broadcasts with the weights. Where all weights are 0, the scale is 1. An integer times
    the scale differs from the weight by at most half a scale. Raises ValueError if a weight is not finite, or
    unless 2 <= bits <= 8.
    """
    if not 2 <= bits <= 8:
        raise ValueError(f"bits={bits} must be between 2 and 8")
    if not np.isfinite(weights).all():
        raise ValueError("the weights must be finite, but contain inf or nan")
    others = None if axis is None else tuple(i for i in range(weights.ndim) if i != axis % weights.ndim)
    largest = np.abs(weights).max(axis=others, keepdims=axis is not None, initial=0)
    scale = np.where(largest > 0, largest / largest_multiple(bits), 1.0)
    scale = scale.astype(np.result_type(weights, np.float32))
    return np.rint(weights / scale).astype(np.int8), scale[()]


def quantize_int8(weights: np.ndarray, axis: int | None = None) -> tuple[np.ndarray, Scale]:
    """Return (int8 array, scale = max|weights| / 127), for the whole array or each channel; see `quantize`.

    >>> integers, scale = quantize_int8(np.array([[1.27, -0.5], [0.0, 0.004]]))
    >>> integers.tolist(), float(scale)
    ([[127, -50], [0, 0]], 0.01)
    """
    return quantize(weights, 8, axis)


def dequantize(quantized: np.ndarray, scale: Scale) -> np.ndarray:
    """Return integers * scale, in the dtype of the scale; the rounding errors of `quantize` remain."""
    return quantized * scale


def quantize_groups(weights: np.ndarray, bits: int, group: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (integers (G, group), scales (G, 1)): each `group` adjacent weights of a row have one scale.

    `dequantize(integers, scales).reshape(weights.shape)` are the rounded weights. Raises ValueError unless
    the length of a row is a multiple of `group`, and for other errors of `quantize`.
    """
    if group < 1 or weights.shape[-1] % group:
        raise ValueError(f"rows of {weights.shape[-1]} weights cannot be cut into groups of {group}")
    integers, scales = quantize(weights.reshape(-1, group), bits, axis=0)
    return integers, np.asarray(scales)


def quantized_linear(x: np.ndarray, quantized: np.ndarray, scale: Scale, bias: np.ndarray) -> np.ndarray:
    """Compute a linear layer with integers: x (N, I), quantized (O, I), scale () or (O, 1), bias (O,).

    The activations are quantised dynamically: each row of x gets the scale of its own largest number.
    Products are summed as int32. Returns (N, O).
    """
    integers, scales = quantize_int8(x, axis=0)  # (N, I), (N, 1)
    sums = integers.astype(np.int32) @ quantized.T.astype(np.int32)  # (N, O)
    return sums * scales * np.reshape(scale, (1, -1)) + bias


def with_rounded_weights(module: nn.Module, rounding: Callable[[np.ndarray], np.ndarray]) -> nn.Module:
    """Return a copy of a model whose matrices, including embeddings, are replaced by `rounding(matrix)`.

    rounding: for example `lambda matrix: dequantize(*quantize_int8(matrix, axis=0))`.
    """
    rounded = copy.deepcopy(module)
    with torch.no_grad():
        for parameter in rounded.parameters():
            if parameter.dim() == 2:
                parameter.copy_(torch.from_numpy(rounding(parameter.cpu().numpy())))
    return rounded
