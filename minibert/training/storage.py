"""The files of a checkpoint: flushed to disk when written, and verified by checksum when read."""

import hashlib
import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch

from ..readers.writing import sync, write_text
from .progress import tell

Result = TypeVar("Result")


def checked(path: Path, sums: dict[str, int]) -> Path:
    """Return the path of a file after verifying its checksum.

    sums: the expected checksum of each file in its folder. Raises ValueError if the file is missing or has
    changed.
    """
    try:
        if checksum(path) != sums.get(path.name):
            raise ValueError(f"{path}: truncated or damaged: its checksum is wrong")
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    return path


def read_state(path: Path) -> dict[str, Any]:
    """Return the state of a checkpoint in a folder. Raises ValueError, naming the file, if it is invalid."""
    try:
        state = json.loads((path / "state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{path / 'state.json'}: truncated or not a checkpoint ({type(error).__name__})"
        ) from None
    missing = REQUIRED - (state.keys() if isinstance(state, dict) else set())
    if missing:
        raise ValueError(f"{path / 'state.json'}: not a checkpoint: it has no {', '.join(sorted(missing))}")
    for name, is_valid in VALID.items():
        if name in state and not is_valid(state[name]):
            raise ValueError(f"{path / 'state.json'}: not a checkpoint: its {name} is {state[name]!r:.40}")
    return state


def folder_name(step: int) -> str:
    return f"step-{step:08d}"


def is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


REQUIRED = {"step", "epoch", "position", "config", "crc32"}
VALID: dict[str, Callable[[Any], bool]] = {  # checks of the values in a checkpoint's state
    "step": is_count,
    "epoch": is_count,
    "position": is_count,
    "config": lambda value: isinstance(value, dict),
    "crc32": lambda value: isinstance(value, dict) and all(map(is_count, value.values())),
    "scaler": lambda value: isinstance(value, dict),
    "score": lambda value: type(value) in (int, float),
}


def write_json(path: Path, values: dict[str, Any]) -> None:
    write_text(path, json.dumps(values, indent=2) + "\n")
    sync(path)


def write_with_retries(write: Callable[[], Result], tries: int = 30, wait: float = 10.0) -> Result:
    """Call write(), and retry if it raises OSError, so that no trained model is lost if the disk is full.

    tries: maximum number of calls. wait: seconds between them. Re-raises the last error.
    """
    for left in reversed(range(tries)):
        try:
            return write()
        except OSError as error:
            if not left:
                raise
            if left == tries - 1:
                tell(f"{error}; free some space: writing is retried for {tries * wait / 60:.0f} minutes")
            time.sleep(wait)
    raise ValueError(f"tries={tries} must be at least 1")


def checksum(path: Path, piece: int = 1 << 20) -> int:
    """Return the CRC-32 of a file, read `piece` bytes at a time."""
    total = 0
    with open(path, "rb") as file:
        while data := file.read(piece):
            total = zlib.crc32(data, total)
    return total


def digest(model: torch.nn.Module) -> str:
    """Return a SHA-256 digest of a model's weights; it depends on their names, order, types and values."""
    total = hashlib.sha256()
    for name, tensor in model.state_dict().items():
        total.update(f"{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        total.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return total.hexdigest()
