"""Write named tensors as safetensors, and read them from safetensors or PyTorch's own format.

No code from a file is executed: `pytorch_model.bin` is a pickle, but is read with PyTorch's loader for plain
tensors.
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
    """Write named tensors to a safetensors file atomically: the file is complete on disk, or does not exist.

    like: a file whose access rights the new file gets; without it, only the owner can read the new file.
    Raises OSError, naming the file, if the disk is full.
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
    except SafetensorError as error:  # the library raises this if the disk is full
        full = OSError(f"{path}: cannot be written ({error})")
        full.strerror = str(error)  # as in an OSError from the system
        raise full from None
    finally:
        partial.unlink(missing_ok=True)


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read named tensors from a file to the CPU. Raises ValueError if the file does not contain any."""
    try:
        tensors = (
            load_file(path) if path.suffix == ".safetensors" else torch.load(path, "cpu", weights_only=True)
        )
    except SafetensorError as error:
        raise ValueError(f"{path}: truncated or not a safetensors file ({error})") from None
    except Exception as error:  # torch.load fails in many ways: the archive, the pickle or its content
        raise ValueError(
            f"{path}: truncated, or not a file of plain tensors ({type(error).__name__})"
        ) from None
    if not isinstance(tensors, dict) or not all(torch.is_tensor(tensor) for tensor in tensors.values()):
        raise ValueError(f"{path}: contains something other than named tensors")
    return tensors
