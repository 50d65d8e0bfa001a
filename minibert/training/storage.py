"""The files of a checkpoint: written through to the disk, and read only if they are what was written.

`checkpoint` decides which files there are and when; `minibert.model.tensors` reads and writes the tensors;
here are the checksums and the plain values.
"""
import hashlib
import json
import time
import zlib

import torch

from ..files import sync, write_text
from .progress import tell


def checked(path, sums):
    """The path of a file that is as it was written. sums: the right checksum of each file of its folder.
    Raises ValueError for a file that is not there or has changed.
    """
    try:
        if checksum(path) != sums.get(path.name):
            raise ValueError(f"{path}: truncated or damaged: not the file that was written")
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    return path


def read_state(path):
    """The state of a checkpoint. Raises ValueError for a file that is not one."""
    try:
        state = json.loads((path / "state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{path / 'state.json'}: truncated or not a checkpoint ({type(error).__name__})") from None
    missing = {"step", "epoch", "position", "config",
               "crc32"} - (state.keys() if isinstance(state, dict) else set())
    if missing:
        raise ValueError(
            f"{path / 'state.json'}: not a checkpoint, for it has no {', '.join(sorted(missing))}")
    for name, fits in FITTING.items():
        if name in state and not fits(state[name]):
            raise ValueError(
                f"{path / 'state.json'}: not a checkpoint, for its {name} is {state[name]!r:.40}")
    return state


def folder_of(step):
    """The name of a checkpoint's folder."""
    return f"step-{step:08d}"


def counted(value):
    """True for a whole number of 0 or more."""
    return type(value) is int and value >= 0


FITTING = {                 # what values a checkpoint's state may have
    "step": counted, "epoch": counted, "position": counted,
    "config": lambda value: isinstance(value, dict),
    "crc32": lambda value: isinstance(value, dict) and all(map(counted, value.values())),
    "precision": lambda value: value in ("float32", "bfloat16", "float16", "float64"),
    "scaler": lambda value: isinstance(value, dict),
    "score": lambda value: type(value) in (int, float),
}


def write_json(path, values):
    """A dict as a JSON file, brought to the disk. Raises OSError."""
    write_text(path, json.dumps(values, indent=2) + "\n")
    sync(path)


def insist(write, tries=30, wait=10.0):
    """write(), and again after `wait` seconds where it raises OSError, `tries` times in all: a trained model
    is not to be lost because a disk is full just now. Raises what the last one raised."""
    for left in reversed(range(tries)):
        try:
            return write()
        except OSError as error:
            if not left:
                raise
            if left == tries - 1:
                tell(f"{error}; make room: tried again for {tries * wait / 60:.0f} minutes")
            time.sleep(wait)


def checksum(path, piece=1 << 20):
    """CRC-32 of a file."""
    total = 0
    with open(path, "rb") as file:
        while data := file.read(piece):
            total = zlib.crc32(data, total)
    return total


def digest(model):
    """A name for a model's weights: the same for the same tensors, in the same order."""
    total = hashlib.sha256()
    for name, tensor in model.state_dict().items():
        total.update(f"{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        total.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return total.hexdigest()
