"""Schedules of the learning rate, and of OneCycle's momentum, as functions of the step number.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: linear warm-up, then linear decay to 0. OneCycle: Smith
(2018, arXiv 1803.09820), in the form of PyTorch's OneCycleLR: one cycle with cosine annealing.
"""

import math

from .config import TrainConfig

# OneCycle: the initial learning rate as a fraction of the peak, the final one as a fraction of the initial.
FIRST, LAST = 1 / 25, 1e-4
SLOW, FAST = 0.95, 0.85  # OneCycle: momentum at the initial and final learning rate, and at the peak


def learning_rate(step: int, steps: int, peak: float, warmup: int) -> float:
    """Return the learning rate of a step: linear warm-up to `peak`, then linear decay to 0.

    step: 0 to steps - 1. warmup: the number of warm-up steps. Raises ValueError unless 0 <= warmup <= steps.

    >>> [learning_rate(s, steps=6, peak=1.0, warmup=2) for s in range(6)]
    [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    """
    if not 0 <= warmup <= steps:
        raise ValueError(f"warmup={warmup} must be between 0 and steps={steps}")
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (steps - step) / (steps - warmup)


def one_cycle_rate(step: int, steps: int, peak: float) -> float:
    """Return the learning rate of a step of a simple one-cycle schedule.

    It rises from peak / 100 to the peak during the first tenth of the steps, and then falls to a hundredth of
    its initial value in the last step. Both parts are half a cosine wave, as in PyTorch's OneCycleLR. step: 0
    to steps - 1. Raises ValueError unless `steps` is a multiple of 10 and at least 20.

    >>> [round(one_cycle_rate(s, steps=30, peak=1.0), 4) for s in (0, 1, 2, 11, 20, 29)]
    [0.01, 0.505, 1.0, 0.75, 0.2501, 0.0001]
    """
    if steps < 20 or steps % 10:
        raise ValueError(f"steps={steps} must be a multiple of 10 and at least 20")
    top, last = steps // 10 - 1, steps - 1
    first = peak / 100
    a, b, share = (
        (first, peak, step / top) if step <= top else (peak, first / 100, (step - top) / (last - top))
    )
    return b + (a - b) * (1 + math.cos(math.pi * share)) / 2


def bert_rate(step: int, steps: int, peak: float, warmup: int) -> float:
    """Return the learning rate of a step as in BERT's own code; `learning_rate` follows the paper.

    In google-research/bert, optimization.py, the learning rate of the first step is 0, and the decay is
    counted from the start of the run, so that the learning rate drops abruptly after the warm-up.

    >>> [round(bert_rate(s, steps=6, peak=1.0, warmup=2), 3) for s in range(6)]
    [0.0, 0.5, 0.667, 0.5, 0.333, 0.167]
    """
    return peak * step / warmup if step < warmup else peak * (1 - step / steps)


def one_cycle(step: int, steps: int, warmup: float, first: float, peak: float, last: float) -> float:
    """Return the value at a step of a cycle that goes from `first` to `peak` and then to `last`.

    warmup: the fraction of the steps before the peak.

    >>> [round(one_cycle(s, steps=6, warmup=0.5, first=0.0, peak=1.0, last=0.5), 3) for s in range(6)]
    [0.0, 0.5, 1.0, 0.875, 0.625, 0.5]
    """
    top, end = max(0.0, warmup * steps - 1), steps - 1
    if step <= top:
        return cosine(first, peak, step / top if top else 1.0)
    return cosine(peak, last, (step - top) / (end - top))


def cosine(start: float, end: float, share: float) -> float:
    """Return the value at a fraction `share` (0 to 1) of half a cosine wave from `start` to `end`."""
    return end + (start - end) * (1 + math.cos(math.pi * share)) / 2


def rate_of(config: TrainConfig, step: int) -> float:
    """Return the learning rate of a step of a run; a phase continues the schedule of its run."""
    step, steps, peak = config.first_step + step, config.whole_run, config.peak_rate
    if config.schedule == "bert":
        return bert_rate(step, steps, peak, round(config.warmup * steps))
    if config.schedule == "onecycle":
        return one_cycle(step, steps, config.warmup, peak * FIRST, peak, peak * FIRST * LAST)
    return learning_rate(step, steps, peak, round(config.warmup * steps))


def momentum_of(config: TrainConfig, step: int) -> float | None:
    """Return OneCycle's momentum, which is low while the learning rate is high; None for other schedules."""
    if config.schedule == "onecycle":
        return one_cycle(config.first_step + step, config.whole_run, config.warmup, SLOW, FAST, SLOW)
    return None
