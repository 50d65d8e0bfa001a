"""Functions that find the folder and the files of a published model and read its `config.json`.

`tensors` reads the weights, and `weights` loads them into a model. A name on Hugging Face's hub is looked up
in this user's cache first.
"""

import json
import re
from collections.abc import Sized
from contextlib import suppress
from pathlib import Path
from typing import Any

from minibert.config import ModelConfig

WEIGHTS = ("model.safetensors", "pytorch_model.bin")  # the first existing one is used
PADDING = 128  # extra rows that word embeddings may have, because round numbers are faster
HUB_NAME = r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?"  # bert-base-uncased, google/electra-small-generator


def find_folder(path_or_name: str | Path) -> Path:
    """Return the path of a model's folder; a name on the hub is downloaded to the cache if necessary.

    The folder includes the tokenizer's files. Raises ValueError if the argument is neither a folder nor a
    valid name, or if the model cannot be downloaded.
    """
    path = Path(path_or_name)
    if path.is_dir():
        return path
    if path.exists():
        raise ValueError(
            f"{path}: is a file, but a model is a folder with config.json, model.safetensors and vocab.txt"
        )
    name = path_or_name if isinstance(path_or_name, str) else path.as_posix()
    if not re.fullmatch(HUB_NAME, name):
        raise ValueError(f"{path}: no such folder, and not a name on Hugging Face's hub (owner/model)")
    folder = from_hub(name, "config.json").parent
    commit = folder.name  # take all files from one commit, because the model may change meanwhile
    if not any((folder / file).is_file() for file in WEIGHTS):
        try:
            from_hub(name, WEIGHTS[0], commit)
        except ValueError as error:
            try:
                from_hub(name, WEIGHTS[1], commit)
            except ValueError:
                raise error from None
    for file in ("tokenizer_config.json", "vocab.txt"):
        with suppress(ValueError):
            from_hub(name, file, commit)
    if not (folder / "vocab.txt").is_file():  # a model without WordPiece
        with suppress(ValueError):
            from_hub(name, "tokenizer.json", commit)
    return folder


def from_hub(name: str, file: str, commit: str | None = None) -> Path:
    """Return the path of one file of a hub model, from a given commit or the newest one.

    Raises ValueError if the file is not in the cache and cannot be downloaded.
    """
    try:
        from huggingface_hub import (
            errors,
            get_hf_file_metadata,
            hf_hub_download,
            hf_hub_url,
            try_to_load_from_cache,
        )
    except ImportError:
        raise ValueError(
            f"{name}: no such folder; to search Hugging Face's hub, install huggingface_hub"
        ) from None
    try:
        cached = try_to_load_from_cache(name, file, revision=commit)
        if isinstance(cached, str):
            return Path(cached)
        if cached is not None and commit:  # a file that is missing in a commit will never be there
            raise errors.EntryNotFoundError(file)
        with suppress(errors.EntryNotFoundError):  # the next call raises it again, and caches the result
            get_hf_file_metadata(hf_hub_url(name, file, revision=commit))  # one try; the next call makes six
        return Path(hf_hub_download(name, file, revision=commit))
    except errors.RepositoryNotFoundError:
        why = (
            "no such folder, and no model of this name that you can access on Hugging Face's hub; check "
            "the spelling"
        )
    except Exception as error:  # from the network, the hub or the disk
        if isinstance(error, errors.EntryNotFoundError) and not isinstance(
            error, errors.LocalEntryNotFoundError
        ):
            why = (
                f"the model on Hugging Face's hub has no {file}; a model needs config.json and "
                f"{' or '.join(WEIGHTS)}"
            )
        else:
            why = (
                f"no such folder, and {file} is not in the cache of Hugging Face's hub and cannot be "
                f"downloaded ({type(error).__name__}); connect to the network, or give a folder"
            )
    raise ValueError(f"{name}: {why}")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file. Raises ValueError, naming the file, if there is none."""
    if not path.is_file():
        raise ValueError(
            f"{path}: no such file; a model folder has config.json, model.safetensors and vocab.txt"
        )
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not valid JSON ({error})") from None
    if not isinstance(values, dict):
        raise ValueError(f"{path}: contains {type(values).__name__}, but a configuration is an object")
    return values


def check_vocab(folder: str | Path, tokenizer: Sized, config: ModelConfig) -> None:
    """Raise ValueError unless the vocabulary fits the word embeddings, allowing for some extra rows."""
    pieces, rows = len(tokenizer), config.vocab_size
    if not pieces <= rows < pieces + PADDING:
        raise ValueError(
            f"{Path(folder) / 'vocab.txt'}: has {pieces} tokens, but config.json says vocab_size={rows}"
        )


def find_weights(folder: Path) -> Path:
    """Return the path of the weights in a folder. Raises ValueError if there are none."""
    path = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if path is None:
        raise ValueError(f"{folder / WEIGHTS[0]}: no such file, and no {WEIGHTS[1]} either")
    return path
