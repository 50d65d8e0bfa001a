"""Where a model trains, and in which precision: chosen once, before the loop.

A Mac's mps trains in float32 and lacks float64, which nothing here needs. PyTorch 2.13 has a kernel there
for every operation that the tests of objectives, tasks and approaches call, or composes it of others (as its
table native_functions.yaml says), so PYTORCH_ENABLE_MPS_FALLBACK is not needed.
"""

import os
import time
from collections.abc import Callable
from functools import cache
from typing import cast

import torch
from torch import nn

from ..config import ModelConfig
from ..model.encoder import EncoderLayer
from ..model.fast import fast_layer
from ..model.heads import Model
from ..model.transfer import gpu_precision
from ..readers.wording import plural
from .device_verdict import wrong_values
from .progress import tell

KINDS = ("cuda", "mps", "cpu")  # the fastest first
WORTH = 1.25  # how many times as fast as float32 bfloat16 must be, since its numbers are coarser


def choose_device(name: str | None = None) -> torch.device:
    """Return the named device, or the best one present: cuda, mps, cpu.

    Each of several processes that `torchrun` started gets its own GPU. Without a name, a device is passed
    over if `minibert doctor` found wrong values on it, or if its system is too old; a line says so. Raises
    ValueError, naming the rule, for a device that is not there or cannot be used.
    """
    if name is None:
        return next(device for device in map(of_kind, present()) if not passed_over(device))
    kind, colon, number = name.partition(":")
    if kind not in KINDS or colon and not (kind == "cuda" and number.isdecimal()):
        raise ValueError(
            f"device {name!r} must be cuda, mps or cpu; one of several GPUs is cuda:0, cuda:1, and so on"
        )
    if kind not in present():
        raise ValueError(f"device {name!r} is not available; available: {', '.join(present())}")
    if kind == "mps" and (reason := old_system()):
        raise ValueError(f"device {name!r}: {reason}")
    return of_kind(kind, int(number) if colon else None)


def present() -> list[str]:
    """Return the kinds of device that PyTorch finds on this machine, the fastest first."""
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return [kind for kind in KINDS if there[kind]]


def of_kind(kind: str, number: int | None = None) -> torch.device:
    """Return the device of a kind; of several GPUs the given one, or else the one of this process.

    Raises ValueError for a GPU that is not there, and for one that several processes would share.
    """
    if kind != "cuda":
        return torch.device(kind)
    count, processes = torch.cuda.device_count(), int(os.environ.get("WORLD_SIZE", 1))
    if number is not None and processes > 1:
        raise ValueError(
            f"device 'cuda:{number}' would be shared by {processes} processes: give cuda, and "
            "each process takes a GPU of its own"
        )
    if number is not None and number >= count:
        raise ValueError(
            f"device 'cuda:{number}' is not available: this machine has {plural(count, 'GPU')}, "
            "counted from 0"
        )
    own = int(os.environ.get("LOCAL_RANK", 0)) if number is None else number
    if own >= count:
        raise ValueError(
            f"process {own + 1} of this machine finds {plural(count, 'GPU')}: each needs one, "
            f"so start {count}"
        )
    return torch.device("cuda", own)


def old_system() -> str | None:
    """Return why this system's mps does not suffice, or None if it does."""
    if torch.backends.mps.is_macos_or_newer(14, 0):
        return None
    return "it needs macOS 14, since Muon computes in bfloat16"


def passed_over(device: torch.device) -> bool:
    """Return whether a run without a named device leaves this one alone; if so, a line says why, once."""
    reason = old_system() if device.type == "mps" else None
    if reason is None and device.type != "cpu" and (found := wrong_values(device)):
        reason = (
            f"`minibert doctor` found wrong values there ({found}); to use it nevertheless, name it: "
            f"--device {device.type}"
        )
    if reason:
        say_once(f"Device {device.type} is passed over: {reason}")
    return reason is not None


@cache
def say_once(line: str) -> None:
    """Print a line to standard error once; of several processes, only the first one prints it."""
    if int(os.environ.get("RANK", 0)) == 0:
        tell(line)


def choose_precision(model: nn.Module, say: Callable[[str], None] = lambda line: None) -> torch.dtype:
    """Return the precision to train in: torch.bfloat16, torch.float16 or torch.float32.

    On a GPU bfloat16, or float16 on an older one that lacks it (its loss is scaled, see `step`); on a Mac's
    mps float32. On a processor bfloat16 where it makes a layer of this model at least WORTH times as fast,
    which takes a fraction of a second to measure, else float32. say: is called with a line that tells what
    was chosen and measured.
    """
    device, why = next(model.parameters()).device, ""
    if device.type == "cuda":
        precision = gpu_precision()
    elif device.type != "cpu":
        precision, why = torch.float32, f": no mixed precision on {device.type}"
    else:
        gain = bfloat16_gain(cast(Model, model).encoder.config)
        precision = torch.bfloat16 if gain > WORTH else torch.float32
        why = f": bfloat16 is {gain:.1f} times as fast as float32 here"
    say(f"Precision {str(precision).removeprefix('torch.')}{why}")
    return precision


def bfloat16_gain(config: ModelConfig) -> float:
    """Measure how many times as fast as in float32 a layer of this configuration trains in bfloat16."""
    layer = EncoderLayer(config)
    x = torch.zeros(32, 64, config.hidden_size)

    def seconds(dtype):
        start = time.perf_counter()
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            fast_layer(layer, x)[0].sum().backward()
        return time.perf_counter() - start

    times = {dtype: min(seconds(dtype) for _ in range(4)) for dtype in (torch.float32, torch.bfloat16)}
    return times[torch.float32] / times[torch.bfloat16]
