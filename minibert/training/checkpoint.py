"""Checkpoints of a training run on disk: tensors as safetensors, everything else as plain JSON.

The latest few checkpoints and the best one are kept:

    folder/log.jsonl                the log, outside the checkpoints, so that they do not grow with it
    folder/lock                     empty; held by the process that trains
    folder/step-00000200/           model.safetensors  optimizer.safetensors  state.json

A checkpoint is written under a temporary name, flushed to disk, and then renamed, so a checkpoint with its
final name is complete even if the process was killed. state.json holds a checksum of each file, to detect
later damage. Reading these files never executes code.
"""

import dataclasses
import math
import os
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from torch import Tensor, nn

from ..model.checkpoints.tensors import read_tensors, write_tensors
from ..readers.wording import plural
from ..readers.writing import sync
from .config import TrainConfig
from .optimizers import Optimizer, parts_of
from .progress import tell
from .storage import checked, checksum, folder_name, read_state, write_json

# Settings that may differ when a run resumes: they change how it computes, not the result.
HARMLESS = ("save_every", "keep", "accumulate", "recompute", "compile")
PARTIAL, REFUSED, LOCK = ".partial", ".refused", "lock"
LONG = 80  # characters; a longer comparison of values, such as digests of texts, is not shown
# tensors of a checkpoint that has only some rows of the word embeddings, see `finetuning.partial_embedding`
WORDS, SHOWN = "encoder.embeddings.word.weight", "encoder.embeddings.word.ids"


class Checkpoints:
    """The checkpoints of one run in a folder. Raises ValueError if the path is a file.

    about: other values, such as names of files, which must be unchanged when the run resumes, just like
    `config`. whole: the folder of the longer run of which this run is a phase, or None.
    """

    def __init__(
        self,
        folder: str | Path,
        config: TrainConfig,
        about: dict[str, Any] | None = None,
        whole: str | Path | None = None,
    ):
        self.folder, self.keep = Path(folder), config.keep
        self.settings = {**(about or {}), **dataclasses.asdict(config)}
        self.whole = self.folder if whole is None else Path(whole)
        if self.folder.is_file():
            raise ValueError(f"{folder}: this is a file, but checkpoints are kept in a folder")

    def lock(self) -> AbstractContextManager:
        """Return a context manager that prevents other processes from training in the same folder.

        A phase locks the folder of its whole run. The system releases the lock when the process ends for any
        reason; the empty lock file may remain. Raises ValueError if another process holds the lock.
        """
        self.whole.mkdir(parents=True, exist_ok=True)
        try:
            return FileLock(self.whole / LOCK).acquire(blocking=False)
        except Timeout:
            raise ValueError(
                f"another process is already using the folder {self.whole} for training"
            ) from None

    def all(self) -> list[Path]:
        """Return the paths of the complete checkpoints, latest first."""
        return sorted(
            (path for path in self.folder.glob("step-*") if path.suffix not in (PARTIAL, REFUSED)),
            reverse=True,
        )

    def best(self) -> Path | None:
        """Return the path of the checkpoint with the highest score, or None if no checkpoint has a score."""
        scored = [
            (score, path)
            for path in self.all()
            if (score := self.score(path)) is not None and not math.isnan(score)
        ]
        return max(scored)[1] if scored else None

    @staticmethod
    def score(path: Path) -> float | None:
        """Return the score of a checkpoint, or None if it has no score or cannot be read."""
        try:
            return read_state(path).get("score")
        except ValueError:
            return None

    def save(self, model: nn.Module, optimizer: Optimizer, state: dict[str, Any]) -> Path | None:
        """Write a checkpoint, delete obsolete ones, and return the path of the new one.

        state: a dict of plain values, with the key "step" and, if the model was scored, "score". If the
        checkpoint cannot be written, a message is printed, the earlier ones are kept, and None is returned.
        """
        path = self.folder / folder_name(state["step"])
        partial = path.with_name(path.name + PARTIAL)
        try:
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            write_tensors(partial / "model.safetensors", model_tensors(model))
            write_tensors(partial / "optimizer.safetensors", optimizer_tensors(model, optimizer))
            sums = {file.name: checksum(file) for file in partial.iterdir()}
            write_json(partial / "state.json", {**state, "config": self.settings, "crc32": sums})
            sync(partial)
            shutil.rmtree(path, ignore_errors=True)  # only a refused checkpoint can have this name
            os.replace(partial, path)
            sync(self.folder)
        except OSError as error:
            shutil.rmtree(partial, ignore_errors=True)
            tell(
                f"{path}: this checkpoint cannot be written ({error.strerror}); training continues, and "
                f"{'the earlier checkpoints are kept' if self.all() else 'there is no checkpoint yet'}"
            )
            return None
        self.prune()
        return path

    def prune(self) -> None:
        """Delete all checkpoints except the latest few and the best one."""
        stay = {*self.all()[: self.keep], self.best()}
        for path in self.all():
            if path not in stay:
                # Rename first, so that a half-deleted checkpoint does not look complete.
                shutil.rmtree(path.rename(path.with_name(path.name + PARTIAL)), ignore_errors=True)
        for path in self.folder.glob(f"*{PARTIAL}"):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def resume(self, model: nn.Module, optimizer: Optimizer) -> dict[str, Any] | None:
        """Load the latest valid checkpoint into model and optimiser, and return its state.

        Returns None if there are no checkpoints. A checkpoint that is damaged, or belongs to another run, is
        renamed, and a message says so. Raises ValueError if no checkpoint is valid.
        """
        refused = []
        for path in self.all():
            try:
                state = load(path, model, optimizer, self.settings)
            except ValueError as error:
                refused.append((path, error))
                continue
            for bad, reason in refused:
                tell(f"{reason}; renamed to {bad.name}{REFUSED}; resuming from {path.name}")
                shutil.rmtree(bad.with_name(bad.name + REFUSED), ignore_errors=True)
                bad.rename(bad.with_name(bad.name + REFUSED))
            self.prune()  # delete the leftovers of a killed process
            return state
        if refused:
            raise ValueError(f"{refused[0][1]}; to start over, delete {self.whole}")
        return None


def load(path: Path, model: nn.Module, optimizer: Optimizer, settings: dict[str, Any]) -> dict[str, Any]:
    """Load one checkpoint into model and optimiser, and return its state.

    Raises ValueError, naming the file and the reason, if the checkpoint is damaged or was made with other
    `settings`. Model and optimiser are then unchanged.
    """
    state = read_state(path)
    made = state.pop("config")
    if changed := [
        name
        for name in sorted(made.keys() | settings)
        if name not in HARMLESS and made.get(name) != settings.get(name)
    ]:
        values = [f"{name} {made.get(name)} before, {settings.get(name)} now" for name in changed]
        shown = ", ".join(value for value in values if len(value) < LONG)
        raise ValueError(
            f"{path}: made with a different {', '.join(changed)}; use the same settings as before"
            f"{f' ({shown})' if shown else ''}"
        )
    step, epoch, position = (state[name] for name in ("step", "epoch", "position"))
    impossible = epoch + position > step or epoch == 0 and position != step
    if path.name != folder_name(step) or step > settings["steps"] or impossible:
        raise ValueError(
            f"{path / 'state.json'}: does not belong to this checkpoint: step {step}, batch {position} of "
            f"epoch {epoch}"
        )
    weights, moments = (
        read_tensors(checked(path / name, state["crc32"]))
        for name in ("model.safetensors", "optimizer.safetensors")
    )
    load_weights(path, model_tensors(model), weights)
    load_optimizer(model, optimizer, moments)
    return {name: state[name] for name in state if name not in ("crc32", "score")}


def load_model(path: Path, model: nn.Module) -> None:
    """Load the weights of a checkpoint, such as the best one, into a model of the same shape.

    Weights that training did not change are not in the checkpoint and keep their values: the encoder, if only
    heads were trained, and the embeddings of tokens that did not occur in the examples. Raises ValueError,
    leaving the model unchanged, if the checkpoint is damaged or of another model.
    """
    weights = read_tensors(checked(path / "model.safetensors", read_state(path)["crc32"]))
    own = model_tensors(model)
    if (ids := weights.pop(SHOWN, None)) is not None and WORDS in own:
        weights[WORDS] = own[WORDS].cpu().index_copy(0, ids, weights[WORDS])
    if all(name.startswith("heads.") for name in weights):
        own = {name: tensor for name, tensor in own.items() if name.startswith("heads.")}
    load_weights(path, own, weights)


def load_weights(path: Path, own: dict[str, Tensor], weights: dict[str, Tensor]) -> None:
    """Copy a checkpoint's `weights` into a model's tensors `own`.

    Raises ValueError, naming the checkpoint `path`, if names or shapes differ.
    """
    misfit = sorted(own.keys() ^ weights.keys()) or [
        name for name in own if own[name].shape != weights[name].shape
    ]
    if misfit:
        raise ValueError(
            f"{path / 'model.safetensors'}: from another model; "
            f"{plural(len(misfit), 'tensor')} cannot be loaded; the first is {misfit[0]}"
        )
    for name, tensor in own.items():
        tensor.copy_(weights[name])


def model_tensors(model: nn.Module) -> dict[str, Tensor]:
    """Return a model's parameters and buffers by name; a tied matrix, which has two names, appears once."""
    once = {
        id(tensor): (name, tensor.detach())
        for name, tensor in reversed(model.state_dict(keep_vars=True).items())
    }
    return dict(once.values())


def optimizer_tensors(model: nn.Module, optimizer: Optimizer) -> dict[str, Tensor]:
    """Return a dict of the optimiser's state, with keys such as `encoder.embeddings.word.weight/exp_avg`."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return {
        f"{names[id(parameter)]}/{key}": tensor
        for part in parts_of(optimizer)
        for parameter, values in part.state.items()
        for key, tensor in values.items()
    }


def load_optimizer(model: nn.Module, optimizer: Optimizer, tensors: dict[str, Tensor]) -> None:
    """Load tensors that `optimizer_tensors` returned into an optimiser."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    memory: dict[str, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        parameter, _, key = name.rpartition("/")
        memory.setdefault(parameter, {})[key] = tensor
    for part in parts_of(optimizer):
        in_order = [names[id(parameter)] for group in part.param_groups for parameter in group["params"]]
        part.load_state_dict(
            {
                "state": {i: memory[name] for i, name in enumerate(in_order) if name in memory},
                "param_groups": part.state_dict()["param_groups"],
            }
        )
