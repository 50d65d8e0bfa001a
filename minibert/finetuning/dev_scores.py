"""Scores on dev examples during fine-tuning, for early stopping and for curves in TensorBoard.

Early stopping: Prechelt (1998, "Early stopping - but when?"); Dodge et al. (2020, arXiv 2002.06305), section
5, for BERT.
"""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from ..model import Model
from ..model.checkpoints.tensors import read_tensors, write_tensors
from ..readers import Example
from ..readers.wording import format_scores, plural
from ..readers.writing import write_text
from ..tasks.base import Task
from ..training.checkpoint import model_tensors
from ..training.config import at_least
from ..training.distributed import team
from ..training.progress import Progress, tell

SCORES, BEST = "dev_scores.jsonl", "best.safetensors"
DECISIVE = "F1"  # the score by which the best step is chosen; without it, the task's last score is used


class EarlyStop(Exception):
    """Raised between two steps to stop a training run that no longer improves."""


class DevScores:
    """A progress display that also scores the model on dev examples at regular intervals during training.

    every: the number of steps between evaluations, or None for no evaluation. patience: stop the run after
    this many consecutive evaluations without improvement, and restore the best weights; None to never stop.
    log_dir: a folder for TensorBoard, or None. folder: a folder to save scores and best weights for resuming,
    or None. show: the `progress` argument of `train`. If several processes train together, all must make the
    same calls; the first one scores, prints and writes.
    """

    def __init__(
        self,
        model: Model,
        task: Task,
        dev: Sequence[Example],
        steps: int,
        *,
        every: int | None = None,
        patience: int | None = None,
        log_dir: str | Path | None = None,
        folder: str | Path | None = None,
        label: str = "finetune",
        show: Any = True,
    ) -> None:
        self.model, self.task, self.dev, self.steps = model, task, dev, steps
        self.every, self.patience, self.label, self.show = every, patience, label, show
        self.folder = None if folder is None else Path(folder)
        self.writer = None if log_dir is None or not team().first else summary_writer(log_dir)
        self.scores: list[dict[str, float]] = []  # the scores of each evaluation, with its "step"
        self.best: dict[str, torch.Tensor] | None = None  # the weights of the best evaluation

    def begin(self, log: list[dict[str, Any]]) -> None:
        """Start the display before the first step; `log` has earlier entries if the run was resumed."""
        self.log, self.bar = log, Progress(log, self.steps, self.label, self.show)
        self.bar.__enter__()
        if self.folder and (self.folder / SCORES).is_file():
            lines = (self.folder / SCORES).read_text(encoding="utf-8").splitlines()
            self.scores = [entry for entry in map(json.loads, lines) if entry["step"] <= len(log)]
            if self.scores and (self.folder / BEST).is_file():
                kept = read_tensors(self.folder / BEST)
                self.best = kept if int(kept.pop("step")) == self.best_entry()["step"] else None

    def update(self) -> None:
        """Update the display after a step. Raises EarlyStop after `patience` scores without improvement."""
        self.bar.update()
        entry = self.log[-1]
        if self.writer:
            self.writer.add_scalar("train/loss", entry["loss"], entry["step"])
            self.writer.add_scalar("train/learning rate", entry["rate"], entry["step"])
        if self.every and (entry["step"] % self.every == 0 or entry["step"] == self.steps):
            self.score(entry["step"])
            waited = len(self.scores) - 1 - self.scores.index(self.best_entry())
            if self.patience and waited >= self.patience and entry["step"] < self.steps:
                raise EarlyStop

    def end(self) -> None:
        self.bar.__exit__(None, None, None)
        if self.writer:
            self.writer.close()

    def score(self, step: int) -> None:
        """Score the model after a step, and keep its weights if they are the best so far."""
        self.model.eval()
        scores = team().once(
            lambda: {
                name: float(value)
                for name, value in self.task.metric(self.dev, self.task.answer(self.model, self.dev)).items()
            }
        )
        self.model.train()
        self.scores.append({"step": step, **scores})
        if self.show and team().first:
            tell(f"{self.label}, step {step}: dev {format_scores(scores)}")
        if self.writer:
            for name, value in scores.items():
                self.writer.add_scalar(f"dev/{name}", value, step)
        if self.patience and self.best_entry()["step"] == step:
            self.best = {name: tensor.clone() for name, tensor in model_tensors(self.model).items()}
        if self.folder and team().first:
            self.keep(self.folder)

    def best_entry(self) -> dict[str, float]:
        """Return the scores of the best evaluation, the first one in a tie."""
        return max(self.scores, key=lambda entry: entry.get(DECISIVE, list(entry.values())[-1]))

    def keep(self, folder: Path) -> None:
        """Save the scores, and the best weights if they are new; training continues even if that fails."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / SCORES, "".join(json.dumps(entry) + "\n" for entry in self.scores))
            if self.best is not None and self.best_entry() is self.scores[-1]:
                step = torch.tensor(int(self.scores[-1]["step"]))
                write_tensors(folder / BEST, {**self.best, "step": step})
        except OSError as error:
            tell(f"{folder}: the dev scores cannot be saved ({error}); training continues")

    def finish(self) -> None:
        """Restore the best weights after a run with early stopping, and print a message."""
        self.model.eval()
        if not self.patience or not self.scores:
            return
        best, last = self.best_entry(), self.scores[-1]
        if self.best is None or best is last:
            return
        with torch.no_grad():
            for name, tensor in model_tensors(self.model).items():
                tensor.copy_(self.best[name])
        if self.show and team().first:
            tell(
                f"{self.label}: after {plural(int(last['step']), 'step')} of {self.steps}, the weights of "
                f"step {int(best['step'])} are the best and are kept"
            )


def check_monitoring(
    patience: int | None,
    score_every: int | None,
    dev: str | Path | Sequence[Example],
    log_dir: str | Path | None,
) -> None:
    at_least(1, patience=patience, score_every=score_every)
    for name, value in (("patience", patience), ("score_every", score_every)):
        if value is not None and isinstance(dev, Sequence) and not dev:
            raise ValueError(f"{name}={value} needs dev examples to score on")
    if log_dir is not None and find_spec("tensorboard") is None:
        raise ValueError("TensorBoard is not installed; run `pip install tensorboard`")


def summary_writer(log_dir: str | Path) -> Any:
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(log_dir))
