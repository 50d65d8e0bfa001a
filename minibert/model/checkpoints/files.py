"""Find the folder and the files of a published model, on disk or on Hugging Face's hub."""

import json
import re
import shutil
from collections.abc import Sized
from contextlib import suppress
from pathlib import Path
from typing import Any

import pooch

from minibert.config import ModelConfig
from minibert.tokenizer.added import FILES as TOKENIZER_FILES
from minibert.tokenizer.settings import VOCAB

from .tensors import shards

# Files of a model's folder besides its weights. Only a fine-tuned model has a task.json.
FILES = ("config.json", "task.json", VOCAB, *TOKENIZER_FILES)
# The first existing one is used, as in `transformers`; an index lists the files of a large model.
WEIGHTS = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
# Our name: name on the hub, commit, sha256 of the files there. Several public projects record these checksums
# for this commit; we have not compared them with downloaded files.
NAMED = {
    "bert-base": (
        "google-bert/bert-base-uncased",
        "86b5e0934494bd15c9632b12f734a8a67f723594",
        {
            "config.json": "7160e1553ad2ca51d8c1cb066be533db31826e12d173824c1bb0cb1a4f187d20",
            "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            "model.safetensors": "68d45e234eb4a928074dfd868cead0219ab85354cc53d20e772753c6bb9169d3",
        },
    )
}
ABOUT = """bert-base: Google's BERT-base, uncased, 440 MB
  licence: Apache-2.0
  page:    https://huggingface.co/google-bert/bert-base-uncased"""
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
            f"{path} is a file, but a model is a folder with config.json, model.safetensors and vocab.txt"
        )
    name = path_or_name if isinstance(path_or_name, str) else path.as_posix()
    if not re.fullmatch(HUB_NAME, name):
        raise ValueError(f"{path}: no such folder, and not a name on Hugging Face's hub (owner/model)")
    try:
        return hub_folder(name)
    except NotOnHub as error:
        if name in NAMED:
            raise
        raise ValueError(f"{path}: no such folder, and {error.why}") from None


def hub_folder(name: str) -> Path:
    """Return the folder of a model on the hub in the hub's cache, downloading its files if necessary.

    name: the model's name on the hub, or one in NAMED, whose files are compared with their checksums. Raises
    ValueError if the model cannot be downloaded, or if a file differs from the published one.
    """
    name, commit, _ = NAMED.get(name, (name, None, {}))
    folder = from_hub(name, "config.json", commit).parent
    commit = folder.name  # take all files from one commit, because the model may change meanwhile
    weights_from_hub(name, folder, commit)
    # A file that cannot be reached may contain settings; the models in NAMED are known to work without them.
    known = commit in {known for _, known, _ in NAMED.values()}
    for file in FILES[1:]:
        with suppress(NotThere, *[NotOnHub] * (known or file == "task.json")):
            from_hub(name, file, commit)
    return folder


def weights_from_hub(name: str, folder: Path, commit: str) -> None:
    """Download the first of WEIGHTS that a hub model has, and the files that it lists if it is an index."""
    first = None
    for file in [file for file in WEIGHTS if (folder / file).is_file()] or WEIGHTS:
        try:
            path = from_hub(name, file, commit)
        except NotThere as error:
            first = first or error
            continue
        for shard in shards(path):
            from_hub(name, shard, commit)
        return
    assert first is not None
    raise first from None


def cached_folder(name: str) -> Path | None:
    """Return a model's folder if all its files are in this user's cache, else None; download nothing.

    name: a name in NAMED.
    """
    from huggingface_hub import try_to_load_from_cache

    hub_name, commit, sums = NAMED[name]
    found = [try_to_load_from_cache(hub_name, file, revision=commit) for file in sums]
    return Path(str(found[0])).parent if all(isinstance(path, str) for path in found) else None


def copy_model(folder: Path, to: Path | None) -> Path:
    """Copy the files of a model to the folder `to` and return it; if it is None, return `folder`."""
    if to is None:
        return folder
    to.mkdir(parents=True, exist_ok=True)
    for file in files_of(folder):
        shutil.copyfile(folder / file, to / file)
    return to


def files_of(folder: Path) -> list[str]:
    """Return the names of a model's files in its folder."""
    weights = find_weights(folder)
    names = [*FILES, weights.name, *shards(weights)]
    return [name for name in names if (folder / name).is_file()]


def from_hub(name: str, file: str, commit: str | None = None) -> Path:
    """Return the path of one file of a hub model, from a given commit or the newest one.

    Raises NotOnHub if the file is not in the cache and cannot be downloaded; NotThere if the model on the hub
    has no such file.
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
        raise NotOnHub(
            name, "searching Hugging Face's hub requires the package huggingface_hub, which is not installed"
        ) from None
    try:
        cached = try_to_load_from_cache(name, file, revision=commit)
        if isinstance(cached, str):
            return Path(cached)
        if cached is not None and commit:  # a file that is missing in a commit will never be there
            raise errors.EntryNotFoundError(file)
        with suppress(errors.EntryNotFoundError):  # the next call raises it again, and caches the result
            get_hf_file_metadata(hf_hub_url(name, file, revision=commit))  # one try; the next call makes six
        return checked(Path(hf_hub_download(name, file, revision=commit)), commit)
    except DamagedFile:
        raise
    except errors.RepositoryNotFoundError:
        why = "no model of this name that you can access on Hugging Face's hub; check the spelling"
    except Exception as error:  # from the network, the hub or the disk
        if isinstance(error, errors.EntryNotFoundError) and not isinstance(
            error, errors.LocalEntryNotFoundError
        ):
            raise NotThere(
                f"{name}: the model on Hugging Face's hub has no {file}; a model needs config.json and "
                f"model.safetensors or pytorch_model.bin"
            ) from None
        why = (
            f"{file} is not in the cache of Hugging Face's hub and cannot be downloaded "
            f"({type(error).__name__}); is there a network?"
        )
    raise NotOnHub(name, why)


class NotOnHub(ValueError):
    """Raised if a model's file is not in the hub's cache and cannot be downloaded."""

    def __init__(self, name: str, why: str):
        super().__init__(f"{name}: {why}")
        self.why = why


class NotThere(ValueError):
    """Raised if a model on the hub has no such file."""


class DamagedFile(ValueError):
    """Raised if a downloaded file differs from the published one."""


def checked(path: Path, commit: str | None) -> Path:
    """Return the path of a downloaded file; delete it and raise DamagedFile if its checksum is wrong."""
    known = next((sums.get(path.name) for _, named, sums in NAMED.values() if named == commit), None)
    if known and (found := pooch.file_hash(str(path))) != known:
        path.resolve().unlink()  # in the cache, the path is a link to the file
        path.unlink(missing_ok=True)
        raise DamagedFile(
            f"{path}: has sha256 {found}, but the published file has {known}; it was deleted: run the "
            f"same command to download it again"
        )
    return path


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file. Raises ValueError, naming the file, if it does not contain one."""
    if not path.is_file():
        raise ValueError(
            f"{path}: no such file; a model folder has config.json, model.safetensors and vocab.txt"
        )
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not valid JSON ({error})") from None
    if not isinstance(values, dict):
        raise ValueError(
            f"{path}: a configuration must be a JSON object, not a value of type {type(values).__name__}"
        )
    return values


def check_vocab(folder: str | Path, tokenizer: Sized, config: ModelConfig) -> None:
    """Raise ValueError unless the config's word embeddings have a row for each token, and few extra rows."""
    file = Path(folder) / VOCAB if (Path(folder) / VOCAB).is_file() else Path(folder) / "tokenizer.json"
    pieces, rows = len(tokenizer), config.vocab_size
    if not pieces <= rows < pieces + PADDING:
        raise ValueError(f"{file}: has {pieces} tokens, but config.json says vocab_size={rows}")


def find_weights(folder: Path) -> Path:
    """Return the path of the weights in a folder. Raises ValueError if there are none."""
    path = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if path is None:
        raise ValueError(
            f"{folder} contains neither model.safetensors nor pytorch_model.bin, and no index of one"
        )
    return path
