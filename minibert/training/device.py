"""The device and precision of training, chosen once before the loop.

A Mac's mps device trains in float32. PyTorch 2.13 supports every operation there that the library uses, so
PYTORCH_ENABLE_MPS_FALLBACK is not needed.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, get_args

import torch

from ..model.transfer import gpu_precision
from ..readers.wording import plural
from .config import Precision
from .device_verdict import wrong_values
from .distributed import team
from .progress import tell
from .storage import read_state

KINDS = ("cuda", "mps", "cpu")  # fastest first
PRECISIONS = get_args(Precision)


def choose_device(name: str | None = None) -> torch.device:
    """Return the named device, or the best available one in the order cuda, mps, cpu.

    If `torchrun` started several processes, each gets its own GPU. Without a name, a device is skipped, with
    a message, if `minibert doctor` found wrong values on it or if its system is too old. Raises ValueError
    for a device that is not available or cannot be used.
    """
    if name is None:
        return next(device for device in map(of_kind, present()) if not is_skipped(device))
    kind, colon, number = name.partition(":")
    if kind not in KINDS or colon and not (kind == "cuda" and number.isdecimal()):
        raise ValueError(
            f"device {name!r} must be cuda, mps or cpu; one of several GPUs is cuda:0, cuda:1, and so on"
        )
    if kind not in present():
        raise ValueError(f"device {name!r} is not available; available: {', '.join(present())}")
    if kind == "mps" and (reason := unsupported_system()):
        raise ValueError(f"device {name!r}: {reason}")
    return of_kind(kind, int(number) if colon else None)


def present() -> list[str]:
    """Return the types of device that PyTorch finds on this machine, fastest first."""
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return [kind for kind in KINDS if there[kind]]


def of_kind(kind: str, number: int | None = None) -> torch.device:
    """Return the device of a given type, such as "cuda": GPU `number`, or the GPU assigned to this process.

    Raises ValueError for a GPU that does not exist, or that several processes would share.
    """
    if kind != "cuda":
        return torch.device(kind)
    count, processes = torch.cuda.device_count(), int(os.environ.get("WORLD_SIZE", 1))
    if number is not None and processes > 1:
        raise ValueError(
            f"device 'cuda:{number}' would be shared by {processes} processes: use cuda, and "
            "each process gets its own GPU"
        )
    if number is not None and number >= count:
        raise ValueError(
            f"device 'cuda:{number}' is not available: this machine has {plural(count, 'GPU')}, "
            "counted from 0"
        )
    own = int(os.environ.get("LOCAL_RANK", 0)) if number is None else number
    if own >= count:
        raise ValueError(
            f"process {own + 1} of this machine has no GPU to use: this machine has "
            f"{plural(count, 'GPU')}, and each process needs one"
        )
    return torch.device("cuda", own)


def unsupported_system() -> str | None:
    """Return the reason why the device mps cannot be used on this system, or None if it can."""
    if torch.backends.mps.is_macos_or_newer(14, 0):
        return None
    return "it needs macOS 14, since Muon computes in bfloat16"


def is_skipped(device: torch.device) -> bool:
    """Return whether a run without a named device avoids this one; if so, print the reason once."""
    reason = unsupported_system() if device.type == "mps" else None
    if reason is None and device.type != "cpu" and (found := wrong_values(device)):
        reason = (
            f"`minibert doctor` found wrong values on it ({found}); to use it anyway, give "
            f"--device {device.type}"
        )
    if reason:
        say_once(f"Device {device.type} is skipped: {reason}")
    return reason is not None


@cache
def say_once(line: str) -> None:
    """Print a line to standard error only once, and only in the first process if there are several."""
    if int(os.environ.get("RANK", 0)) == 0:
        tell(line)


def choose_precision(
    asked: str | torch.dtype,
    device: torch.device,
    checkpoint: str | Path | None = None,
    say: Callable[[str], Any] = str,
) -> str:
    """Return the name of the precision of a run: "bfloat16", "float16" or "float32".

    asked: one of PRECISIONS, or a dtype. "auto" keeps the precision of a run that has checkpoints, and
    otherwise uses `default_precision`. checkpoint: the folder of the run's checkpoints, or None. say: a
    function that prints a line with the precision. Raises ValueError for an unknown name, and on mps for any
    precision other than float32.
    """
    name, why = str(asked).removeprefix("torch."), ""
    if name not in PRECISIONS:
        raise ValueError(f"precision {name!r} must be one of {', '.join(PRECISIONS)}")
    if name == "auto":
        began = team().once(lambda: checkpoint and resumed_precision(checkpoint))
        name = began or team().once(lambda: str(default_precision(device)).removeprefix("torch."))
        why = ", as at the start of this run" if began else ""
    if device.type == "mps" and name != "float32":
        raise ValueError(f"precision {name!r}: mps supports only float32 for training")
    say(f"Precision {name}{why}")
    return name


def default_precision(device: torch.device) -> torch.dtype:
    """Return the fastest suitable precision for training on a device, which depends on its hardware alone.

    It is bfloat16 on a GPU that supports it, and float16, with a scaled loss, on older GPUs; bfloat16 on a
    CPU that has instructions for it, and otherwise float32; and float32 on a Mac's mps.
    """
    if device.type == "cuda":
        return gpu_precision()
    return torch.bfloat16 if device.type == "cpu" and multiplies_bfloat16() else torch.float32


def multiplies_bfloat16() -> bool:
    """Return whether this CPU has instructions for products in bfloat16 and PyTorch uses them.

    Without them bfloat16 is slower than float32, because each number is converted. PyTorch uses them through
    oneDNN, which its builds for macOS do not contain.
    """
    if not (torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        return False
    instructions = torch.cpu.get_capabilities()
    return any(
        instructions.get(name, False) for name in ("avx512_bf16", "amx_bf16", "bf16")
    )  # bf16 is for Arm


def resumed_precision(checkpoint: str | Path) -> str | None:
    """Return the precision of the checkpoints in a folder or its subfolders, or None if there are none."""
    for path in sorted(Path(checkpoint).rglob("step-*/state.json")):
        with suppress(ValueError):  # the loop will report what is wrong
            name = read_state(path.parent)["config"].get("precision")
            if name in PRECISIONS[1:] and not path.parent.suffix:  # complete and not refused
                return name
    return None
