"""Checkpoints of a training run on disk: tensors as safetensors, all else as plain JSON.

The latest few and the best stay:

    folder/log.jsonl                the log, beside the checkpoints, so that they do not grow with it
    folder/lock                     empty; held by the process that trains
    folder/step-00000200/           model.safetensors  optimizer.safetensors  state.json

A checkpoint is written under another name, brought to the disk, then renamed: one with its right name is
complete, whenever the process dies. state.json holds a checksum of each file, to notice what is damaged
later. No file is executed when it is read.
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
from ..readers.writing import sync
from .config import TrainConfig
from .optimizers import Optimizer, parts_of
from .progress import tell
from .storage import checked, checksum, folder_name, read_state, write_json

# what may differ when a run goes on: it changes how the run computes, not what
HARMLESS = ("save_every", "keep", "accumulate", "recompute", "compile")
PARTIAL, REFUSED, LOCK = ".partial", ".refused", "lock"
LONG = 80  # characters: two longer values, such as digests of texts, are named, not shown
# see `finetuning.partial_embedding`
WORDS, SHOWN = "encoder.embeddings.word.weight", "encoder.embeddings.word.ids"


class Checkpoints:
    """The checkpoints of one run in a folder. Raises ValueError for a path that is a file.

    about: plain values that, like those of config, must be the same when the run goes on, such as the names
    of its files. whole: the folder of the longer run that this is a phase of, or None.
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
            raise ValueError(f"{folder}: a file; checkpoints are kept in a folder")

    def lock(self) -> AbstractContextManager:
        """Return a context in which no other process can train into the folder of the whole run.

        The system ends it with the process, however that dies; the empty lock file may stay. Raises
        ValueError where another process trains already.
        """
        self.whole.mkdir(parents=True, exist_ok=True)
        try:
            return FileLock(self.whole / LOCK).acquire(blocking=False)
        except Timeout:
            raise ValueError(f"another process trains into {self.whole}") from None

    def all(self) -> list[Path]:
        """Return the paths of the complete checkpoints, the latest first."""
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
        """Write a checkpoint of this step and delete those that need not stay; return its path.

        state: plain values, with "step"; the score, if any, under "score". Where the checkpoint cannot be
        written, a line says why, the earlier ones stay, and None is returned.
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
            shutil.rmtree(path, ignore_errors=True)  # only a refused one can have the same name
            os.replace(partial, path)
            sync(self.folder)
        except OSError as error:
            shutil.rmtree(partial, ignore_errors=True)
            tell(
                f"{path}: this checkpoint cannot be written ({error.strerror}); training goes on, and "
                f"{'the earlier ones stay' if self.all() else 'there is none yet'}"
            )
            return None
        self.prune()
        return path

    def prune(self) -> None:
        """Delete all but the latest few and the best."""
        stay = {*self.all()[: self.keep], self.best()}
        for path in self.all():
            if path not in stay:
                # renamed first: half deleted, it must not look complete
                shutil.rmtree(path.rename(path.with_name(path.name + PARTIAL)), ignore_errors=True)
        for path in self.folder.glob(f"*{PARTIAL}"):
            shutil.rmtree(path, ignore_errors=True)

    def resume(self, model: nn.Module, optimizer: Optimizer) -> dict[str, Any] | None:
        """Load the latest good checkpoint into model and optimiser; return its state, or None without one.

        A checkpoint that is damaged, or of another run, is set aside, and a line says so. Raises ValueError
        if there are only such checkpoints.
        """
        refused = []
        for path in self.all():
            try:
                state = load(path, model, optimizer, self.settings)
            except ValueError as error:
                refused.append((path, error))
                continue
            for bad, reason in refused:
                tell(f"{reason}; set aside as {bad.name}{REFUSED}; going on from {path.name}")
                shutil.rmtree(bad.with_name(bad.name + REFUSED), ignore_errors=True)
                bad.rename(bad.with_name(bad.name + REFUSED))
            self.prune()  # of what a killed process may have left
            return state
        if refused:
            raise ValueError(f"{refused[0][1]}; to begin anew, delete {self.whole}")
        return None


def load(path: Path, model: nn.Module, optimizer: Optimizer, settings: dict[str, Any]) -> dict[str, Any]:
    """Load one checkpoint into model and optimiser; return its state.

    Raises ValueError, naming file and reason, for one that is damaged or made with other settings; then
    nothing is changed.
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
            f"{path}: made with another {', '.join(changed)}; train as before{f' ({shown})' if shown else ''}"
        )
    step, epoch, position = (state[name] for name in ("step", "epoch", "position"))
    impossible = epoch + position > step or epoch == 0 and position != step
    if path.name != folder_name(step) or step > settings["steps"] or impossible:
        raise ValueError(
            f"{path / 'state.json'}: not of this checkpoint: step {step}, batch {position} of epoch {epoch}"
        )
    weights, moments = (
        read_tensors(checked(path / name, state["crc32"]))
        for name in ("model.safetensors", "optimizer.safetensors")
    )
    load_weights(path, model_tensors(model), weights)
    load_optimizer(model, optimizer, moments)
    return {name: state[name] for name in state if name not in ("crc32", "score")}


def load_model(path: Path, model: nn.Module) -> None:
    """Put the weights of a checkpoint, such as `Checkpoints.best()`, into a model of the same shape.

    What training did not change is not in the checkpoint and stays: the encoder, where only heads were
    trained, and the embeddings of words that the examples did not show. Raises ValueError for a checkpoint
    that is damaged or of another model; the model is then as before.
    """
    weights = read_tensors(checked(path / "model.safetensors", read_state(path)["crc32"]))
    own = model_tensors(model)
    if (ids := weights.pop(SHOWN, None)) is not None and WORDS in own:
        weights[WORDS] = own[WORDS].cpu().index_copy(0, ids, weights[WORDS])
    if all(name.startswith("heads.") for name in weights):
        own = {name: tensor for name, tensor in own.items() if name.startswith("heads.")}
    load_weights(path, own, weights)


def load_weights(path: Path, own: dict[str, Tensor], weights: dict[str, Tensor]) -> None:
    """Copy the tensors of a checkpoint into a model's own, both by name.

    Raises ValueError where names or shapes differ.
    """
    misfit = sorted(own.keys() ^ weights.keys()) or [
        name for name in own if own[name].shape != weights[name].shape
    ]
    if misfit:
        raise ValueError(
            f"{path / 'model.safetensors'}: of another model; {len(misfit)} tensors differ, first {misfit[0]}"
        )
    for name, tensor in own.items():
        tensor.copy_(weights[name])


def model_tensors(model: nn.Module) -> dict[str, Tensor]:
    """Return the parameters and buffers by name, each once.

    A tied matrix has two names, and safetensors takes no tensor twice.
    """
    once = {
        id(tensor): (name, tensor.detach())
        for name, tensor in reversed(model.state_dict(keep_vars=True).items())
    }
    return dict(once.values())


def optimizer_tensors(model: nn.Module, optimizer: Optimizer) -> dict[str, Tensor]:
    """Return the optimiser's state by name, such as `encoder.embeddings.word.weight/exp_avg`."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return {
        f"{names[id(parameter)]}/{key}": tensor
        for part in parts_of(optimizer)
        for parameter, values in part.state.items()
        for key, tensor in values.items()
    }


def load_optimizer(model: nn.Module, optimizer: Optimizer, tensors: dict[str, Tensor]) -> None:
    """Load into the optimiser what `optimizer_tensors` returned."""
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
