"""How a run is divided into phases, as in the papers; `recipes` has our own phases.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: short sequences first. Gong et al. (2019, ICML),
algorithm 1: few layers first. The learning rate runs over all phases as over one run; the optimiser's memory
begins anew in each.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..objectives.base import Objective
from .config import TrainConfig

MakeObjective = Callable[[Any, int], Objective]  # (tokenizer, longest sequence) -> Objective


class Phase(NamedTuple):
    """A part of a run: its TrainConfig, longest sequence, and the encoder's layers by then (None: all).

    make_objective: an objective with heads that the run's own objective has, too; None: that one.
    """

    config: TrainConfig
    max_length: int
    layers: int | None = None
    make_objective: MakeObjective | None = None


def divide(config: TrainConfig, ends: Sequence[int]) -> list[TrainConfig | None]:
    """Return the TrainConfigs of phases that end at these steps; that of a phase without a step is None."""
    starts = [0, *ends[:-1]]
    return [
        dataclasses.replace(config, steps=end - start, first_step=start, all_steps=config.steps)
        if end > start
        else None
        for start, end in zip(starts, ends)
    ]


def two_lengths(config: TrainConfig, short: int = 128, long: int = 512, share: float = 0.9) -> list[Phase]:
    """Divide a run into two Phases: `share` of the steps on short sequences, the rest on long ones.

    The long ones, in tokens, train the late positions. config: of the whole run. Both phases have batch_size
    sequences a step; the paper counts its 256 sequences at length 512. Raises ValueError unless short is
    below long, and for a share outside 0 to 1.

    >>> from minibert.training.config import TrainConfig
    >>> [(phase.config.steps, phase.max_length) for phase in two_lengths(TrainConfig(steps=1000))]
    [(900, 128), (100, 512)]
    """
    if not 0 < short < long:
        raise ValueError(f"short={short} must be above 0 and below long={long}")
    if not 0 <= share <= 1:
        raise ValueError(f"share={share} is a share of the steps, between 0 and 1")
    parts = zip(divide(config, [round(share * config.steps), config.steps]), (short, long))
    return [Phase(part, length) for part, length in parts if part]


def stacking_phases(
    config: TrainConfig, max_length: int, layers: int, times: int = 2, shares: Sequence[float] = (0.1, 0.3)
) -> list[Phase]:
    """Divide a run into times + 1 Phases whose encoder doubles, up to `layers`.

    For `pretrain(grow=stack_layers)`.

    shares: where each doubling stands, as shares of the steps; the defaults are ours. Raises ValueError for
    layers that cannot be halved `times` times, and for shares that are not as many or do not rise from 0 to
    1.

    >>> from minibert.training.config import TrainConfig
    >>> [(phase.config.steps, phase.layers) for phase in stacking_phases(TrainConfig(steps=1000), 128, 12)]
    [(100, 3), (200, 6), (700, 12)]
    """
    if layers % 2**times:
        raise ValueError(f"layers={layers} cannot be halved {times} times")
    if len(shares) != times or list(shares) != sorted({0, *shares, 1})[1:-1]:
        raise ValueError(f"shares={shares} must be {times} numbers that rise, above 0 and below 1")
    parts = divide(config, [round(share * config.steps) for share in (*shares, 1)])
    return [Phase(part, max_length, layers >> (times - i)) for i, part in enumerate(parts) if part]
