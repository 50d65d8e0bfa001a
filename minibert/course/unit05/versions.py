"""Correct and wrong versions of `learning_rate`, which the student's test must tell apart."""

from functools import partial

import numpy as np

from minibert.training.schedule import learning_rate

from ..checks.edits import edited, named
from ..checks.student_tests import Version
from .learning_rate_mistakes import LEARNING_RATE

slip = partial(named, LEARNING_RATE)
changed = partial(edited, learning_rate)
DOWN = "peak * (steps - step) / (steps - warmup)"


def by_interpolation(step: int, steps: int, peak: float, warmup: int) -> float:
    if step < warmup:
        return np.interp(step, [-1, warmup - 1], [0, peak])
    return np.interp(step, [warmup, steps], [peak, 0])


def by_table(step: int, steps: int, peak: float, warmup: int) -> float:
    up, left = [(i + 1) / warmup for i in range(warmup)], steps - warmup
    return (up + [i / left for i in range(left, 0, -1)])[step] * peak


def in_float32(step: int, steps: int, peak: float, warmup: int) -> float:
    return np.float32(by_interpolation(step, steps, peak, warmup))


RIGHT = (
    Version(
        "one that interpolates between the two ends of each line, so that the last digits are rounded "
        "differently",
        by_interpolation,
    ),
    Version("one that looks the step up in a table", by_table),
    Version("one in float32, whose seventh digit may differ: compare with np.isclose", in_float32),
)
WRONG = (
    Version("starts with the learning rate 0", slip("the first step's learning rate is 0")),
    Version(
        "ends with the learning rate 0",
        changed(f"{DOWN} => peak * (steps - 1 - step) / max(1, steps - 1 - warmup)"),
    ),
    Version(
        "counts the decay from the start of the run, so the learning rate jumps down after the warm-up",
        slip("the decay counts from the start of the run, so"),
    ),
    Version("stays at the peak after the warm-up", slip("the learning rate stays at the peak")),
    Version("has no warm-up", slip("no warm-up, and the decay")),
    Version(
        "warms up for one step too many and exceeds the peak",
        changed("step < warmup => step <= warmup and warmup > 0"),
    ),
    Version("goes down along a cosine instead of a straight line", slip("half a cosine")),
)
MORE = (
    Version("returns a share of the peak, whatever `peak` is", slip("a share of the peak. Multiply")),
    Version("divides by 0 if there is no warm-up", changed(r"if step => 1 / warmup\nif step")),
    Version("divides by 0 if all steps are warm-up", changed(r"if step => 1 / (steps - warmup)\nif step")),
    Version(
        "goes down along a curve, although its first and last learning rates are correct",
        changed(f"{DOWN} => peak * (steps - warmup) ** ((warmup - step) / max(1, steps - warmup - 1))"),
    ),
    Version(
        "rounds to four decimals, which is too coarse for a peak of 0.0001",
        changed("return round(result, 4)"),
    ),
)
