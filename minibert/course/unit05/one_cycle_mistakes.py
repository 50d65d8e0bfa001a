"""Test inputs, common mistakes and required properties for `one_cycle_rate`.

Smith (2018, arXiv 1803.09820), section 4, with half cosine waves as in PyTorch's OneCycleLR.
"""

from collections.abc import Callable

import numpy as np

from minibert.training import schedule

from ..checks.edits import edits
from ..checks.exercise import Invariant
from ..checks.guard import many

STEPS, PEAK = 50, 20.0  # 5 steps of warm-up; the last one, step 4, has the peak
SMALL = (1000, 1e-3)  # steps, peak: the last learning rate is a ten-millionth


def one_cycle_cases(rng: np.random.Generator) -> list[tuple]:
    """Return (step, steps, peak) for steps before, near and after the peak.

    The peaks are large, so that no learning rate is near 0.
    """
    steps, peak = 10 * int(rng.integers(6, 12)), float(rng.integers(11, 29))
    top = steps // 10 - 1
    places = (2, top + 9, 0, top, top + 1, steps - 1, steps // 2, steps - 4)
    return [
        *((step, steps, peak) for step in places),
        *((step, 20, 7.5) for step in (0, 1, 2, 10, 19)),
        *((step, 30, 40) for step in (1, 2, 3, 11, 29)),
        *((step, 1000, 3000.0) for step in (0, 47, 99, 100, 600, 999)),
    ]


ONE_CYCLE = edits(
    schedule.one_cycle_rate,
    """
    $up = step / top
    $down = (step - top) / (last - top)
    $end = first / 100
    $pi = math.pi * share
    $wave = b + (a - b) * (1 + math.cos(math.pi * share)) / 2
    $line = a + (b - a) * share
    $backwards = a + (b - a) * (1 + math.cos(math.pi * share)) / 2

    warm-up and decay are straight lines, as in Smith's paper. Use half a cosine wave for each.
        $wave => $line
    the warm-up is a straight line. Use half a cosine wave, as in the decay.
        $wave => $line if step <= top else $wave
    the decay is a straight line. Use half a cosine wave, as in the warm-up.
        $wave => $wave if step <= top else $line
    the learning rate begins at 0. Begin at a hundredth of the peak.
        (first, peak, => (0.0, peak,
    the learning rate begins at 1/25 of the peak, which is PyTorch's default. Begin at a hundredth of the
    peak.
        peak / 100 => peak / 25
    the learning rate begins at a tenth of the peak. Begin at a hundredth of the peak.
        (first, peak, => (peak / 10, peak,
    the learning rate begins at a tenth of the peak and ends at a hundredth. Begin at a hundredth, and end at
    a hundredth of that.
        peak / 100 => peak / 10
        $end => first / 10
    the learning rate ends at 0. End at a hundredth of the first learning rate.
        $end => 0.0
    the learning rate ends where it began. End at a hundredth of the first learning rate.
        $end => first
    the learning rate ends at a thousandth of the peak. End at a hundredth of the first learning rate.
        $end => peak / 1000
    the learning rate ends far too low. Divide the first learning rate by 100, not by PyTorch's default of
    10000.
        $end => first / 10_000
    the learning rate begins and ends at 0. Begin at a hundredth of the peak, and end at a hundredth of that.
        peak / 100 => 0.0
    the warm-up takes 30% of the steps, which is PyTorch's default. Let it take a tenth of the steps.
        steps // 10 => steps * 3 // 10
    the warm-up takes half of the steps. Let it take a tenth of the steps.
        steps // 10 => steps // 2
    the warm-up takes a hundredth of the steps. Let it take a tenth of the steps.
        steps // 10 => max(2, steps // 100)
    the peak comes one step late. Reach it at the last step of the warm-up; steps count from 0.
        steps // 10 - 1 => steps // 10
    the peak and the end of the curve come one step late. Between n steps, there are only n - 1 intervals.
        steps // 10 - 1, steps - 1 => steps // 10, steps
    the warm-up never reaches the peak. Divide by the number of intervals between its first and last step.
        $up => step / (top + 1)
    the first learning rate is above a hundredth of the peak. Step 0 is the beginning of the wave.
        $up => (step + 1) / (top + 1)
    the last step does not reach the end of the curve. Divide by the number of intervals between the step of
    the peak and the last step.
        $down => (step - top) / (steps - top)
    the decay begins one step late, so two steps have the peak. Begin at the step of the peak.
        $down => (step - top - 1) / (last - top - 1)
    the decay begins one step late and does not reach its end. Let it run from the step of the peak to the
    last step.
        $down => (step - top - 1) / (last - top)
    the decay counts from the start of the run, so the learning rate jumps after the peak. Count from the
    step of the peak.
        $down => step / last
    there is no warm-up. Let the learning rate rise in the first tenth of the steps.
        step <= top => False
        $down => step / last
    after the warm-up, the learning rate stays at the peak. Let it decay to a hundredth of the first learning
    rate.
        $end => peak
    you return a share of the peak. Multiply it by peak.
        return right(step, steps, 1.0)
    warm-up and decay both run backwards. The wave goes from 1 to 0; multiply it by the first number minus the
    last.
        $wave => $backwards
    the warm-up runs backwards, from the peak to a hundredth of it. Swap its two ends.
        $wave => $backwards if step <= top else $wave
    the decay runs backwards, so the last step has the peak. Swap its two ends.
        $wave => $wave if step <= top else $backwards
    you use 1 + cos, which goes from 2 to 0. Halve it.
        math.cos($pi)) / 2 => math.cos($pi))
    warm-up and decay are whole waves, which end where they begin. Use half a wave.
        $pi => 2 * $pi
    you convert the argument of math.cos from degrees. It is in radians already.
        $pi => math.radians($pi)
    the factor pi is missing. Half a wave ends at pi, not at 1.
        $pi => share
    the height of the wave is its first number. It should be the difference of its two ends.
        (a - b) * => a *
    warm-up and decay are quarters of a wave, which begin steeply. Use half waves, which begin and end flat.
        $wave => a + (b - a) * math.sin(math.pi / 2 * share)
    the learning rate is multiplied by the same factor at each step. Use half a cosine wave for the warm-up
    and another for the decay.
        $wave => a * (b / a) ** share if a else 0.0
    """,
)


def rates(f: Callable, steps: int = STEPS, peak: float = PEAK) -> np.ndarray:
    """Return f's learning rate for every step of a run as an array (steps,)."""
    return np.array([float(rate) for rate in many(f, [(step, steps, peak) for step in range(steps)])])


def small_numbers(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if f's tiny first and last learning rates are right, else a hint."""
    steps, peak = SMALL
    for step, words in ((steps - 1, "last"), (0, "first")):
        error = float(f(step, steps, peak)) / schedule.one_cycle_rate(step, steps, peak) - 1
        if abs(error) > 0.02:
            return f"with the peak {peak}, the learning rate of the {words} step is tiny, but yours is " + (
                "larger. Do not limit it from below or add a small number to it."
                if error > 0
                else "smaller. Do not round it or cut it off."
            )
    return True


def up_then_down(f: Callable, rng: np.random.Generator) -> bool:
    run, top = rates(f), STEPS // 10 - 1
    return bool((np.diff(run[: top + 1]) > 0).all() and (np.diff(run[top:]) < 0).all())


def value(sentence: str, step: int, rate: float) -> Invariant:
    """Return an Invariant, described by `sentence`, that requires the learning rate `rate` at step `step`."""
    return Invariant(sentence, lambda f, rng: bool(np.isclose(rates(f)[step], rate)))


ONE_CYCLE_INVARIANTS = (
    Invariant(
        "no learning rate is above the peak", lambda f, rng: bool((rates(f) <= PEAK * (1 + 1e-6)).all())
    ),
    value("the first step has a hundredth of the peak", 0, PEAK / 100),
    value("the last step of the warm-up has the peak", STEPS // 10 - 1, PEAK),
    value("the last step of the run has a hundredth of the first learning rate", STEPS - 1, PEAK / 10_000),
    Invariant("the learning rate rises up to the peak and decreases after it", up_then_down),
    value(
        "in the middle of the warm-up, the learning rate is halfway between the start and the peak",
        2,
        PEAK * 1.01 / 2,
    ),
    Invariant(
        "a peak that is twice as high doubles the learning rate",
        lambda f, rng: np.allclose(rates(f, peak=2 * PEAK), 2 * rates(f)),
    ),
    Invariant("small learning rates are not rounded and not cut off", small_numbers),
)
