"""The files of a published model: where its folder is, and what stands in `config.json` and in the file of tensors.

`weights` gives the tensors their place in a model; this file only finds and reads, and says what is wrong with a file. A
name on Hugging Face's hub is looked up in this user's cache first. No file is executed: a `pytorch_model.bin` is a pickle,
and is read by PyTorch's reader for plain tensors.
"""
import json
import re
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

WEIGHTS = ("model.safetensors", "pytorch_model.bin")                # the first that is there
HUB_NAME = r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?"                         # bert-base-uncased, google/electra-small-generator


def find_folder(path_or_name):
    """The folder itself, or, for a hub name, its copy in the cache, downloaded if it is not there yet; vocab.txt is in it too.

    Raises ValueError for what is neither, and for a name that cannot be reached.
    """
    path = Path(path_or_name)
    if path.is_dir():
        return path
    if path.exists():
        raise ValueError(f"{path}: a file; a model is a folder with config.json, model.safetensors and vocab.txt")
    name = path_or_name if isinstance(path_or_name, str) else path.as_posix()
    if not re.fullmatch(HUB_NAME, name):
        raise ValueError(f"{path}: no such folder, and not a name on Hugging Face's hub (owner/model)")
    config = from_hub(name, "config.json")
    try:
        from_hub(name, WEIGHTS[0])
    except ValueError as error:
        try:
            from_hub(name, WEIGHTS[1])
        except ValueError:
            raise error from None
    try:
        from_hub(name, "vocab.txt")
    except ValueError:
        pass                                                        # a model without WordPiece has none
    return config.parent


def from_hub(name, file):
    """The path of one file of a hub model; raises ValueError when it is neither in the cache nor to be had."""
    try:
        from huggingface_hub import hf_hub_download, try_to_load_from_cache
    except ImportError:
        raise ValueError(f"{name}: no such folder; to look on Hugging Face's hub, install huggingface_hub") from None
    try:
        cached = try_to_load_from_cache(name, file)
        return Path(cached if isinstance(cached, str) else hf_hub_download(name, file))
    except Exception as error:                                      # of the network, the hub, the disk: all mean the same here
        raise ValueError(f"{name}: no such folder, {file} is not in the cache of Hugging Face's hub, and cannot be "
                         f"downloaded ({type(error).__name__})") from None


def read_json(path):
    """The object in a JSON file."""
    if not path.is_file():
        raise ValueError(f"{path}: no such file; a model folder has config.json, model.safetensors and vocab.txt")
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not valid JSON ({error})") from None
    if not isinstance(values, dict):
        raise ValueError(f"{path}: holds {type(values).__name__}, but a configuration is an object")
    return values


def read_tensors(folder):
    """(path, name -> tensor) of a folder's file of weights."""
    path = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if path is None:
        raise ValueError(f"{folder / WEIGHTS[0]}: no such file, and no {WEIGHTS[1]} beside it")
    try:
        tensors = load_file(path) if path.suffix == ".safetensors" else torch.load(path, "cpu", weights_only=True)
    except SafetensorError as error:
        raise ValueError(f"{path}: truncated or not a safetensors file ({error})") from None
    except Exception as error:                                      # torch.load: of the archive, the pickle, or what it holds
        raise ValueError(f"{path}: truncated, or not a file of plain tensors ({type(error).__name__})") from None
    if not isinstance(tensors, dict) or not all(torch.is_tensor(tensor) for tensor in tensors.values()):
        raise ValueError(f"{path}: holds something else than named tensors")
    return path, tensors
