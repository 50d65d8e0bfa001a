"""The training loop: one function from batches to a trained model, for every objective and task.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: Adam with decoupled weight decay, warm-up, linear decay,
clipping. All random numbers of a step depend only on the seed and the step number, so a run can be resumed
exactly. `run` handles checkpoints, other processes and Ctrl-C; `step` and `micro_batch` handle precision and
micro-batches.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..model.goal import Goal
from ..model.transfer import device_of
from .config import TrainConfig
from .device import choose_precision
from .feed import MakeRows
from .optimizers import Optimizer, make_optimizer, set_learning_rate
from .run import checkpoints_of, running


def train(
    model: nn.Module,
    objective: Goal,
    make_rows: MakeRows,
    config: TrainConfig,
    *,
    checkpoint: str | Path | None = None,
    whole: str | Path | None = None,
    about: dict | None = None,
    score: Callable[[nn.Module], float] | None = None,
    groups: list[dict] | None = None,
    optimizer: Optimizer | None = None,
    precision: str | torch.dtype = "auto",
    label: str = "train",
    progress: Any = True,
) -> list[dict]:
    """Train `model` in place and return its log, a dict for each step.

    objective: an Objective or a Task. make_rows: a function rng -> (sequences, labels or None), called once
    per epoch, in another thread during the previous epoch; or Shards. checkpoint: a folder to resume from and
    to save checkpoints and the log to, or None; whole, about: see `Checkpoints`. score: a function that
    scores the model at each checkpoint; the checkpoint with the highest score is kept. groups: see
    `make_optimizer`. optimizer: an existing optimizer to continue with, or None to make a new one. precision:
    the number format of the forward pass, see `choose_precision`; a resumed run keeps it. label, progress:
    see `Progress`. If several processes train together, all make the same call, and the first one writes the
    files.

    Raises FloatingPointError if the loss or its gradient is not finite; the model keeps the weights of the
    previous step. Raises KeyboardInterrupt after Ctrl-C, with the step saved; ValueError if another process
    is training with the same folder, or if both optimizer and groups are given; ConnectionError if a process
    is lost.
    """
    if optimizer and groups:
        raise ValueError("an existing optimizer already has its groups: give either optimizer or groups")
    optimizer = optimizer or make_optimizer(model, config, groups)
    precision = choose_precision(precision, device_of(model), whole or checkpoint)
    store = checkpoints_of(checkpoint, config, about, whole, groups, precision)
    with running(
        model, objective, make_rows, config, optimizer, store, score, precision, label, progress
    ) as run:
        for step in run.steps:
            start = time.perf_counter()
            rate = set_learning_rate(optimizer, config, step)
            batch, micro_batches = next(run.batches)  # prepared during the previous step
            run.seed_dropout(step)
            model.zero_grad()
            for micro_batch in micro_batches:  # one, unless config.accumulate asks for more
                inputs, labels = micro_batch.to(model)
                with run.autocast():
                    means = objective.step(model, inputs, labels)  # objective.loss(model(**inputs), labels)
                loss = run.loss_of(micro_batch, means)
                loss.backward()
            total, terms = run.gather()  # of all micro-batches and processes
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip).item()
            run.refuse_if_not_finite(step, total, norm, rate)
            optimizer.step()
            run.log.append(
                {
                    "step": step + 1,
                    "loss": total,
                    **terms,
                    "rate": rate,
                    "tokens": int(batch.real.sum()),
                    "seconds": time.perf_counter() - start,
                }
            )
            run.save_or_stop(step)
    model.eval()
    return run.log
