"""Everything around the training loop: checkpoints, other processes, Ctrl-C, the log, the progress bar."""

import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..data.batch import Batch
from ..model.goal import Goal
from .allocator import kept_memory
from .checkpoint import Checkpoints
from .config import TrainConfig
from .distributed import team
from .feed import MULTIPLE, MakeRows, batches
from .interrupt import Interrupt
from .log import Log
from .micro_batch import MicroBatch
from .optimizers import Optimizer
from .progress import Progress, tell
from .step import Step, prepared_layers
from .threads import fit_threads


class Run(Step):
    """The state of a training run: the state of its steps, the batches, the log and the checkpoints.

    step: the arguments of Step. state: the content of a checkpoint except its tensors. store, score, label:
    as in `running`.
    """

    # These three are open inside the context of `running`. Each batch comes with its micro-batches.
    batches: Iterator[tuple[Batch, list[MicroBatch]]]
    bar: Progress
    interrupt: Interrupt

    def __init__(
        self,
        *step: Any,
        state: dict[str, Any],
        store: Checkpoints | None,
        score: Callable[[nn.Module], float] | None,
        label: str,
    ):
        super().__init__(*step)
        if state.get("scaler"):
            self.scaler.load_state_dict(state["scaler"])
        self.state, self.store, self.score, self.label = state, store, score, label
        self.steps = range(state["step"], self.config.steps)  # the remaining steps
        self.log = Log(store.folder / "log.jsonl" if store and self.team.first else None, after=state["step"])

    def refuse_if_not_finite(self, step: int, loss: float, norm: float, rate: float) -> None:
        """Raise FloatingPointError if the loss or the gradient norm is infinite or not a number.

        In float16 the gradient overflows now and then; such a step is skipped, and no error is raised.
        """
        if math.isfinite(loss) and self.scaler.is_enabled():
            self.leave_out_overflow(norm)
            return
        if math.isfinite(loss) and math.isfinite(norm):
            return
        what, value = ("gradient of the loss", norm) if math.isfinite(loss) else ("loss", loss)
        folder = f", after deleting {self.store.whole}, which belongs to this run" if self.store else ""
        raise FloatingPointError(
            f"{self.label}: the {what} of step {step + 1} is {value}; the learning rate was {rate:.2g}: "
            f"try a peak_rate smaller than {self.config.peak_rate}{folder}"
        )

    def asked_to_stop(self) -> bool:
        return self.interrupt.asked

    def save_or_stop(self, step: int) -> None:
        """Save a checkpoint if one is due after this step. Raises KeyboardInterrupt after Ctrl-C."""
        self.state["step"] = step + 1
        self.bar.update()
        last = step + 1 == self.config.steps
        # All processes must stop after the same step. They exchange the request together with the gradients,
        # and once more after the last step.
        stop = self.stop or (last or self.team.size == 1) and self.team.any(self.asked_to_stop())
        due = stop or last or (step + 1) % self.config.save_every == 0
        if self.store and self.team.first:  # the other processes write nothing
            if due:
                self.save()
            if stop:
                tell(
                    f"{self.label}: interrupted after step {step + 1}; to resume, make the same call "
                    f"again: the checkpoint is in {self.store.folder}"
                )
        if stop:
            raise KeyboardInterrupt

    def save(self) -> None:
        """Write the log and then a checkpoint, with its score if there is a `score` function."""
        assert self.store is not None
        self.state["scaler"] = self.scaler.state_dict()  # {} except in float16
        if self.score is not None:
            self.state["score"] = float(self.score(self.model.eval()))
            self.model.train()
        self.log.write(lasting=True)  # first, so that the log has all steps of every checkpoint
        self.store.save(self.model, self.optimizer, self.state)


def checkpoints_of(
    folder: str | Path | None,
    config: TrainConfig,
    about: dict | None,
    whole: str | Path | None,
    groups: list[dict] | None,
    precision: str,
) -> Checkpoints | None:
    """Return the Checkpoints in a folder, or None if no folder is given; for the arguments, see `train`."""
    settings = {**(about or {}), "precision": precision}
    if groups:
        settings["groups"] = [group["lr"] for group in groups]
    return None if folder is None else Checkpoints(folder, config, settings, whole)


@contextmanager
def running(
    model: nn.Module,
    objective: Goal,
    make_rows: MakeRows,
    config: TrainConfig,
    optimizer: Optimizer,
    store: Checkpoints | None,
    score: Callable[[nn.Module], float] | None,
    precision: str,
    label: str,
    progress: Any,
) -> Iterator[Run]:
    """Set up a Run, or resume one from its checkpoint, and close everything at the end.

    store: the run's checkpoints, or None. The other arguments are those of `train`.
    """
    fit_threads()
    us = team()
    with us.in_turn(lambda: store.lock() if store and us.first else nullcontext()):
        state = us.in_turn(lambda: store and store.resume(model, optimizer)) or {
            "step": 0,
            "epoch": 0,
            "position": 0,
        }
        us.start(model, state["step"])
        run = Run(
            model,
            objective,
            optimizer,
            config,
            getattr(torch, precision),
            us,
            state=state,
            store=store,
            score=score,
            label=label,
        )
        model.train()
        multiple = 1 if run.device.type == "cpu" else MULTIPLE

        def prepare(batch: Batch, step: int) -> tuple[Batch, list[MicroBatch]]:
            return batch, run.micro_batches(batch, step)

        with (
            kept_memory(),
            Progress(run.log, config.steps, label, progress) as run.bar,
            Interrupt(active=store is not None) as run.interrupt,
            prepared_layers(model, config),
            closing(batches(objective, make_rows, config, state, multiple, prepare)) as run.batches,
        ):
            yield run
