"""Asynchronous transfers of arrays to the device of a model.

A GPU copies pinned memory while the CPU continues (CUDA C++ Programming Guide, "Page-Locked Host Memory").
Copies to a Mac's MPS device are synchronous: an asynchronous one may read memory that has been reused. Arrays
of the same dtype are copied together, so that there are few copies.
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
class StagedArrays:
    """Named arrays that are ready for a transfer to a device.

    Build it with `load` from any thread, and copy it with `to`. flat: tensors on the CPU, each with the names
    and shapes of the arrays that it contains, one after the other.
    """

    flat: tuple[tuple[Tensor, dict[Any, tuple[int, ...]]], ...]

    @classmethod
    def load(cls, arrays: Mapping[Any, np.ndarray], device: torch.device = CPU) -> "StagedArrays":
        """Prepare arrays for a transfer to a device; for the CPU, nothing is copied."""
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
        """Copy all arrays to a device, and return them as named tensors."""
        return dict(self.unpacked(device))

    def unpacked(self, device: torch.device) -> Iterator[tuple[Hashable, Tensor]]:
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
    """Copy named arrays to tensors on a device."""
    return StagedArrays.load(arrays, device).to(device)


@contextmanager
def tensor_cores(device: torch.device) -> Iterator[None]:
    """Compute float32 products in TF32 inside this context, for predictions on a CUDA GPU.

    The tensor cores keep 10 bits of each mantissa and accumulate in float32. This is faster than float32;
    16-bit results would give equal scores to different texts. On other devices, and on GPUs without such
    cores, nothing changes.
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
    """Return bfloat16, or float16 if the CUDA GPU does not support bfloat16."""
    return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float16


def device_of(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def input_device(model: nn.Module) -> torch.device:
    """Return the device to which a model's inputs belong; its parameters may be on another device."""
    return getattr(getattr(model, "encoder", None), "input_device", None) or device_of(model)
