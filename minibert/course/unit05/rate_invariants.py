"""Properties that `learning_rate` must have, such as four values, two straight lines and no lower bound."""

from collections.abc import Callable

import numpy as np

from minibert.training import schedule

from ..checks.exercise import Invariant
from ..checks.guard import many

STEPS, WARMUP, PEAK = 20, 6, 0.3
LONG = (1_000_000, 1e-4, 10_000)  # steps, peak, warmup: the first and last learning rates are tiny


def rates(f: Callable, peak: float = PEAK) -> np.ndarray:
    """Return f's learning rate for every step of a run as an array (STEPS,)."""
    return np.array([float(rate) for rate in many(f, [(step, STEPS, peak, WARMUP) for step in range(STEPS)])])


def tiny_rates(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if f's tiny first and last learning rates in a long run are right, else a hint.

    If they are wrong in a short run too, returns True, because other checks report this.
    """

    def error(step):
        right = schedule.learning_rate(step, *LONG)
        return float(f(step, *LONG)) / right - 1

    short = [schedule.learning_rate(step, STEPS, PEAK, WARMUP) for step in range(STEPS)]
    if not np.allclose(rates(f), short, rtol=1e-4):
        return True
    for step, words in ((LONG[0] - 1, "last"), (0, "first")):
        if abs(error(step)) > 1e-3:
            return f"in a long run, the learning rate of the {words} step is tiny, but yours is " + (
                "larger. Do not limit it from below or add a small number to it."
                if error(step) > 0
                else "smaller. Do not round it or cut it off."
            )
    return True


def straight(f: Callable, rng: np.random.Generator) -> bool:
    run = rates(f)
    return all(np.allclose(np.diff(way, n=2), 0, atol=1e-5) for way in (run[:WARMUP], run[WARMUP:]))


def rises_then_falls(f: Callable, rng: np.random.Generator) -> bool:
    run = rates(f)
    return bool((np.diff(run[:WARMUP]) > 0).all() and (np.diff(run[WARMUP:]) < 0).all() and (run > 0).all())


def row(sentence: str, step: int, rate: float) -> Invariant:
    """Return an Invariant, described by `sentence`, that requires the learning rate `rate` at step `step`."""
    return Invariant(sentence, lambda f, rng: np.isclose(rates(f)[step], rate))


RATES = (
    Invariant("small learning rates are not rounded and not cut off", tiny_rates),
    Invariant(
        "no learning rate is above the peak", lambda f, rng: bool((rates(f) <= PEAK * (1 + 1e-6)).all())
    ),
    Invariant("the learning rate rises up to the peak and decreases after it", rises_then_falls),
    Invariant(
        "a peak that is twice as high doubles the learning rate",
        lambda f, rng: np.allclose(rates(f, 2 * PEAK), 2 * rates(f)),
    ),
    Invariant(
        "warm-up and decay are straight lines: the learning rate changes by the same amount at each step",
        straight,
    ),
    row("the first step's learning rate is peak / warmup", 0, PEAK / WARMUP),
    row("the last step of the warm-up has the peak", WARMUP - 1, PEAK),
    row("the first step after the warm-up also has the peak", WARMUP, PEAK),
    row("the last step's learning rate is peak / (steps - warmup)", STEPS - 1, PEAK / (STEPS - WARMUP)),
)
