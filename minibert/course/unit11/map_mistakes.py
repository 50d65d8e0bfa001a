"""Test inputs for `layer_map`, which layers of a teacher a student starts from, and common mistakes.

Sanh et al. (2019, arXiv 1910.01108), section 2; Sun et al. (2019, arXiv 1908.09355), section 3; Jiao et al.
(2020, arXiv 1909.10351), section 3.2.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import HOW, layer_map

SIZES = (
    (12, 6),
    (12, 3),
    (6, 4),
    (6, 3),
    (12, 5),
    (4, 3),
    (5, 5),
    (8, 1),
    (1, 1),
    (24, 9),
    (7, 2),
    (11, 6),
    (15, 11),
)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return sizes with every way, of which some do not divide and some give halves."""
    fresh = [(int(T), int(rng.integers(1, T + 1))) for T in rng.integers(7, 35, 4)]
    return [(T, S, how) for T, S in (*SIZES, *fresh) for how in HOW]


def allowed(teacher_layers: int, student_layers: int, how: str) -> bool:
    return 1 <= student_layers <= teacher_layers and how in HOW


MAP = (
    *edits(
        layer_map,
        """
        $bottom = list(range(S))
        $top = list(range(T - S, T))
        $unlike = how == "every"
        $every = (i + 1) * T // S - 1
        $skip = (2 * i * last + gaps) // (2 * gaps)

        you count the layers from 1. The lowest one is layer 0.
            return [i + 1 for i in result]
        "bottom" and "top" are swapped. Layer 0 is the one next to the embeddings.
            $bottom => list(range(T - S, S + T - S))
            $top => $bottom
        "every" and "skip" are swapped. "skip" contains the first layer and the last one.
            $unlike => how == "skip"
        the layers are in descending order. The lowest layer of the student comes first.
            return result[::-1]
        the layers of "top" are in descending order. The lowest layer of the student comes first.
            $top => $top[::-1]
        "top" is one layer too low. It ends with layer T - 1.
            $top => list(range(T - S - 1, T - 1))
        "top" is one layer too high. It ends with layer T - 1.
            $top => list(range(T - S + 1, T + 1))
        "bottom" leaves out layer 0. It starts there.
            $bottom => list(range(1, S + 1))
        "every" takes the first layer of each part. Take the last one, so that the top layer is among them.
            $every => i * T // S
            or
            $every => round(i * T / S)
        "every" can lose a layer to a rounding error: 11 * (15 / 11) is 14.999999999999998. Multiply first,
        then divide.
            $every => int((i + 1) * (T / S)) - 1
        "every" uses T // S as a distance, which does not reach the top if S does not divide T. Multiply
        first, then divide.
            $every => (i + 1) * (T // S) - 1
        "every" uses T // S as a distance from layer 0. Take the last layer of each part; multiply first, then
        divide.
            $every => i * (T // S)
        "every" is rounded up. Round down, before you subtract 1.
            $every => -(-(i + 1) * T // S) - 1
        "every" is rounded to the nearest layer. Round down, before you subtract 1.
            $every => round((i + 1) * T / S) - 1
            or
            $every => int((i + 1) * T / S + 0.5) - 1
        "every" is one layer too high. Numbers start from 0, so subtract 1.
            $every => (i + 1) * T // S
        "skip" is rounded down. Round to the nearest layer.
            $skip => i * last // gaps
        "skip" is rounded up. Round to the nearest layer.
            $skip => -(-i * last // gaps)
        a half is rounded to the even number, as `round` does. Round halves up, for example with
        `int(x + 0.5)`.
            $skip => round(i * last / gaps)
        a half is rounded down. Round halves up.
            $skip => -((-2 * i * last + gaps) // (2 * gaps))
        "skip" uses a whole number as a distance. Multiply by i, then divide and round.
            $skip => i * (last // gaps)
            or
            $skip => i * (T // S) if i < S - 1 else last
            or
            $skip => i * round(last / gaps)
        "skip" uses T / S as a distance. S layers have S - 1 gaps, from layer 0 to layer T - 1.
            $skip => int(i * T / S + 0.5)
            or
            $skip => i * T // S
        "skip" does not reach the top. Divide by S - 1, because S layers have S - 1 gaps.
            gaps = T - 1, max(S - 1, 1) => gaps = T - 1, S
        "skip" ends too high. It ends with layer T - 1.
            last, gaps = T - 1, => last, gaps = T,
        you divide by S - 1, which is 0 for one layer. "skip" should give layer 0 then.
            max(S - 1, 1) => S - 1
            or
            max(S - 1, 1) => S - 1
            $skip => int(i * last / gaps + 0.5)
        with one layer, "skip" should give layer 0.
            return [(2 => return [T - 1] if S == 1 else [(2
        """,
    ),
    *pairs_of_edits(
        layer_map,
        """
        "every" takes the first layer of each part, not the last one
            (i + 1) * T // S - 1 => i * T // S
        "skip" is rounded down, not to the nearest layer
            (2 * i * last + gaps) // (2 * gaps) => i * last // gaps
        a half is rounded to the even number, not up
            (2 * i * last + gaps) // (2 * gaps) => round(i * last / gaps)
        "top" is one layer too low
            T - S, T) => T - S - 1, T - 1)
        "bottom" leaves out layer 0
            range(S)) => range(1, S + 1))
        """,
    ),
)


def grows(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the layers are different and in ascending order."""
    return all(
        [*f(T, S, how)] == sorted(set(f(T, S, how))) and len(f(T, S, how)) == S for T, S, how in cases(rng)
    )


def inside(f: Callable, rng: np.random.Generator) -> bool:
    return all({*f(T, S, how)} <= {*range(T)} for T, S, how in cases(rng))


def whole_teacher(f: Callable, rng: np.random.Generator) -> bool:
    return all([*f(7, 7, how)] == list(range(7)) for how in HOW)
