"""A training state on disk, whole or not at all: tensors as safetensors, all else as plain JSON, the latest
few and the best.

    folder/log.jsonl                the log, beside the checkpoints, so that they do not grow with it
    folder/lock                     empty; held by the process that trains
    folder/step-00000200/           model.safetensors  optimizer.safetensors  state.json

A checkpoint is written under another name, brought to the disk, then renamed: one with its right name is
complete, whenever the process dies. state.json holds a checksum of each file, for what a disk does
afterwards. No file is executed when it is read.
"""
import dataclasses
import math
import os
import shutil
from pathlib import Path

from filelock import FileLock, Timeout

from ..files import sync
from ..model.tensors import read_tensors, write_tensors
from .optimizers import parts_of
from .progress import tell
from .storage import checked, checksum, folder_of, read_state, write_json

# may differ when a run goes on: how, not what
HARMLESS = ("save_every", "keep", "accumulate", "recompute", "compile")
PARTIAL, REFUSED, LOCK = ".partial", ".refused", "lock"
LONG = 80                   # characters: two longer values, such as digests of texts, are named, not shown
# see `finetuning.partial_embedding`
WORDS, SHOWN = "encoder.embeddings.word.weight", "encoder.embeddings.word.ids"


class Checkpoints:
    """The checkpoints of one run in a folder. Raises ValueError for a path that is a file.

    about: plain values that, beside those of config, must be the same when the run goes on, such as the names
    of its files. whole: the folder of the longer run that this is a phase of, or None.
    """

    def __init__(self, folder, config, about=None, whole=None):
        self.folder, self.keep, self.settings = Path(folder), config.keep, {**(about or {}),
                                                                            **dataclasses.asdict(config)}
        self.whole = self.folder if whole is None else Path(whole)
        if self.folder.is_file():
            raise ValueError(f"{folder}: a file; checkpoints are kept in a folder")

    def held(self):
        """A context in which no other process holds the folder of the whole run. Raises ValueError where one
        does.

        The system ends it with the process, however that dies; the empty file it is about may stay.
        """
        self.whole.mkdir(parents=True, exist_ok=True)
        try:
            return FileLock(self.whole / LOCK).acquire(blocking=False)
        except Timeout:
            raise ValueError(f"another process trains into {self.whole}") from None

    def all(self):
        """The paths of the complete checkpoints, the latest first."""
        return sorted((path for path in self.folder.glob("step-*") if path.suffix not in (PARTIAL, REFUSED)),
                      reverse=True)

    def best(self):
        """The path of the checkpoint with the highest score, None where none has one."""
        scored = [(score, path) for path in self.all() if (score := self.score(path)) is not None
                  and not math.isnan(score)]
        return max(scored)[1] if scored else None

    @staticmethod
    def score(path):
        """The score of a checkpoint; None if it has none, or cannot be read."""
        try:
            return read_state(path).get("score")
        except ValueError:
            return None

    def save(self, model, optimizer, state):
        """Write a checkpoint of this step and delete what need not stay. state: plain values, with "step";
        the score, if any, under "score". Returns its path, or None if it could not be written: then a line
        says why, and the earlier ones stay."""
        path = self.folder / folder_of(state["step"])
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
            tell(f"{path}: this checkpoint cannot be written ({error.strerror}); training goes on, and "
                 f"{'the earlier ones stay' if self.all() else 'there is none yet'}")
            return None
        self.prune()
        return path

    def prune(self):
        """Delete all but the latest few and the best."""
        stay = {*self.all()[:self.keep], self.best()}
        for path in self.all():
            if path not in stay:
                # half deleted, it must not look complete
                path = path.rename(path.with_name(path.name + PARTIAL))
                shutil.rmtree(path, ignore_errors=True)
        for path in self.folder.glob(f"*{PARTIAL}"):
            shutil.rmtree(path, ignore_errors=True)

    def resume(self, model, optimizer):
        """Load the latest good checkpoint into model and optimiser; returns its state, or None in an empty
        folder.

        One that is damaged, or of another run, is set aside, and a line says so. Raises ValueError if none is
        good.
        """
        refused = []
        for path in self.all():
            try:
                state = load(path, model, optimizer, self.settings)
            except ValueError as error:
                refused.append((path, error))
                continue
            for bad, error in refused:
                tell(f"{error}; set aside as {bad.name}{REFUSED}; going on from {path.name}")
                shutil.rmtree(bad.with_name(bad.name + REFUSED), ignore_errors=True)
                bad.rename(bad.with_name(bad.name + REFUSED))
            self.prune()                                            # what a killed process may have left
            return state
        if refused:
            raise ValueError(f"{refused[0][1]}; to begin anew, delete {self.whole}")
        return None


def load(path, model, optimizer, settings):
    """Load one checkpoint; returns its state. Nothing is changed by one that raises ValueError, naming file
    and reason.
    """
    state = read_state(path)
    made = state.pop("config")
    if changed := [name for name in sorted(made.keys() | settings)
                   if name not in HARMLESS and made.get(name) != settings.get(name)]:
        values = [f"{name} {made.get(name)} before, {settings.get(name)} now" for name in changed]
        shown = ", ".join(value for value in values if len(value) < LONG)
        raise ValueError(f"{path}: made with another {', '.join(changed)}; train as "
                         f"before{f' ({shown})' if shown else ''}")
    step, epoch, position = (state[name] for name in ("step", "epoch", "position"))
    if path.name != folder_of(
        step) or step > settings["steps"] or epoch + position > step or epoch == 0 and position != step:
        raise ValueError(
            f"{path / 'state.json'}: not of this checkpoint: step {step}, batch {position} of epoch {epoch}")
    weights, moments = (read_tensors(checked(path / name, state["crc32"]))
                        for name in ("model.safetensors", "optimizer.safetensors"))
    load_weights(path, model_tensors(model), weights)
    load_optimizer(model, optimizer, moments)
    return {name: state[name] for name in state if name not in ("crc32", "score")}


def load_model(path, model):
    """Put the weights of a checkpoint, such as `Checkpoints.best()`, into a model of the same shape.

    What stayed as it was is not in the checkpoint, and is left alone: the trunk, where only heads were
    trained, and the vectors of words that the examples did not show. Raises ValueError for a checkpoint that
    is damaged or of another model; the model is then as before.
    """
    weights = read_tensors(checked(path / "model.safetensors", read_state(path)["crc32"]))
    own = model_tensors(model)
    if (ids := weights.pop(SHOWN, None)) is not None and WORDS in own:
        weights[WORDS] = own[WORDS].cpu().index_copy(0, ids, weights[WORDS])
    if all(name.startswith("heads.") for name in weights):
        own = {name: tensor for name, tensor in own.items() if name.startswith("heads.")}
    load_weights(path, own, weights)


def load_weights(path, own, weights):
    """Copy the tensors of a checkpoint into a model's own, both by name. Raises ValueError where they are not
    the same ones.
    """
    misfit = sorted(own.keys() ^ weights.keys()) or [name for name in own
                                                     if own[name].shape != weights[name].shape]
    if misfit:
        raise ValueError(f"{path / 'model.safetensors'}: of another model; {len(misfit)} tensors differ, "
                         f"first {misfit[0]}")
    for name, tensor in own.items():
        tensor.copy_(weights[name])


def model_tensors(model):
    """The parameters and buffers by name, each once: a tied matrix has two names, and safetensors takes no
    tensor twice.
    """
    once = {id(tensor): (name, tensor.detach())
            for name, tensor in reversed(model.state_dict(keep_vars=True).items())}
    return dict(once.values())


def optimizer_tensors(model, optimizer):
    """What the optimiser remembers of each parameter, by its name:
    `encoder.embeddings.word.weight/exp_avg`.
    """
    names = {parameter: name for name, parameter in model.named_parameters()}
    return {f"{names[parameter]}/{key}": tensor for part in parts_of(optimizer)
            for parameter, values in part.state.items()
            for key, tensor in values.items()}


def load_optimizer(model, optimizer, tensors):
    """The way back of `optimizer_tensors`."""
    names = {parameter: name for name, parameter in model.named_parameters()}
    memory = {}
    for name, tensor in tensors.items():
        parameter, _, key = name.rpartition("/")
        memory.setdefault(parameter, {})[key] = tensor
    for part in parts_of(optimizer):
        numbered = enumerate(parameter for group in part.param_groups for parameter in group["params"])
        part.load_state_dict({"state": {i: memory[names[parameter]] for i, parameter in numbered
                                        if names[parameter] in memory},
                              "param_groups": part.state_dict()["param_groups"]})
