"""What surrounds the training loop: checkpoints, other processes, Ctrl-C, the log, the progress bar.

`running` sets all of it up and takes it down again, whatever happens inside; `Run` is what the loop holds
meanwhile.
"""

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
    """What the loop holds while a model trains: `Step`, the batches, the log, the checkpoints.

    step: the arguments of Step. state: what a checkpoint holds besides tensors. store, score, label: as in
    `running`.
    """

    # these three are open as long as the context of `running`; batches: each with its micro-batches
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
        self.steps = range(state["step"], self.config.steps)  # those that are left
        self.log = Log(store.folder / "log.jsonl" if store and self.team.first else None, after=state["step"])

    def refuse_if_not_finite(self, step: int, loss: float, norm: float, rate: float) -> None:
        """Raise FloatingPointError for a loss or a gradient's norm that is infinite or not a number.

        In float16 such a norm is to be expected: then the step is left out.
        """
        if math.isfinite(loss) and self.scaler.is_enabled():
            self.leave_out_overflow(norm)
            return
        if math.isfinite(loss) and math.isfinite(norm):
            return
        what, value = ("gradient of the loss", norm) if math.isfinite(loss) else ("loss", loss)
        folder = f", and first delete {self.store.whole}, which is of this one" if self.store else ""
        raise FloatingPointError(
            f"{self.label}: the {what} of step {step + 1} is {value}; the learning rate was {rate:.2g}: "
            f"try a smaller peak_rate={self.config.peak_rate}{folder}"
        )

    def asked_to_stop(self) -> bool:
        return self.interrupt.asked

    def save_or_stop(self, step: int) -> None:
        """Note that a step is done; save a checkpoint where one is due; stop after Ctrl-C.

        Raises KeyboardInterrupt.
        """
        self.state["step"] = step + 1
        self.bar.update()
        last = step + 1 == self.config.steps
        # all stop after the same step: they tell each other with the gradients, and ask again after the last
        stop = self.stop or (last or self.team.size == 1) and self.team.any(self.asked_to_stop())
        due = stop or last or (step + 1) % self.config.save_every == 0
        if self.store and self.team.first:  # the other processes write nothing
            if due:
                self.save()
            if stop:
                tell(
                    f"{self.label}: interrupted after step {step + 1}; the same call goes on from "
                    f"{self.store.folder}"
                )
        if stop:
            raise KeyboardInterrupt

    def save(self) -> None:
        """Write a checkpoint, with its score if one is asked for, after the log, which never lacks a step."""
        assert self.store is not None
        self.state["scaler"] = self.scaler.state_dict()  # {} unless in float16
        if self.score is not None:
            self.state["score"] = float(self.score(self.model.eval()))
            self.model.train()
        self.log.write(lasting=True)
        self.store.save(self.model, self.optimizer, self.state)


def checkpoints_of(
    folder: str | Path | None,
    config: TrainConfig,
    about: dict | None,
    whole: str | Path | None,
    groups: list[dict] | None,
    precision: str,
) -> Checkpoints | None:
    """Return the Checkpoints in a folder, or None without one; a run resumes with these settings only."""
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

    store: where its checkpoints are, if it has any. The other arguments are those of `train`.
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
