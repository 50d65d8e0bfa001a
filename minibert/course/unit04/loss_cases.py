"""Inputs for the checks of `mlm_loss` and `nsp_loss`, with logits of many magnitudes.

A softmax that works for some logits can overflow, or take the log of 0, for others. Axes: B batch, T
tokens, V vocabulary.
"""

import numpy as np

from minibert.data.batch import IGNORE

# levels of logits that float32 represents exactly; exp(LOW) is not 0 in float64, but exp(2 * LOW) is
UP, LOW, DOWN, HUGE = 1000.0, -500.0, -1234.5, 1e6


def normal(rng: np.random.Generator, *shape: int, dtype: type = np.float64) -> np.ndarray:
    """Return an array of random numbers from a normal distribution with standard deviation 2."""
    return 2 * rng.normal(size=shape).astype(dtype)


def some_labels(rng: np.random.Generator, V: int, *counts: int, length: int) -> np.ndarray:
    """Return random labels (B, length): counts[b] ids below V in sequence b, and IGNORE elsewhere."""
    labels = np.full((len(counts), length), IGNORE)  # (B, T)
    for row, count in zip(labels, counts):
        row[rng.permutation(length)[:count]] = rng.integers(V, size=count)
    labels[tuple(np.argwhere(labels != IGNORE)[0])] = 0
    return labels


def at_level(rng: np.random.Generator, level: float, *shape: int) -> np.ndarray:
    """Return random logits around `level`, in multiples of 1/8, which float32 represents exactly."""
    return level + np.round(8 * normal(rng, *shape)) / 8


def far_off(rng: np.random.Generator, *shape: int, level: float = UP) -> np.ndarray:
    """Return random logits near `level`, in which the probability of the first class is rounded to 0."""
    logits = at_level(rng, level, *shape)
    logits[..., 0] = DOWN
    return logits


def apart(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return random logits that are far lower at every second position than at the others."""
    logits = at_level(rng, UP, *shape)
    positions = logits.reshape(-1, shape[-1])  # a view
    positions[1::2] += DOWN - UP
    return logits


def just_too_large(rng: np.random.Generator, *shape: int, dtype: type) -> np.ndarray:
    """Return random logits of the type `dtype` whose exponentials are slightly too large for that type."""
    return at_level(rng, np.ceil(np.log(np.finfo(dtype).max)) + 8, *shape).astype(dtype)


def mlm_cases(rng: np.random.Generator) -> list[tuple]:
    usual = normal(rng, 2, 5, 7)
    return [
        (usual, some_labels(rng, 7, 1, 4, length=5)),
        (normal(rng, 3, 6, 11, dtype=np.float32), some_labels(rng, 11, 2, 0, 5, length=6).astype(np.int32)),
        (normal(rng, 1, 8, 5), some_labels(rng, 5, 3, length=8)),
        (normal(rng, 4, 1, 3), np.array([[0], [IGNORE], [2], [1]])),
        (1e-8 * normal(rng, 1, 2, 3), np.array([[1, 2]])),
        (usual, np.array([[3, 6, 6, IGNORE, 0], [IGNORE, 0, 0, 0, 6]])),
        (far_off(rng, 1, 2, 3, level=HUGE), np.array([[0, 2]])),
        (at_level(rng, UP, 2, 3, 6), some_labels(rng, 6, 2, 1, length=3)),
        (far_off(rng, 2, 4, 9), some_labels(rng, 9, 1, 3, length=4)),
        (apart(rng, 2, 3, 5), np.array([[0, 4, 2], [1, IGNORE, 0]])),
        *((at_level(rng, level, 2, 3, 4), some_labels(rng, 4, 2, 3, length=3)) for level in (LOW, DOWN)),
        *(
            (just_too_large(rng, 1, 3, 4, dtype=dtype), np.array([[0, 3, IGNORE]]))
            for dtype in (np.float64, np.float32)
        ),
        *(
            (np.full((2, 3, 4), DOWN, dtype), np.array([[3, IGNORE, 0], [1, 2, IGNORE]]))
            for dtype in (np.float64, np.float32)
        ),
        # subtracting the smallest logit overflows here, and the probability of no label is rounded to 0
        (far_off(rng, 1, 3, 4), np.array([[1, 3, 2]])),
    ]


def nsp_cases(rng: np.random.Generator) -> list[tuple]:
    labels = np.array([0, 1, 1, 0, 1])
    usual = normal(rng, 5, 2)
    return [
        (usual, labels),
        (normal(rng, 1, 2), np.array([1])),
        (normal(rng, 3, 2), np.array([0, 0, 0])),
        (normal(rng, 7, 2, dtype=np.float32), rng.integers(2, size=7).astype(np.int32)),
        (1e-8 * normal(rng, 2, 2), np.array([1, 0])),
        (np.asfortranarray(usual), 1 - labels),
        (far_off(rng, 3, 2, level=HUGE), labels[:3]),
        (at_level(rng, UP, 5, 2), labels),
        (far_off(rng, 5, 2), labels),
        (apart(rng, 5, 2), labels),
        (apart(rng, 5, 2).astype(np.float32), labels),
        *((at_level(rng, level, 4, 2), labels[:4]) for level in (LOW, DOWN)),
        *((just_too_large(rng, 3, 2, dtype=dtype), labels[:3]) for dtype in (np.float64, np.float32)),
        (np.full((5, 2), DOWN), labels),
        (np.full((5, 2), DOWN, np.float32), labels),
        (np.asfortranarray(far_off(rng, 5, 2)), labels),
        # subtracting the mean, or only the smallest logit, overflows here; the probability of no label is 0
        *((far_off(rng, 5, 2, level=level), np.ones(5, int)) for level in (UP, DOWN + UP)),
    ]
