"""Named tensors in one file: written as safetensors, read from that or from PyTorch's own format.

Both published models (`weights`) and checkpoints (`minibert.training.storage`) are read and written here. No
file is executed: a `pytorch_model.bin` is a pickle, and is read by PyTorch's reader for plain tensors.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from minibert.readers.writing import naming, sync


def write_tensors(path: Path, tensors: Mapping[str, torch.Tensor], like: Path | None = None) -> None:
    """Write named tensors as a safetensors file, which is whole and on the disk, or not there.

    like: a file whose access rights the new one takes over; without it, only its owner can read it. Raises
    OSError, naming the file, where the disk is full.
    """
    partial = path.with_name(path.name + ".partial")
    try:
        with naming(path):
            save_file(
                {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()},
                partial,
                metadata={"format": "pt"},
            )
            if like is not None:
                shutil.copymode(like, partial)
            sync(partial)
        os.replace(partial, path)
    except SafetensorError as error:  # the library's word for a full disk
        full = OSError(f"{path}: cannot be written ({error})")
        full.strerror = str(error)  # as an error of the system has it
        raise full from None
    finally:
        partial.unlink(missing_ok=True)


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read the named tensors of a file, on the CPU. Raises ValueError for a file that holds no such thing."""
    try:
        tensors = (
            load_file(path) if path.suffix == ".safetensors" else torch.load(path, "cpu", weights_only=True)
        )
    except SafetensorError as error:
        raise ValueError(f"{path}: truncated or not a safetensors file ({error})") from None
    except Exception as error:  # torch.load: of the archive, the pickle, or what it holds
        raise ValueError(
            f"{path}: truncated, or not a file of plain tensors ({type(error).__name__})"
        ) from None
    if not isinstance(tensors, dict) or not all(torch.is_tensor(tensor) for tensor in tensors.values()):
        raise ValueError(f"{path}: holds something else than named tensors")
    return tensors
