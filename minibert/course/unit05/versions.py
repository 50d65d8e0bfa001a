"""Versions of `learning_rate`, right and wrong, that the student's test has to tell apart."""

import math

import numpy as np

from ..checks.student_tests import Version
from . import learning_rate_mistakes as wrongly


def by_interpolation(step: int, steps: int, peak: float, warmup: int) -> float:
    if step < warmup:
        return np.interp(step, [-1, warmup - 1], [0, peak])
    return np.interp(step, [warmup, steps], [peak, 0])


def by_table(step: int, steps: int, peak: float, warmup: int) -> float:
    up, left = [(i + 1) / warmup for i in range(warmup)], steps - warmup
    return (up + [i / left for i in range(left, 0, -1)])[step] * peak


def in_float32(step: int, steps: int, peak: float, warmup: int) -> float:
    return np.float32(by_interpolation(step, steps, peak, warmup))


def up_in_any_case(step: int, steps: int, peak: float, warmup: int) -> float:
    up = (step + 1) / warmup
    return peak * (up if step < warmup else (steps - step) / (steps - warmup))


def down_in_any_case(step: int, steps: int, peak: float, warmup: int) -> float:
    down = (steps - step) / (steps - warmup)
    return peak * ((step + 1) / warmup if step < warmup else down)


RIGHT = (
    Version(
        "one that interpolates between two points of each line; its rounding differs in the last digits",
        by_interpolation,
    ),
    Version("one that looks the step up in a table", by_table),
    Version("one in float32, whose seventh digit may differ: compare with np.isclose", in_float32),
)
WRONG = (
    Version("gives the first step the learning rate 0", wrongly.rate(up=lambda s, w: s / w)),
    Version(
        "gives the last step the learning rate 0",
        wrongly.rate(down=lambda s, n, w: (n - 1 - s) / max(1, n - 1 - w)),
    ),
    Version(
        "counts the decay from the start of the run, so that the learning rate jumps down after the warm-up",
        wrongly.rate(down=wrongly.from_the_start),
    ),
    Version("stays at the peak after the warm-up", wrongly.rate(down=lambda s, n, w: 1.0)),
    Version("has no warm-up", wrongly.rate(still_up=lambda s, w: False, down=wrongly.from_the_start)),
    Version(
        "warms up for one step too long, beyond the peak",
        wrongly.rate(still_up=lambda s, w: s <= w and w > 0),
    ),
    Version(
        "goes down along a cosine",
        wrongly.rate(down=lambda s, n, w: (1 + math.cos(math.pi * (s - w) / (n - w))) / 2),
    ),
)
MORE = (
    Version(
        "gives the share of the peak, whatever `peak` is",
        lambda step, steps, peak, warmup: wrongly.rate()(step, steps, 1.0, warmup),
    ),
    Version("divides by 0 where there is no warm-up", up_in_any_case),
    Version("divides by 0 where all steps are warm-up", down_in_any_case),
    Version(
        "goes down along a curve from the right first learning rate to the right last one",
        wrongly.rate(down=lambda s, n, w: (n - w) ** (-(s - w) / max(1, n - w - 1))),
    ),
    Version(
        "rounds to four decimals, which is much of a peak of 0.0001",
        lambda step, steps, peak, warmup: round(wrongly.rate()(step, steps, peak, warmup), 4),
    ),
)
