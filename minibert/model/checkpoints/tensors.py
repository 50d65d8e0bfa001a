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

from minibert.readers.json_file import read_json
from minibert.readers.wording import plural
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


def shards(path: Path) -> dict[str, list[str]]:
    """Return {file: names of its tensors} for an index of weights in several files; {} for any other file.

    Raises ValueError unless each file is a weights file in the folder of the index.
    """
    if path.suffix != ".json":
        return {}
    values = read_json(path)
    places = values.get("weight_map") if isinstance(values, dict) else None
    if not isinstance(places, dict) or not places:
        raise ValueError(f"{path}: has no weight_map, in which each tensor has the name of its file")
    found: dict[str, list[str]] = {}
    for name, file in places.items():
        if (
            not isinstance(file, str)
            or Path(file).name != file
            or not file.endswith((".safetensors", ".bin"))
        ):
            raise ValueError(f"{path}: {file!r} must be a .safetensors or .bin file in the same folder")
        found.setdefault(file, []).append(name)
    return found


def read_shards(index: Path) -> dict[str, torch.Tensor]:
    """Read the tensors in all files of an index. Raises ValueError if a file or a tensor is missing."""
    found: dict[str, torch.Tensor] = {}
    for file, names in shards(index).items():
        path = index.with_name(file)
        if not path.is_file():
            raise ValueError(
                f"{path}: no such file, but {index.name} lists {plural(len(names), 'tensor')} in it"
            )
        tensors = read_tensors(path)
        lost = [name for name in names if name not in tensors]
        if lost:
            raise ValueError(f"{path}: has no tensor {lost[0]}, but {index.name} says that it is there")
        found |= {name: tensors[name] for name in names}
        unlisted = tensors.keys() - set(names)
        if unlisted:
            raise ValueError(f"{path}: has a tensor {min(unlisted)}, which {index.name} does not list there")
    return found


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read named tensors from a file, or from all files of an index, to the CPU.

    Raises ValueError if a file does not contain any, or if a file of an index is missing.
    """
    if path.suffix == ".json":
        return read_shards(path)
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
