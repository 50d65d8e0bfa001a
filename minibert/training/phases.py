"""Phases of a training run, as in the papers; `recipes` has our own phases.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: short sequences first. Gong et al. (2019, ICML),
algorithm 1: few layers first. One learning rate schedule covers all phases; the optimiser's state is reset at
the start of each.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..objectives.base import Objective
from .config import TrainConfig

MakeObjective = Callable[[Any, int], Objective]  # (tokenizer, longest sequence) -> Objective


class Phase(NamedTuple):
    """A part of a run: its TrainConfig, maximum sequence length, and number of encoder layers (None: all).

    make_objective: makes the objective of this phase, or None to use the run's objective, which must have all
    heads that any phase uses.
    """

    config: TrainConfig
    max_length: int
    layers: int | None = None
    make_objective: MakeObjective | None = None


def divide(config: TrainConfig, ends: Sequence[int]) -> list[TrainConfig | None]:
    """Divide a run into phases that end at the steps `ends`; a phase without steps is None."""
    starts = [0, *ends[:-1]]
    return [
        dataclasses.replace(config, steps=end - start, first_step=start, all_steps=config.steps)
        if end > start
        else None
        for start, end in zip(starts, ends)
    ]


def two_lengths(config: TrainConfig, short: int = 128, long: int = 512, share: float = 0.9) -> list[Phase]:
    """Divide a run into two Phases: `share` of the steps on short sequences, the rest on long ones.

    The long sequences train the embeddings of the later positions. short, long: lengths in tokens. Both
    phases have batch_size sequences in each step; the paper's batch of 256 sequences is for length 512.
    Raises ValueError unless 0 < short < long and 0 <= share <= 1.

    >>> from minibert.training.config import TrainConfig
    >>> [(phase.config.steps, phase.max_length) for phase in two_lengths(TrainConfig(steps=1000))]
    [(900, 128), (100, 512)]
    """
    if not 0 < short < long:
        raise ValueError(f"short={short} must be greater than 0 and less than long={long}")
    if not 0 <= share <= 1:
        raise ValueError(f"share={share} is a fraction of the steps: it must be between 0 and 1")
    parts = zip(divide(config, [round(share * config.steps), config.steps]), (short, long))
    return [Phase(part, length) for part, length in parts if part]


def stacking_phases(
    config: TrainConfig, max_length: int, layers: int, times: int = 2, shares: Sequence[float] = (0.1, 0.3)
) -> list[Phase]:
    """Divide a run into times + 1 Phases, doubling the number of layers in each until it reaches `layers`.

    shares: when each doubling happens, as fractions of the steps; the defaults are ours. Raises ValueError if
    `layers` cannot be halved `times` times, or if `shares` are not `times` increasing numbers between 0 and
    1.

    >>> from minibert.training.config import TrainConfig
    >>> [(phase.config.steps, phase.layers) for phase in stacking_phases(TrainConfig(steps=1000), 128, 12)]
    [(100, 3), (200, 6), (700, 12)]
    """
    if layers % 2**times:
        raise ValueError(f"layers={layers} must be a multiple of {2**times}: each phase doubles them")
    if len(shares) != times or list(shares) != sorted({0, *shares, 1})[1:-1]:
        raise ValueError(f"shares={shares} must be {times} increasing numbers between 0 and 1")
    parts = divide(config, [round(share * config.steps) for share in (*shares, 1)])
    return [Phase(part, max_length, layers >> (times - i)) for i, part in enumerate(parts) if part]
