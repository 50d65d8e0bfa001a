"""Inputs, known mistakes and invariants of `one_cycle_rate`.

Smith (2018, arXiv 1803.09820), section 4, with the half-waves of PyTorch's OneCycleLR.
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
    """Return steps on both sides, near the peak and at both ends; with large peaks, neither end is near 0."""
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

    both sides are straight lines, as in Smith's paper. Here each side is half a cosine wave.
        $wave => $line
    the way up is a straight line. Like the way down, it should be half a cosine wave.
        $wave => $line if step <= top else $wave
    the way down is a straight line. Like the way up, it should be half a cosine wave.
        $wave => $wave if step <= top else $line
    the run begins at 0. It should begin at a hundredth of the peak.
        (first, peak, => (0.0, peak,
    the run begins at 1/25 of the peak, which is PyTorch's default. Here it should begin at a hundredth.
        peak / 100 => peak / 25
    the run begins at a tenth of the peak. It should begin at a hundredth.
        (first, peak, => (peak / 10, peak,
    the run begins at a tenth of the peak and ends at a tenth of that. Both should be hundredths.
        peak / 100 => peak / 10
        $end => first / 10
    the run ends at 0. It should end at a hundredth of the start: peak / 10000.
        $end => 0.0
    the run ends where it began. It should end at a hundredth of the start: peak / 10000.
        $end => first
    the run ends at a thousandth of the peak. A hundredth of a hundredth is peak / 10000.
        $end => peak / 1000
    the run ends far below a hundredth of the start. PyTorch's default divides the start by
    10000; here, divide it by 100.
        $end => first / 10_000
    both ends are 0. The run should begin at peak / 100 and end at peak / 10000.
        peak / 100 => 0.0
    the warm-up takes 30% of the steps, which is PyTorch's default. Here it should take a tenth.
        steps // 10 => steps * 3 // 10
    the warm-up takes half of the steps. It should take a tenth.
        steps // 10 => steps // 2
    the warm-up takes a hundredth of the steps. It should take a tenth.
        steps // 10 => max(2, steps // 100)
    the peak comes one step late. The warm-up has the steps 0 to steps / 10 - 1, and the
    last of them should have the peak.
        steps // 10 - 1 => steps // 10
    the peak comes one step late, and the end would come one step after the last. Divide by the number of
    intervals between steps, which is one less than the number of steps.
        steps // 10 - 1, steps - 1 => steps // 10, steps
    the way up never reaches the peak. There are steps / 10 - 1 intervals between step 0
    and the last step of the warm-up.
        $up => step / (top + 1)
    the first step is above a hundredth of the peak. Step 0 is the very beginning of
    the way up, so its share is 0.
        $up => (step + 1) / (top + 1)
    the last step does not reach the end of the curve. There are steps - steps / 10 intervals between the
    peak's step and the last step.
        $down => (step - top) / (steps - top)
    the way down begins one step late, so two steps have the peak. It should begin at the step of the peak.
        $down => (step - top - 1) / (last - top - 1)
    the way down begins one step late, and the last step does not reach the end. It should lead from the step
    of the peak to the last step, steps - 1.
        $down => (step - top - 1) / (last - top)
    the way down counts from the start of the run, so the learning rate jumps after the peak.
    Count from the step of the peak.
        $down => step / last
    there is no warm-up. The learning rate should go up in the first tenth of the steps.
        step <= top => False
        $down => step / last
    after the warm-up the learning rate stays at the peak. It should go down to peak / 10000.
        $end => peak
    you return a share of the peak. Multiply it by peak.
        return right(step, steps, 1.0)
    each side runs backwards. (1 + cos) / 2 goes from 1 to 0, so it is the weight of the
    number at which the side begins.
        $wave => $backwards
    the way up runs backwards, from the peak to a hundredth of it.
        $wave => $backwards if step <= top else $wave
    the way down runs backwards, so the last step has the peak.
        $wave => $wave if step <= top else $backwards
    1 + cos goes from 2 to 0. Divide it by 2.
        math.cos($pi)) / 2 => math.cos($pi))
    each side is a whole wave, which comes back to where it began. Half a wave ends at cos(pi).
        $pi => 2 * $pi
    math.cos takes radians, so do not convert: half a wave ends at math.cos(math.pi).
        $pi => math.radians($pi)
    pi is missing. Half a wave ends at cos(pi), not at cos(1).
        $pi => share
    the wave is as high as the number at which the side begins. It should be as high as the
    difference of both ends: (a - b).
        (a - b) * => a *
    each side is a quarter of a wave, which begins steeply. Use half a wave, which begins and ends flat.
        $wave => a + (b - a) * math.sin(math.pi / 2 * share)
    the learning rate is multiplied by the same factor at each step. Each side should be half a cosine wave.
        $wave => a * (b / a) ** share if a else 0.0
    """,
)


def rates(f: Callable, steps: int = STEPS, peak: float = PEAK) -> np.ndarray:
    """Return the learning rates of a whole run, (steps,)."""
    return np.array([float(rate) for rate in many(f, [(step, steps, peak) for step in range(steps)])])


def small_numbers(f: Callable, rng: np.random.Generator) -> bool | str:
    """Check that the first and last learning rate of a run with an ordinary peak are right, however small."""
    steps, peak = SMALL
    for step, words in ((steps - 1, "last"), (0, "first")):
        error = float(f(step, steps, peak)) / schedule.one_cycle_rate(step, steps, peak) - 1
        if abs(error) > 0.02:
            return f"with the peak {peak}, the {words} step's learning rate is tiny, and yours is " + (
                "larger. Do you limit it from below, or add a small number to it?"
                if error > 0
                else "smaller. Do you round it, or cut it off?"
            )
    return True


def up_then_down(f: Callable, rng: np.random.Generator) -> bool:
    run, top = rates(f), STEPS // 10 - 1
    return bool((np.diff(run[: top + 1]) > 0).all() and (np.diff(run[top:]) < 0).all())


def value(sentence: str, step: int, rate: float) -> Invariant:
    """Build the Invariant that `rate` is a run's learning rate at `step`."""
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
        "in the middle of the way up, the learning rate is halfway between the start and the peak",
        2,
        PEAK * 1.01 / 2,
    ),
    Invariant(
        "twice the peak is twice the learning rate",
        lambda f, rng: np.allclose(rates(f, peak=2 * PEAK), 2 * rates(f)),
    ),
    Invariant("small learning rates are neither rounded nor cut off", small_numbers),
)
