"""Hyperparameters of training, with defaults for the small models of the course.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, lists those of BERT's pretraining.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ..spelling import did_you_mean

Optimizer = Literal["adamw", "bert_adam", "muon"]  # see `optimizers`
Schedule = Literal["linear", "bert", "onecycle"]  # see `schedule`
Precision = Literal["auto", "float32", "bfloat16", "float16"]  # see `device.choose_precision`
Phases = Literal["growing", "two-lengths", "stacking", "plain"]  # see `recipes.phases_of`

# Options that change how a result is computed, not the result.
HOW = ("out", "device", "cache", "workers", "accumulate", "recompute", "compile", "progress", "tensorboard")
# The content of these files matters, not their paths.
WHERE = ("corpus", "vocab", "train", "dev", "columns", "model")


@dataclass(frozen=True)
class TrainConfig:
    """The settings of one training run, or of one phase of a longer run.

    Raises ValueError, naming the field, its value and the rule, for invalid settings.
    """

    steps: int  # optimiser steps
    batch_size: int = 32  # sequences in each step
    length_pool: int = 50  # batches whose sequences are sorted by length together; 1: in random order
    peak_rate: float = 1e-3  # learning rate after the warm-up
    embedding_share: float = 1.0  # times peak_rate, for word embeddings: each step sees few of them
    warmup: float = 0.1  # fraction of the steps
    weight_decay: float = 0.01  # not applied to biases and LayerNorm
    clip: float = 1.0  # maximum norm of the gradient
    optimizer: Optimizer = "adamw"
    muon_share: float = 10.0  # times peak_rate, for Muon, whose steps are scaled differently
    schedule: Schedule = "linear"
    # micro-batches computed one after the other: less memory and, apart from dropout, the same gradient
    accumulate: int = 1
    # recompute the activations inside a layer in the backward pass instead of keeping them: less memory
    recompute: bool = False
    compile: bool = False  # compile the layers with torch.compile, on a GPU only
    seed: int = 0  # for the data order, the masking and dropout
    save_every: int = 200  # steps between checkpoints, if a checkpoint folder is given
    keep: int = 2  # number of recent checkpoints to keep, in addition to the best one
    # for a phase: the number of steps in earlier phases, on which the learning rate depends
    first_step: int = 0
    all_steps: int = 0  # steps of the whole run; 0 if no steps follow these

    def __post_init__(self):
        counts = ("steps", "batch_size", "length_pool", "accumulate", "save_every", "keep")
        at_least(1, **{name: getattr(self, name) for name in counts})
        if self.accumulate > self.batch_size:
            raise ValueError(
                f"accumulate={self.accumulate} must be at most batch_size={self.batch_size}: "
                f"each micro-batch needs at least one sequence"
            )
        for name in ("peak_rate", "embedding_share", "muon_share", "clip"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name)} must be finite and greater than 0")
        if not 0 <= self.weight_decay < math.inf:
            raise ValueError(f"weight_decay={self.weight_decay} must be finite and at least 0")
        for name, known in (("optimizer", get_args(Optimizer)), ("schedule", get_args(Schedule))):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{name}={getattr(self, name)!r} must be one of {', '.join(map(repr, known))}"
                    f"{did_you_mean(getattr(self, name), known)}"
                )
        if self.first_step < 0 or self.all_steps and self.all_steps < self.first_step + self.steps:
            raise ValueError(
                f"all_steps={self.all_steps} must be at least first_step={self.first_step} plus "
                f"steps={self.steps}"
            )
        if not 0 <= self.warmup <= 1:
            raise ValueError(f"warmup={self.warmup} is a fraction of the steps: it must be between 0 and 1")

    @property
    def whole_run(self) -> int:
        """Return the number of steps of the complete run, even if this is the config of one of its phases."""
        return self.all_steps or self.first_step + self.steps


def at_least(least: int, **values: int | None) -> None:
    """Raise ValueError, naming the argument, for a value below `least`; None is allowed.

    >>> at_least(1, steps=0)
    Traceback (most recent call last):
        ...
    ValueError: steps=0 must be at least 1
    """
    for name, value in values.items():
        if value is not None and value < least:
            raise ValueError(f"{name}={value} must be at least {least}")


def resume_settings(options: dict[str, Any], **contents: Any) -> dict[str, Any]:
    """Return the values that determine the result of a run, which resumes only if they are unchanged.

    They are the `options` that affect the result (not those in HOW and WHERE), and `contents`, which
    identifies the content of the run's files.
    """
    return contents | {
        name: value if isinstance(value, int | float | str | None) else str(value)
        for name, value in options.items()
        if name not in HOW + WHERE
    }
