"""Arrays on their way to the device that a model is on, so that nobody waits for them.

A GPU fetches pinned memory by itself while the processor goes on (CUDA C++ Programming Guide, "Page-Locked
Host Memory"). On a Mac's MPS a copy that nobody waits for may read memory that is already in other use
(pytorch/pytorch, issues about `non_blocking` copies to mps), so there each copy waits. Few copies are made:
arrays of one dtype travel together.
"""

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

CPU = torch.device("cpu")


@dataclass(frozen=True)
class Cargo:
    """Arrays by name, ready to be copied to a device: made in any thread, by `load`; copied by `to`.

    flat: tensors on the CPU, each with the names and shapes of the arrays that lie in it one after the other.
    """

    flat: tuple[tuple[Tensor, dict[Any, tuple[int, ...]]], ...]

    @classmethod
    def load(cls, arrays: Mapping[Any, np.ndarray], device: torch.device = CPU) -> "Cargo":
        """Make the Cargo of some arrays for a device; for the CPU itself nothing is copied."""
        if device.type == "cpu":
            return cls(
                tuple((torch.from_numpy(array), {name: array.shape}) for name, array in arrays.items())
            )
        flat = []
        for dtype in dict.fromkeys(array.dtype for array in arrays.values()):
            of_dtype = {name: array for name, array in arrays.items() if array.dtype == dtype}
            tensor = torch.from_numpy(np.concatenate([array.ravel() for array in of_dtype.values()]))
            flat.append(
                (
                    tensor.pin_memory() if device.type == "cuda" else tensor,
                    {name: array.shape for name, array in of_dtype.items()},
                )
            )
        return cls(tuple(flat))

    def to(self, device: torch.device) -> dict[Any, Tensor]:
        """Copy all arrays to a device and return them as tensors by name."""
        return dict(self.unpacked(device))

    def unpacked(self, device: torch.device) -> Iterator[tuple[Hashable, Tensor]]:
        """Yield (name, tensor on the device)."""
        for tensor, shapes in self.flat:
            there = tensor.to(device, non_blocking=device.type == "cuda" and tensor.is_pinned())
            if len(shapes) == 1:
                yield from ((name, there.view(shape)) for name, shape in shapes.items())
            else:
                sizes = [int(np.prod(shape)) for shape in shapes.values()]
                yield from (
                    (name, part.view(shape))
                    for (name, shape), part in zip(shapes.items(), there.split(sizes))
                )


def to_torch(arrays: Mapping[str, np.ndarray], device: torch.device) -> dict[str, Tensor]:
    """Copy a dict of arrays to tensors on a device."""
    return Cargo.load(arrays, device).to(device)


@contextmanager
def tensor_cores(device: torch.device) -> Iterator[None]:
    """In this context, a CUDA GPU multiplies float32 on its tensor cores (TF32): for answers and scores.

    They take 10 bits of each number and add up in float32. A result in 16 bits would give equal scores
    to texts that differ. On other devices, and on GPUs without such cores, nothing changes.
    """
    matmul = torch.backends.cuda.matmul
    before = matmul.fp32_precision
    if device.type == "cuda":
        matmul.fp32_precision = "tf32"
    try:
        yield
    finally:
        matmul.fp32_precision = before


def gpu_precision() -> torch.dtype:
    """Return bfloat16, or float16 on a CUDA GPU that lacks it."""
    return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float16


def device_of(model: nn.Module) -> torch.device:
    """Return the device of a model's parameters, where its outputs are."""
    return next(model.parameters()).device


def input_device(model: nn.Module) -> torch.device:
    """Return where a model wants its inputs: its own device, unless its encoder has an `input_device`."""
    return getattr(getattr(model, "encoder", None), "input_device", None) or device_of(model)
