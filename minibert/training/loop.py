"""The training loop: one function from batches to a trained model, for every objective and task.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: Adam with decoupled weight decay, warm-up, linear decay,
clipping. Everything that a step draws depends on the seed and the step's number alone, so a run resumes
exactly without any other random state. `run` has what surrounds the loop: checkpoints, other processes,
Ctrl-C; `step` and `micro_batch` have precision and a batch in parts.
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

    objective: an Objective or a Task. make_rows(rng) -> (sequences, labels or None), called once an epoch in
    another thread, while the previous epoch is trained on; or Shards. checkpoint: a folder to resume from
    and to save to, with the log, or None; whole, about: see `Checkpoints`. score: model -> number, the higher
    the better, taken at each checkpoint; the best one is kept. groups: see `make_optimizer`; a run resumes
    with the same learning rates only. optimizer: one that continues with its state, as after
    `stacking.stack`; None: a new one. precision: of the forward pass, see `choose_precision`; a resumed
    run keeps its own. label, progress: the run's name and what is shown of it, see `Progress`. In a Team (see
    `distributed`) all processes make the same call; the first one writes.

    Raises FloatingPointError if the loss or its gradient is not finite; the model keeps its weights of the
    previous step. Raises KeyboardInterrupt after Ctrl-C, with the step saved; ValueError if another process
    trains into the folder, or for an optimizer together with groups; ConnectionError if a process is lost.
    """
    if optimizer and groups:
        raise ValueError("an optimizer that continues has groups already: give one of the two")
    optimizer = optimizer or make_optimizer(model, config, groups)
    precision = choose_precision(precision, device_of(model), whole or checkpoint)
    store = checkpoints_of(checkpoint, config, about, whole, groups, precision)
    with running(
        model, objective, make_rows, config, optimizer, store, score, precision, label, progress
    ) as run:
        for step in run.steps:
            start = time.perf_counter()
            rate = set_learning_rate(optimizer, config, step)
            batch, micro_batches = next(run.batches)  # prepared while the previous step was computed
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
