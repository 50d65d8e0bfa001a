"""Calculations around pretraining: the learning rate of a step, buckets of similar lengths, the cost.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, for the learning rate and the sizes; OneCycle: Smith
(2018, arXiv 1803.09820), section 4; 6 operations for each parameter and token: Kaplan et al. (2020, arXiv
2001.08361), section 2.1. `minibert.training` calls `learning_rate` at every step and `bucket_by_length` at
every epoch.
"""
import math
from collections.abc import Iterable, Sequence

import numpy as np


def learning_rate(step: int, steps: int, peak: float, warmup: int) -> float:
    """Return the learning rate of a step: linear warm-up to `peak`, then linear decay to 0.

    step: 0 to steps - 1; warmup: the number of steps until the peak. Raises ValueError for a warmup outside 0
    to steps.

    >>> [learning_rate(s, steps=6, peak=1.0, warmup=2) for s in range(6)]
    [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    """
    if not 0 <= warmup <= steps:
        raise ValueError(f"warmup={warmup} must lie between 0 and steps={steps}")
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (steps - step) / (steps - warmup)


def one_cycle_rate(step: int, steps: int, peak: float) -> float:
    """Return OneCycle's learning rate of a step, by the rule of thumb of lesson 5.

    It goes up from peak / 100 in the first tenth of the steps, whose last step has the peak, then down to a
    hundredth of the start in the last step of all; both sides are half-waves of a cosine, as in PyTorch's
    OneCycleLR. step: 0 to steps - 1; steps: a multiple of 10, at least 20, else ValueError is raised.
    `minibert.training.schedule.one_cycle` has the general form.

    >>> [round(one_cycle_rate(s, steps=30, peak=1.0), 4) for s in (0, 1, 2, 11, 20, 29)]
    [0.01, 0.505, 1.0, 0.75, 0.2501, 0.0001]
    """
    if steps < 20 or steps % 10:
        raise ValueError(f"steps={steps} must be a multiple of 10, at least 20")
    top, last = steps // 10 - 1, steps - 1
    first = peak / 100
    a, b, share = (first, peak, step / top) if step <= top else (peak, first / 100,
                                                                 (step - top) / (last - top))
    return b + (a - b) * (1 + math.cos(math.pi * share)) / 2


def bucket_by_length(lengths: Sequence[int], batch_size: int, pool: int,
                     rng: np.random.Generator) -> list[list[int]]:
    """Divide one epoch into batches of similar lengths, in random order; returns the indices of each batch.

    lengths: of n sequences; pool: how many batches are drawn together and then sorted by length, so that
    little is padding. The result holds each of 0 ... n - 1 once; all batches have `batch_size` sequences
    except one, where n is not a multiple.

    >>> from numpy.random import default_rng
    >>> bucket_by_length([5, 9, 6, 8, 5, 9], batch_size=2, pool=3, rng=default_rng(0))
    [[4, 0], [2, 3], [5, 1]]
    """
    indices = rng.permutation(len(lengths))
    size = pool * batch_size
    pools = [sorted(indices[i:i + size].tolist(), key=lambda j: lengths[j])
             for i in range(0, len(lengths), size)]
    cut = [group[i:i + batch_size] for group in pools for i in range(0, len(group), batch_size)]
    return [cut[i] for i in rng.permutation(len(cut))]


def pretraining_cost(parameters: int, phases: Iterable[tuple[int, int, int]], chips: int, peak: float,
                     utilisation: float) -> dict[str, float]:
    """Estimate a run's cost: {"tokens": read in all, "flops": operations, "days": on these chips}.

    parameters: of the model. phases: (steps, sequences in a batch, tokens in a sequence) of each. chips: how
    many; peak: operations a second of one chip; utilisation: the share of these that the model's computation
    uses, above 0 and at most 1.

    >>> pretraining_cost(1000, [(10, 4, 8), (2, 4, 16)], chips=2, peak=1e3, utilisation=0.5)["flops"]
    2688000
    """
    tokens = sum(steps * rows * length for steps, rows, length in phases)
    flops = 6 * parameters * tokens  # forward: a product and a sum for each parameter; backward: twice that
    return {"tokens": tokens, "flops": flops, "days": flops / (chips * peak * utilisation) / 86_400}
