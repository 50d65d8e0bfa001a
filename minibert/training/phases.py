"""How a run is divided into phases: the papers' ways, and `growing_phases`, our own for minutes on a laptop.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: short rows first. Gong et al. (2019, ICML), algorithm 1:
few layers first. The rate runs over all phases as over one run; the optimiser's memory begins anew in each.
"""
import dataclasses
from collections.abc import Callable
from typing import NamedTuple

from ..model.growth import add_layers, stack_layers
from .config import TrainConfig

SHORTEST = 5                # tokens of a row that holds a pair: [CLS] a [SEP] b [SEP]


class Phase(NamedTuple):
    """A part of a run: how it trains, the length of its rows, and how many layers the trunk has by then
    (None: all).

    make_objective: (tokenizer, row length) -> Objective, with heads that the run's own objective has, too;
    None: that one.
    """

    config: TrainConfig
    max_length: int
    layers: int | None = None
    make_objective: Callable | None = None


def divide(config, ends):
    """TrainConfigs of phases that end at these steps; a phase of no steps is None."""
    starts = [0, *ends[:-1]]
    return [dataclasses.replace(config, steps=end - start, first_step=start, all_steps=config.steps)
            if end > start else None
            for start, end in zip(starts, ends)]


def growing_phases(config, max_length, layers, short_length=32):
    """Short rows and few layers first, then full rows, then all layers. Returns three Phases with
    `config.steps` together.

    A fifth of the steps reads rows of `short_length` tokens, as many tokens a step (the paper: most steps at
    128 tokens, the rest at 512), with a quarter of the layers; then rows are full; from the middle on all
    layers train. A step of few layers is cheap, and what they learn, all need (Gong et al., 2019). The
    learning rate runs over the phases as over one.
    """
    short_length = min(short_length, max_length)
    parts = divide(config, [round(share * config.steps) for share in (0.2, 0.5, 1)])
    return of_equal_tokens(parts, [Phase(config, short_length, -(-layers // 4)),
                                   Phase(config, max_length, -(-layers // 2)),
                                   Phase(config, max_length, layers)])


def of_equal_tokens(parts, phases):
    """The phases with the TrainConfigs of `divide`, and so many rows that all steps have as many tokens; None
    falls out.
    """
    longest = phases[-1].max_length
    return [phase._replace(config=dataclasses.replace(part, batch_size=part.batch_size * longest
                                                      // phase.max_length))
            for part, phase in zip(parts, phases) if part]


def looking_up_phases(config, max_length, layers, look_up, short_length=32):
    """growing_phases whose middle learns to look words up. Returns three Phases with `config.steps` together.

    look_up: make_objective of the middle, `LookUpMLM` on whole documents. A tenth of the steps reads short
    rows with a third of the layers: grammar first, without which nobody knows what to look for. Then whole
    documents, with two thirds; for the last quarter of the steps again the run's own objective, with all. The
    shares were found by trying, on the generated language.
    """
    short_length = min(short_length, max_length)
    parts = divide(config, [int(share * config.steps)
                            for share in (0.1, 0.75, 1)])           # down: the last is never None
    return of_equal_tokens(parts, [Phase(config, short_length, -(-layers // 3)),
                                   Phase(config, max_length, -(-2 * layers // 3), look_up),
                                   Phase(config, max_length, layers)])


def two_lengths(config, short=128, long=512, share=0.9):
    """Two Phases: `share` of the steps on rows of `short` tokens, the rest on rows of `long`, which train the
    late positions.

    config: TrainConfig of the whole run. Both phases have batch_size rows a step; the paper counts its 256
    rows at length 512. Raises ValueError unless short is below long, and for a share outside 0 to 1.

    >>> from minibert.training import TrainConfig
    >>> [(phase.config.steps, phase.max_length) for phase in two_lengths(TrainConfig(steps=1000))]
    [(900, 128), (100, 512)]
    """
    if not 0 < short < long:
        raise ValueError(f"short={short} must be above 0 and below long={long}")
    if not 0 <= share <= 1:
        raise ValueError(f"share={share} is a share of the steps, between 0 and 1")
    parts = zip(divide(config, [round(share * config.steps), config.steps]), (short, long))
    return [Phase(part, length) for part, length in parts if part]


def stacking(config, max_length, layers, times=2, shares=(0.1, 0.3)):
    """times + 1 Phases whose trunk doubles from one to the next, up to `layers`; for
    `pretrain(grow=stack_layers)`.

    shares: where each doubling stands, as shares of the steps; the defaults are ours. Raises ValueError for
    layers that cannot be halved `times` times, and for shares that are not as many or do not rise from 0 to
    1.

    >>> from minibert.training import TrainConfig
    >>> [(phase.config.steps, phase.layers) for phase in stacking(TrainConfig(steps=1000), 128, 12)]
    [(100, 3), (200, 6), (700, 12)]
    """
    if layers % 2**times:
        raise ValueError(f"layers={layers} cannot be halved {times} times")
    if len(shares) != times or list(shares) != sorted({0, *shares, 1})[1:-1]:
        raise ValueError(f"shares={shares} must be {times} numbers that rise, above 0 and below 1")
    parts = divide(config, [round(share * config.steps) for share in (*shares, 1)])
    return [Phase(part, max_length, layers >> (times - i)) for i, part in enumerate(parts) if part]


def phases_of(way, config, max_length, layers):
    """(Phases, how the trunk grows between them: `pretrain`'s `grow`) of a way by its name, as the command
    line has it.

    way: "growing"; "two-lengths", the short one a quarter of `max_length`, as in the paper; "stacking", twice
    where the layers can be halved twice, else once; "plain", all steps alike. Raises ValueError for another,
    for layers that cannot be halved, and for rows so short that a phase's have no room for a pair.
    """
    twice = 1 if layers % 4 else 2
    ways = {"growing": lambda: growing_phases(config, max_length, layers),
            "two-lengths": lambda: two_lengths(config, max_length // 4, max_length),
            "stacking": lambda: stacking(config, max_length, layers, twice, (0.1, 0.3)[-twice:]),
            "plain": lambda: [Phase(config, max_length)]}
    if way not in ways:
        raise ValueError(f"phases {way!r} must be one of {', '.join(map(repr, ways))}")
    phases = ways[way]()
    shortest = min(phase.max_length for phase in phases)
    if shortest < SHORTEST:
        raise ValueError(f"rows of {shortest} tokens in the phases {way!r} of max_length={max_length}: a "
                         f"pair needs {SHORTEST}")
    return phases, stack_layers if way == "stacking" else add_layers
