"""How long, how fast and how carefully to train: one frozen dataclass for every run.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2 for pretraining; the defaults suit the small models of
the course.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

Optimizer = Literal["adamw", "bert_adam", "muon"]  # see `optimizers`
Schedule = Literal["linear", "bert", "onecycle"]  # see `schedule`
Precision = Literal["auto", "float32", "bfloat16", "float16"]  # see `device.choose_precision`
Phases = Literal["growing", "two-lengths", "stacking", "plain"]  # see `recipes.phases_of`

# options that change how a result is computed, not what it is
HOW = ("out", "device", "cache", "workers", "accumulate", "recompute", "compile", "progress", "tensorboard")
WHERE = ("corpus", "vocab", "train", "dev", "model")  # the content of these files counts, not their place


@dataclass(frozen=True)
class TrainConfig:
    """Settings of one run, or of one phase of a longer one.

    Raises ValueError, naming field, value and rule, for what does not make sense.
    """

    steps: int  # optimiser steps
    batch_size: int = 32  # sequences a step
    peak_rate: float = 1e-3  # learning rate after the warm-up
    embedding_share: float = 1.0  # times peak_rate, for word embeddings: a step sees few of them
    warmup: float = 0.1  # share of the steps
    weight_decay: float = 0.01  # not on biases and LayerNorm
    clip: float = 1.0  # largest norm of the gradient
    optimizer: Optimizer = "adamw"
    muon_share: float = 10.0  # times peak_rate, for Muon: a step of it has another length
    schedule: Schedule = "linear"
    # parts into which a batch is divided, one after the other: less memory, the same gradient but for dropout
    accumulate: int = 1
    # keep no activations inside a layer, compute them again in the backward pass: less memory
    recompute: bool = False
    compile: bool = False  # let torch.compile rewrite the layers; on a GPU only
    seed: int = 0  # of the data order, the masks and dropout
    save_every: int = 200  # steps between checkpoints, where checkpoints are kept
    keep: int = 2  # how many of the latest checkpoints stay; the best one stays besides
    # steps trained before, where this is a phase of a longer run: they count for the learning rate
    first_step: int = 0
    all_steps: int = 0  # steps of the whole run; 0: these alone

    def __post_init__(self):
        counts = ("steps", "batch_size", "accumulate", "save_every", "keep")
        at_least(1, **{name: getattr(self, name) for name in counts})
        if self.accumulate > self.batch_size:
            raise ValueError(
                f"accumulate={self.accumulate} must be at most batch_size={self.batch_size}: "
                f"each part needs a sequence"
            )
        for name in ("peak_rate", "embedding_share", "muon_share", "clip"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name)} must be above 0, and finite")
        if not 0 <= self.weight_decay < math.inf:
            raise ValueError(f"weight_decay={self.weight_decay} must be 0 or above, and finite")
        for name, known in (("optimizer", get_args(Optimizer)), ("schedule", get_args(Schedule))):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{name}={getattr(self, name)!r} must be one of {', '.join(map(repr, known))}"
                )
        if self.first_step < 0 or self.all_steps and self.all_steps < self.first_step + self.steps:
            raise ValueError(
                f"all_steps={self.all_steps} must hold the {self.steps} steps after "
                f"first_step={self.first_step}"
            )
        if not 0 <= self.warmup <= 1:
            raise ValueError(f"warmup={self.warmup} is a share of the steps, between 0 and 1")

    @property
    def whole_run(self) -> int:
        """The number of steps of the whole run, of which this may be a phase."""
        return self.all_steps or self.first_step + self.steps


def at_least(least: int, **values: int | None) -> None:
    """Raise ValueError, naming it, for a value below `least`; None passes.

    >>> at_least(1, steps=0)
    Traceback (most recent call last):
        ...
    ValueError: steps=0 must be at least 1
    """
    for name, value in values.items():
        if value is not None and value < least:
            raise ValueError(f"{name}={value} must be at least {least}")


def decisive(options: dict[str, Any], **contents: Any) -> dict[str, Any]:
    """The values that decide what a call makes: an interrupted one goes on only if they are the same.

    They are its options, without HOW it computes and WHERE files are, and `contents`: names for the content
    of the files.
    """
    return contents | {
        name: value if isinstance(value, int | float | str | None) else str(value)
        for name, value in options.items()
        if name not in HOW + WHERE
    }
