"""Define in NumPy how a model is made smaller: distilling, quantizing, pruning and replacing modules.

The loss of distillation: Hinton et al. (2015, arXiv 1503.02531), section 2. Which layers a student starts
from: Sanh et al. (2019, arXiv 1910.01108); Jiao et al. (2020, arXiv 1909.10351). Symmetric int8: Zafrir et
al. (2019, arXiv 1910.06188), section 2. Pruning by magnitude: Gordon et al. (2020, arXiv 2002.08307). BERT of
Theseus: Xu et al. (2020, arXiv 2002.02925), sections 3.1 and 3.3. Axes: N examples or tokens, C classes,
D hidden, K layers of a module, M modules.
"""

from typing import TypeVar

import numpy as np

from minibert.reference.losses import distillation_loss, soften

LARGEST = 127  # the largest int8; -128 is not used, so that the range is symmetric
HOW = ("bottom", "top", "every", "skip")
Number = TypeVar("Number", float, np.ndarray)


def loss_and_gradients(
    student: np.ndarray, teacher: np.ndarray, temperature: float
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return `distillation_loss`, and its gradients with respect to the logits of both models, (N, C).

    The teacher's gradient is 0, because it is not trained. Raises ValueError if the temperature is not
    positive.

    >>> loss, gradient, _ = loss_and_gradients(np.array([[0.0, 0.0]]), np.array([[2.0, 0.0]]), 2.0)
    >>> round(loss, 4), gradient.round(4).tolist()
    (0.4438, [[-0.4621, 0.4621]])
    """
    p, q = (soften(logits, temperature) for logits in (teacher, student))  # (N, C) each
    loss = distillation_loss(student, teacher, temperature)
    return loss, temperature * (q - p) / len(student), np.zeros(teacher.shape)


def quantize_int8(weights: np.ndarray, axis: int | None = None) -> tuple[np.ndarray, float | np.ndarray]:
    """Return weights as int8 with the same shape, and the scale by which to multiply them.

    The scale is the largest absolute value divided by 127: a float for the whole array if axis is None,
    otherwise an array with one scale for each index of that axis, and length 1 in all others. If all
    weights are 0, the scale is 1.

    >>> quantize_int8(np.array([[254.0, -1.2], [0.0, 1.27]]))
    (array([[127,  -1],
           [  0,   1]], dtype=int8), 2.0)
    >>> quantize_int8(np.array([[254.0, -1.2], [0.0, 1.27]]), axis=0)[1].tolist()
    [[2.0], [0.01]]
    """
    others = None if axis is None else tuple(other for other in range(weights.ndim) if other != axis)
    largest = abs(weights).max(axis=others, keepdims=axis is not None)
    scale = np.where(largest > 0, largest, LARGEST) / LARGEST
    return np.round(weights / scale).astype(np.int8), float(scale) if axis is None else scale


def dequantize(quantized: np.ndarray, scale: float | np.ndarray) -> np.ndarray:
    """Return floats from int8 and its scale, as returned by `quantize_int8`.

    >>> dequantize(np.array([127, -1], np.int8), 2.0)
    array([254.,  -2.])
    """
    return quantized * np.asarray(scale)


def magnitude_mask(weights: np.ndarray, share: float) -> np.ndarray:
    """Return which weights to keep, bool, if the smallest `share` of them is removed.

    Exactly round(share * size) are removed, by absolute value in the whole array. Of equal ones, the first in
    `weights.ravel()` are removed. Raises ValueError for a share outside [0, 1].

    >>> magnitude_mask(np.array([[0.5, -2.0], [-0.5, 1.0]]), 0.25)
    array([[False,  True],
           [ True,  True]])
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share={share} must be from 0 to 1")
    mask = np.ones(weights.size, bool)
    mask[np.argsort(abs(weights).ravel(), kind="stable")[: round(share * weights.size)]] = False
    return mask.reshape(weights.shape)


def pruned_step(
    weights: np.ndarray,
    gradient: np.ndarray,
    velocity: np.ndarray,
    mask: np.ndarray,
    learning_rate: float,
    momentum: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Take a step of gradient descent with momentum; return the masked new weights, and the velocity.

    >>> step = pruned_step(np.ones(2), np.ones(2), np.ones(2), np.array([True, False]), 0.1, 0.5)
    >>> [x.tolist() for x in step]
    [[0.85, 0.0], [1.5, 1.5]]
    """
    velocity = momentum * velocity + gradient
    return (weights - learning_rate * velocity) * mask, velocity


def replacing_rate(step: Number, steps: int, start: float) -> Number:
    """Return the probability of using a new module: it grows linearly from `start` to 1, then stays 1.

    step: counted from 0, or an array of such numbers. steps: when the rate reaches 1. Raises ValueError for a
    start outside [0, 1] or less than one step.

    >>> replacing_rate(5, 10, 0.5), replacing_rate(12, 10, 0.5)
    (0.75, 1.0)
    """
    if not 0 <= start <= 1 or steps < 1:
        raise ValueError(f"start={start} must be from 0 to 1, and steps={steps} at least 1")
    rate = start + (1 - start) * step / steps
    return np.minimum(1.0, rate) if isinstance(rate, np.ndarray) else min(1.0, rate)


def run_part(hidden: np.ndarray, layers: np.ndarray) -> np.ndarray:
    """Run the toy layers (K, D, D) of one module one after another on hidden (N, D)."""
    for weights in layers:
        hidden = hidden + np.tanh(hidden @ weights)  # (N, D)
    return hidden


def theseus_step(
    hidden: np.ndarray,
    old: np.ndarray,
    new: np.ndarray,
    rate: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Run hidden (N, D) through M modules: each time the old one or, with probability `rate`, the new one.

    old, new: the layers of all modules, (M, K, D, D), where K may differ between old and new. Draws one
    number per module for the whole batch.
    """
    for teacher, student in zip(old, new, strict=True):
        hidden = run_part(hidden, student if rng.random() < rate else teacher)
    return hidden


def layer_map(teacher_layers: int, student_layers: int, how: str) -> list[int]:
    """Return from which layer of the teacher (from 0) each layer of the student is copied.

    how: "bottom" or "top" for the lowest or highest layers; "every" for the last layer of each of equal parts
    (TinyBERT); "skip" for layers spread from the first to the last (DistilBERT). Raises ValueError for any
    other, or if the student has no layer, or more than the teacher.

    >>> layer_map(12, 6, "every"), layer_map(12, 6, "skip")
    ([1, 3, 5, 7, 9, 11], [0, 2, 4, 7, 9, 11])
    """
    T, S = teacher_layers, student_layers
    if how not in HOW or not 1 <= S <= T:
        raise ValueError(f"how={how!r} must be one of {HOW}, and {S} layers from 1 to {T}")
    if how == "bottom":
        return list(range(S))
    if how == "top":
        return list(range(T - S, T))
    if how == "every":
        return [(i + 1) * T // S - 1 for i in range(S)]
    last, gaps = T - 1, max(S - 1, 1)
    return [(2 * i * last + gaps) // (2 * gaps) for i in range(S)]  # rounded, halves up
