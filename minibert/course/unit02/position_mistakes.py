"""Known mistakes about `positional_encoding`, the table of sines and cosines; D: hidden size."""

from collections.abc import Callable

import numpy as np

from minibert import reference

from ..checks.exercise import Mistake, pairs


def positions(
    exponent: Callable = lambda i, D: 2 * i / D,
    base: int = 10000,
    first: int = 0,
    order: tuple[Callable, Callable] = (np.sin, np.cos),
    first_i: int = 0,
    axis: int = -1,
) -> Callable:
    """Build a positional encoding with some pieces replaced.

    exponent(i, D): of the base, for pair i; axis -2: all sines come first.
    """

    def wrong(length, hidden_size):
        i = np.arange(hidden_size // 2) + first_i  # (D/2,)
        angles = (np.arange(length) + first)[:, None] / np.power(float(base), exponent(i, hidden_size))
        return np.stack([order[0](angles), order[1](angles)], axis).reshape(length, hidden_size)

    return wrong


def own_exponents(length: int, hidden_size: int) -> np.ndarray:
    column = np.arange(hidden_size)
    angles = np.arange(length)[:, None] / 10000 ** (column / hidden_size)
    return np.where(column % 2, np.cos(angles), np.sin(angles))


def multiplied(length: int, hidden_size: int) -> np.ndarray:
    angles = np.arange(length)[:, None] * 10000 ** (2 * np.arange(hidden_size // 2) / hidden_size)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, hidden_size)


POSITIONAL_ENCODING = (
    Mistake(
        "all sines come first, then all cosines. They alternate: sine in the even columns, cosine in the "
        "odd ones.",
        positions(axis=-2),
    ),
    Mistake("the exponent is i / D; it is 2i / D. The 2 is missing.", positions(lambda i, D: i / D)),
    Mistake(
        "the exponent is 4i / D. If your i already counts the even columns 0, 2, 4 ..., it is the "
        "formula's 2i.",
        positions(lambda i, D: 4 * i / D),
    ),
    Mistake(
        "each cosine has an exponent of its own. A sine and its cosine share the angle, with exponent 2i "
        "/ D.",
        own_exponents,
    ),
    Mistake(
        "the exponent divides by D - 2 or D/2 - 1, so the last pair ends at 10000 exactly. Divide 2i by D.",
        positions(lambda i, D: 2 * i / max(D - 2, 1)),
    ),
    Mistake("the exponent divides by D - 1; divide 2i by D.", positions(lambda i, D: 2 * i / (D - 1))),
    Mistake(
        "the pairs are counted from i = 1; the first is i = 0, with the angle t itself.", positions(first_i=1)
    ),
    Mistake(
        "the positions are counted from 1; the first is t = 0, with sine 0 and cosine 1.", positions(first=1)
    ),
    Mistake("the base is 1000; it is 10000.", positions(base=1000)),
    Mistake("the base is 100000; it is 10000.", positions(base=100000)),
    Mistake(
        "sine and cosine are swapped: sine in the even columns, cosine in the odd ones.",
        positions(order=(np.cos, np.sin)),
    ),
    Mistake("there are only sines; the odd columns take the cosine.", positions(order=(np.sin, np.sin))),
    Mistake("you multiply t by 10000^(2i/D); divide by it. Later pairs turn more slowly.", multiplied),
    Mistake(
        "the positions begin anew after 512. Every position has its own angle, however long the table.",
        lambda length, hidden_size: reference.positional_encoding(512, hidden_size)[np.arange(length) % 512],
    ),
    Mistake(
        "the angles are multiplied by pi. The formula has none: t over a power of 10000.",
        positions(order=(lambda a: np.sin(np.pi * a), lambda a: np.cos(np.pi * a))),
    ),
    Mistake(
        "the base is the length of the table; it is 10000, however long the table.",
        lambda length, hidden_size: positions(base=length)(length, hidden_size),
    ),
    Mistake("the sign of the sine is flipped.", positions(order=(lambda a: np.sin(-a), np.cos))),
    Mistake(
        "the positions run backwards: row 0 is position 0.",
        lambda length, hidden_size: reference.positional_encoding(length, hidden_size)[::-1],
    ),
    Mistake(
        "the exponent is (2i + 1) / D; it is 2i / D for the sine and for its cosine.",
        positions(lambda i, D: (2 * i + 1) / D),
    ),
    Mistake(
        "the angles are cut to whole numbers: `//` is another division than `/`.",
        positions(order=(lambda a: np.sin(np.floor(a)), lambda a: np.cos(np.floor(a)))),
    ),
    Mistake(
        "the table is divided by sqrt(D). Sine and cosine stay as they are.",
        lambda length, hidden_size: reference.positional_encoding(length, hidden_size) / np.sqrt(hidden_size),
    ),
    Mistake(
        "the table is transposed: one row per position, (length, hidden_size).",
        lambda length, hidden_size: reference.positional_encoding(length, hidden_size).T,
    ),
    Mistake("these are the angles; take their sine and cosine.", positions(order=(lambda a: a, lambda a: a))),
    Mistake(
        "the angles are in degrees; np.sin and np.cos take them as they are, in radians.",
        positions(order=(lambda a: np.sin(np.degrees(a)), lambda a: np.cos(np.degrees(a)))),
    ),
    Mistake(
        "the angles are read as degrees; np.sin and np.cos take them as they are, in radians.",
        positions(order=(lambda a: np.sin(np.radians(a)), lambda a: np.cos(np.radians(a)))),
    ),
    *pairs(
        positions,
        (dict(axis=-2), "all sines come first, but they alternate with the cosines"),
        (dict(exponent=lambda i, D: i / D), "the exponent is i / D instead of 2i / D"),
        (dict(exponent=lambda i, D: 4 * i / D), "the exponent is 4i / D instead of 2i / D"),
        (dict(base=1000), "the base is 1000 instead of 10000"),
        (dict(first=1), "the positions are counted from 1 instead of 0"),
        (dict(first_i=1), "the pairs are counted from 1 instead of 0"),
        (dict(order=(np.cos, np.sin)), "sine and cosine are swapped"),
    ),
)
