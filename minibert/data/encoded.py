"""Encoded documents in memory-mapped files, which are read on access and may be larger than memory.

A folder contains `ids.npy`; `sentences.npy`, the start of each sentence in the ids; `documents.npy`, the
start of each document in the sentences; and `about.json`, which identifies the text and vocabulary.
"""

import contextlib
import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, overload

import numpy as np

from ..readers.writing import naming

# Increase this when documents are split, encoded or stored differently, so that older folders are refused.
FORMAT = 1
ARRAYS = ("ids", "sentences", "documents")
Ids = list[list[int]]  # a document: the ids of each sentence


class Documents(Sequence):
    """The documents of a folder (lists of sentences, which are lists of ids), read from the files on access.

    A slice is a view of the same files. key: the expected key in `about.json`; None accepts any. first, last:
    the range of documents, by default all of them. Raises ValueError, naming the file, if a file is truncated
    or the key differs.
    """

    def __init__(self, folder: str | Path, key: str | None = None, first: int = 0, last: int | None = None):
        self.folder, self.first = Path(folder), first
        about = read_about(self.folder, key)
        self.shapes = {name: about[name] for name in ARRAYS}
        # Share one int object between all tokens with the same id, which saves memory.
        self.numbers = np.arange(about["vocab_size"]).astype(object)
        self.release()
        self.last = len(self.documents) - 1 if last is None else last

    def release(self) -> None:
        """Map the files again, so that the pages read so far no longer count as this process's memory."""
        self.ids, self.sentences, self.documents = (
            mapped(self.folder / f"{name}.npy", self.shapes[name]) for name in ARRAYS
        )

    def __len__(self) -> int:
        return self.last - self.first

    @property
    def tokens(self) -> int:
        return int(self.sentences[self.documents[self.last]] - self.sentences[self.documents[self.first]])

    @overload
    def __getitem__(self, index: int) -> Ids: ...
    @overload
    def __getitem__(self, index: slice) -> "Documents": ...
    def __getitem__(self, index):
        if not isinstance(index, slice):
            index = range(len(self))[index]  # resolves negative indices, or raises IndexError
            return self.read(index, index + 1)[0]
        start, stop, step = index.indices(len(self))
        if step != 1:
            raise ValueError(f"a slice of documents must have a step of 1, not {step}")
        return Documents(self.folder, None, self.first + start, self.first + max(start, stop))

    def read(self, start: int, stop: int) -> list[Ids]:
        """Return the documents from `start` up to, but not including, `stop`; faster than one at a time."""
        places = self.documents[self.first + start : self.first + stop + 1].tolist()
        starts = self.sentences[places[0] : places[-1] + 1].tolist()
        ids = self.numbers[self.ids[starts[0] : starts[-1]]].tolist()
        sentences = [ids[i - starts[0] : j - starts[0]] for i, j in pairwise(starts)]
        return [sentences[i - places[0] : j - places[0]] for i, j in pairwise(places)]


def read_about(folder: Path, key: str | None) -> dict[str, Any]:
    """Return the content of `about.json`. Raises ValueError if it is missing or its key or format differs."""
    try:
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        found = about["key"], about["vocab_size"], *(about[name] for name in ARRAYS)
    except (OSError, ValueError, KeyError, TypeError):
        raise ValueError(f"{folder}: not a folder of encoded documents, or incomplete") from None
    if about.get("format") != FORMAT or key not in (None, found[0]):
        raise ValueError(f"{folder}: made from another text or vocabulary, or in another format")
    return about


def mapped(path: Path, size: int) -> np.ndarray:
    """Map a file's array of `size` numbers into memory. Raises ValueError if its size is different."""
    try:
        array = np.load(path, mmap_mode="r")
        whole = array.shape == (size,) and path.stat().st_size == array.offset + array.nbytes
    except (OSError, ValueError, AttributeError, EOFError):
        whole = False
    if not whole:
        raise ValueError(f"{path}: truncated, or copied from another folder")
    return array


def write(
    folder: Path, key: str, vocab_size: int, encoded: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]]
) -> None:
    """Write encoded documents to files in a folder.

    key: a digest that identifies the text and the tokenizer. encoded: triples of arrays (ids, number of
    tokens in each sentence, number of sentences in each document). Raises ValueError if there are no ids, and
    OSError, naming the file, if the disk is full.
    """
    kinds = np.uint16 if vocab_size <= 1 << 16 else np.uint32, np.int64, np.int64
    with contextlib.ExitStack() as files:
        arrays = [
            files.enter_context(contextlib.closing(Growing(folder / f"{name}.npy", kind)))
            for name, kind in zip(ARRAYS, kinds)
        ]
        for starts in arrays[1:]:
            starts.append(np.zeros(1, np.int64))
        ends = [0, 0]  # end of the last sentence, and of the last document
        for ids, *counts in encoded:
            arrays[0].append(ids)
            for n, (starts, count) in enumerate(zip(arrays[1:], counts)):
                starts.append(ends[n] + np.cumsum(count))
                ends[n] += int(count.sum())
    if not arrays[0].size:
        raise ValueError("the text has no tokens")
    sizes = {name: array.size for name, array in zip(ARRAYS, arrays)}
    about = {"format": FORMAT, "key": key, "vocab_size": vocab_size, **sizes}
    with naming(folder / "about.json"):
        (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")


class Growing:
    """An .npy file with a one-dimensional array, to which other arrays can be appended."""

    def __init__(self, path: Path, dtype: type):
        self.file = open(path, "wb")  # noqa: SIM115  # until `close`
        self.dtype, self.size = np.dtype(dtype), 0
        self.header()

    def header(self) -> None:
        """Write NumPy's header, padded so that it can be overwritten with the final size of the array."""
        np.lib.format.write_array_header_1_0(
            self.file, {"descr": self.dtype.str, "fortran_order": False, "shape": (self.size,)}
        )

    def append(self, array: np.ndarray) -> None:
        with naming(self.file.name):
            self.file.write(array.astype(self.dtype).tobytes())
        self.size += len(array)

    def close(self) -> None:
        with naming(self.file.name), self.file:
            self.file.seek(0)
            self.header()
