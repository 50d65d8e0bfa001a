"""Test inputs for `magnitude_mask` and `pruned_step`, pruning by absolute value, and common mistakes.

Gordon et al. (2020, arXiv 2002.08307), section 2. Zhu and Gupta (2017, arXiv 1710.01878), section 3.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits
from .definitions import pruned_step


def allowed(weights: np.ndarray, share: float) -> bool:
    """Return whether the share is from 0 to 1, and its number of weights not close to a half."""
    count = share * weights.size
    return 0 <= share <= 1 and abs(count % 1 - 0.5) > 1e-6


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return weights with and without ties, and shares that need rounding or remove nothing or everything."""
    ties = rng.permutation(np.repeat([0.5, -0.5, 1.0, -1.5], 3)).reshape(3, 4)
    rows = rng.normal(size=(4, 5)) * np.array([[0.01], [1], [10], [0.1]])
    return [
        (rng.normal(size=(4, 5)), 0.3),
        (ties, 0.25),
        (ties, 1 / 3),
        (rows, 0.6),
        (rng.normal(size=(10, 10)), 0.29),  # 0.29 * 100 is 28.999999999999996 in a computer
        (rng.normal(size=(4, 25)), 0.07),  # and 0.07 * 100 is 7.000000000000001
        (rng.normal(size=(3, 3)), 0.4),
        (rng.normal(size=(3, 3)), 0.3),
        (rng.normal(size=(7,)), 0.0),
        (rng.normal(size=(2, 3)), 1.0),
        (rng.normal(size=(2, 3, 4)), 0.75),
        (rng.integers(-2, 3, (6, 7)).astype(float), 0.5),
        (np.asfortranarray(rng.integers(-2, 3, (6, 7)).astype(float)), 0.4),
        (np.full((2, 5), -0.7), 0.3),
        (rng.normal(size=(5, 4)).astype(np.float32), 0.85),
        (abs(rng.normal(size=(3, 4))), 0.75),
        (rng.normal(size=(1, 1)), 0.2),
    ]


def magnitude_mask(weights: np.ndarray, share: float) -> np.ndarray:
    size = abs(weights).ravel()
    count = round(share * size.size)
    order = np.argsort(size, kind="stable")
    mask = np.ones(size.size, bool)
    mask[order[:count]] = False
    return mask.reshape(weights.shape)


def at_threshold(weights: np.ndarray, share: float, keep_equal: bool) -> np.ndarray:
    """Return a mask made by comparing with the largest removed value, which treats equal ones alike."""
    size = np.sort(abs(weights).ravel())
    count = round(share * size.size)
    if not count:
        return np.ones(weights.shape, bool)
    return abs(weights) >= size[count - 1] if keep_equal else abs(weights) > size[count - 1]


def above_next(weights: np.ndarray, share: float) -> np.ndarray:
    """Return a mask made by comparing with the smallest value kept."""
    size = np.sort(abs(weights).ravel())
    count = round(share * size.size)
    return abs(weights) >= size[count] if count < size.size else np.zeros(weights.shape, bool)


def by_row(weights: np.ndarray, share: float) -> np.ndarray:
    rows = weights.reshape(len(weights), -1)
    return np.array([magnitude_mask(row, share) for row in rows]).reshape(weights.shape)


MASK = (
    *edits(
        magnitude_mask,
        """
        $size = abs(weights).ravel()
        $count = round(share * size.size)
        $order = np.argsort(size, kind="stable")
        $backwards = np.argsort(size[::-1], kind="stable")
        $last = size.size - 1 - $backwards

        your mask is inverted. True means that a weight is kept.
            return ~result
        you remove the largest weights. Remove those with the smallest absolute values.
            $order => np.argsort(-size, kind="stable")
            or
            $order => $order[::-1]
        you compare the weights with their signs. A large negative weight matters: take absolute values.
            $size => weights.ravel()
        you keep the share. Remove it, and keep the others.
            $count => size.size - $count
            or
            $count => round((1 - share) * size.size)
        you round down. Remove the nearest whole number of weights: 0.29 * 100 is 28.999999999999996 in a
        computer.
            round( => int(
        you round up. Remove the nearest whole number of weights: 0.07 * 100 is 7.000000000000001 in a
        computer.
            round( => math.ceil(
        you remove one weight too many. Remove round(share * size) of them.
            [:count] => [: count + 1]
        you remove one weight too few. Remove round(share * size) of them.
            [:count] => [: max(count - 1, 0)]
        you remove all weights that equal the last one removed. With equal values, remove only as many as
        `share` says, the first ones first.
            return at_threshold(weights, share, False)
        you keep all weights that equal the last one removed. Remove exactly as many as `share` says.
            return at_threshold(weights, share, True)
        you keep all weights that equal the first one kept. Remove exactly as many as `share` says.
            return above_next(weights, share)
        of equal weights you remove the last ones first. Remove the first ones first, with a stable sort.
            $order => $last
        equal weights are taken column by column. Take them row by row, as `weights.ravel()` does.
            $size => abs(weights).ravel(order="F")
            reshape(weights.shape) => reshape(weights.shape, order="F")
            or
            $size => abs(weights).ravel(order="K")
            reshape(weights.shape) => reshape(weights.shape, order="CF"[not weights.flags.c_contiguous])
        you remove the share of each row. Compare the weights of the whole array.
            return by_row(weights, share)
            or
            return by_row(weights.reshape(-1, weights.shape[-1]), share).reshape(weights.shape)
        you remove the share of each column. Compare the weights of the whole array.
            return np.ascontiguousarray(by_row(weights.T, share).T)
        you return the pruned weights. Return the mask, True for each weight that is kept.
            return weights * result
        you return the mask as a flat array. It has the shape of `weights`.
            return result.ravel()
        `share` counts as the limit of the absolute values. It is the share of the weights that are removed.
            return abs(weights) > share
        your limit is the share of the largest absolute value. `share` is the share of the weights.
            return abs(weights) > share * abs(weights).max()
            or
            return abs(weights) >= share * abs(weights).max()
        your limit is a quantile, which may lie between two weights or be one of several equal ones. Sort, and
        remove exactly round(share * size).
            return abs(weights) > np.quantile(abs(weights), share)
            or
            return abs(weights) >= np.quantile(abs(weights), share)
            or
            return abs(weights) > np.percentile(abs(weights), 100 * share)
        you remove the first weights of the array, whatever their sizes. Sort by absolute value.
            $order => np.arange(size.size)
        you remove nothing. Remove the smallest share of the weights.
            = False => = True
        """,
        math=math,
        by_row=by_row,
        at_threshold=at_threshold,
        above_next=above_next,
    ),
    *pairs_of_edits(
        magnitude_mask,
        """
        the weights are compared with their signs, without absolute values
            abs(weights).ravel() => weights.ravel()
        int() cuts off, although the number should be rounded
            round( => int(
        the share is kept, although it should be removed
            round(share * size.size) => round((1 - share) * size.size)
        of equal weights the last ones are removed first
            np.argsort(size, kind="stable") => size.size - 1 - np.argsort(size[::-1], kind="stable")
        the largest weights are removed, not the smallest
            np.argsort(size, => np.argsort(-size,
        """,
    ),
)


def is_bool(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether the mask is a bool array."""
    mask = f(rng.normal(size=(3, 4)), 0.5)
    return (
        isinstance(mask, np.ndarray)
        and mask.dtype == np.bool_
        or "the mask should be a NumPy array of dtype bool."
    )


def exactly_as_many(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether exactly the share is removed, also with equal values."""
    x = rng.integers(-1, 2, (10, 10)).astype(float)
    return all(int((~np.asarray(f(x, k / 100), bool)).sum()) == k for k in (0, 7, 29, 57, 100))


def smallest_go(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether no weight that is removed is larger than one that is kept."""
    for size in (1.0, 1e-9):
        x = size * rng.normal(size=(6, 7))
        mask = np.asarray(f(x, 0.5), bool)
        if abs(x[~mask]).max() >= abs(x[mask]).min():
            return False
    return True


def first_of_equals(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the first of many equal weights are removed."""
    x = rng.choice([-1.5, -0.5, 0.5, 1.5], (20, 10))
    removed = ~np.asarray(f(x, 0.2), bool)
    return np.array_equal(np.flatnonzero(removed), np.flatnonzero(abs(x) < 1)[:40])


def more_and_more(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether what is removed at a share is also removed at a larger one."""
    x = rng.integers(-2, 3, (4, 5)).astype(float)
    masks = [np.asarray(f(x, share), bool) for share in (0.2, 0.4, 0.8)]
    return all(not (more & ~less).any() for less, more in zip(masks, masks[1:]))


def step_cases(rng: np.random.Generator) -> list[tuple]:
    """Return arguments of `pruned_step`; some removed weights and their velocities are not 0 yet."""

    def drawn(
        shape: tuple[int, ...], learning_rate: float, momentum: float, dtype: type = np.float64
    ) -> tuple:
        mask = rng.random(shape) < 0.6
        mask.flat[0], mask.flat[-1] = True, False
        arrays: Any = (rng.normal(size=shape).astype(dtype) for _ in range(3))
        return *arrays, mask, learning_rate, momentum

    weights, gradient, velocity, mask, *numbers = drawn((3, 4), 0.1, 0.9)
    return [
        drawn((3, 4), 0.1, 0.9),
        (weights * mask, gradient, velocity, mask, *numbers),
        (weights * mask, gradient, velocity * mask, mask, *numbers),
        drawn((5,), 0.3, 0.0),
        drawn((2, 3, 4), 1.0, 0.5),
        (weights, gradient, velocity, np.ones((3, 4), bool), 0.2, 0.8),
        (weights, gradient, velocity, np.zeros((3, 4), bool), 0.2, 0.8),
        drawn((4, 2), 0.25, 0.75, np.float32),
        drawn((1,), 0.5, 1.0),
    ]


def step_allowed(
    weights: np.ndarray,
    gradient: np.ndarray,
    velocity: np.ndarray,
    mask: np.ndarray,
    learning_rate: float,
    momentum: float,
) -> bool:
    return weights.shape == gradient.shape == velocity.shape == mask.shape


STEP = (
    *edits(
        pruned_step,
        """
        $velocity = velocity = momentum * velocity + gradient
        $new = weights - learning_rate * velocity
        $return = return ($new) * mask, velocity

        the mask is not applied after the step, so weights that were removed return. Multiply the new weights
        by it.
            $return => return $new, velocity
        the mask is applied before the step, which moves weights away from 0 again. Apply it to the new
        weights.
            $return => return weights * mask - learning_rate * velocity, velocity
        you mask only the gradient. The velocity still moves removed weights: mask the new weights.
            + gradient => + gradient * mask
            $return => return $new, velocity
        you mask only the change. Weights that are not 0 yet stay: mask the new weights.
            $return => return weights - learning_rate * velocity * mask, velocity
        you mask the weights before the step and the gradient. The velocity still moves removed weights: mask
        the new weights.
            + gradient => + gradient * mask
            $return => return weights * mask - learning_rate * velocity, velocity
        you mask the gradient, too. The velocity should contain the whole gradient: mask only the new weights.
            + gradient => + gradient * mask
        you mask the velocity, too. Return the whole velocity: mask only the new weights.
            ) * mask, velocity => ) * mask, velocity * mask
            or
            momentum * velocity + gradient => (momentum * velocity + gradient) * mask
        you mask the old velocity. Mask only the new weights.
            momentum * velocity + => momentum * velocity * mask +
        your mask is inverted. True means that a weight is kept.
            ) * mask, => ) * ~mask,
        you move the weights by the old velocity. Compute the new velocity first.
            $velocity => new = momentum * velocity + gradient
            ) * mask, velocity => ) * mask, new
        you return the old velocity. Return the new one, for the next step.
            $velocity => new = momentum * velocity + gradient
            learning_rate * velocity) => learning_rate * new)
        the momentum is missing. Multiply the old velocity by it.
            momentum * velocity + => velocity +
        the old velocity is not used. Add the gradient to momentum times velocity.
            momentum * velocity + gradient => gradient
            or
            momentum * velocity + gradient => 0 * velocity + gradient
        you multiply the gradient by 1 - momentum. Add it as it is.
            + gradient => + (1 - momentum) * gradient
        the learning rate is in the velocity. Multiply by it only when the weights move.
            + gradient => + learning_rate * gradient
            learning_rate * velocity) => velocity)
            or
            + gradient => - learning_rate * gradient
            weights - learning_rate * velocity => weights + velocity
        you multiply by the learning rate twice.
            + gradient => + learning_rate * gradient
        the weights move uphill. Subtract the learning rate times the velocity.
            weights - => weights +
        you subtract the gradient in the velocity. Add it.
            + gradient => - gradient
        you subtract the velocity without the learning rate. Multiply it by the learning rate.
            learning_rate * velocity) => velocity)
        this is Nesterov's momentum, which adds the gradient a second time. Move by the velocity.
            learning_rate * velocity) => learning_rate * (momentum * velocity + gradient))
        your momentum is always the same. Use the argument `momentum`.
            momentum * => {0.9 | 0.5 | 0.99} *
        your learning rate is always the same. Use the argument `learning_rate`.
            learning_rate * => {0.1 | 0.01 | 0.001} *
        you shrink the weights, too (weight decay). Only subtract the learning rate times the velocity.
            weights - => {0.99 | 0.9 | 0.999} * weights -
        your two results are swapped. Return the weights first.
            return result[::-1]
        """,
    ),
    *pairs_of_edits(
        pruned_step,
        """
        the mask is not applied to the new weights
            (weights - learning_rate * velocity) * mask => weights - learning_rate * velocity
        the momentum is missing
            momentum * velocity => velocity
        the weights move uphill, by a plus instead of a minus
            weights - => weights +
        you multiply the gradient by 1 - momentum
            + gradient => + (1 - momentum) * gradient
        """,
    ),
)


def removed_stay_zero(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether removed weights are 0 after each of three steps."""
    weights, gradient, velocity, mask, *numbers = step_cases(rng)[0]
    for _ in range(3):
        weights, velocity = f(weights, gradient, velocity, mask, *numbers)
        if np.any(np.asarray(weights)[~mask]):
            return False
    return True


def without_a_mask(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether kept weights and the velocity do not depend on the mask."""
    weights, gradient, velocity, mask, *numbers = step_cases(rng)[0]
    (one, after), (other, same) = (
        f(weights, gradient, velocity, some, *numbers) for some in (mask, np.ones_like(mask))
    )
    return close(np.asarray(one)[mask], np.asarray(other)[mask]) and close(after, same)
