"""Documents as token ids in memory-mapped files, read when they are asked for: they may be larger than
memory.

A folder with `ids.npy`; `sentences.npy`, where each sentence starts in the ids; `documents.npy`, where each
document starts in the sentences; and `about.json`, what it was made from. `cache` makes such folders, and
finds them again.
"""
import contextlib
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from ...files import naming

# raise it where documents are cut, encoded or kept in another way: folders made before are refused
FORMAT = 1
ARRAYS = ("ids", "sentences", "documents")


class Documents(Sequence):
    """The documents of a folder, each a list of sentences, each a list of ids, read from the files when they
    are asked for.

    A slice is a view of the same files. Raises ValueError, naming the file, where they are truncated, or
    where `about.json` has another key than `key` (None: any).
    """

    def __init__(self, folder, key=None, first=0, last=None):
        self.folder, self.first = Path(folder), first
        about = read_about(self.folder, key)
        self.shapes = {name: about[name] for name in ARRAYS}
        # one int object for each id, not for each token
        self.numbers = np.arange(about["vocab_size"]).astype(object)
        self.release()
        self.last = len(self.documents) - 1 if last is None else last

    def release(self):
        """Maps the files anew: what was read of them no longer counts as this process's memory."""
        self.ids, self.sentences, self.documents = (mapped(self.folder / f"{name}.npy", self.shapes[name])
                                                    for name in ARRAYS)

    def __len__(self):
        return self.last - self.first

    @property
    def tokens(self):
        """How many ids these documents have together."""
        return int(self.sentences[self.documents[self.last]] - self.sentences[self.documents[self.first]])

    def __getitem__(self, index):
        if not isinstance(index, slice):
            index = range(len(self))[index]  # counts from the end, or raises IndexError
            return self.read(index, index + 1)[0]
        start, stop, step = index.indices(len(self))
        if step != 1:
            raise ValueError(f"a step of {step}: a view of documents takes neighbours")
        return Documents(self.folder, None, self.first + start, self.first + max(start, stop))

    def read(self, start, stop):
        """The documents from `start` up to `stop`, a list; quicker than one by one."""
        places = self.documents[self.first + start:self.first + stop + 1].tolist()
        starts = self.sentences[places[0]:places[-1] + 1].tolist()
        ids = self.numbers[self.ids[starts[0]:starts[-1]]].tolist()
        sentences = [ids[i - starts[0]:j - starts[0]] for i, j in pairwise(starts)]
        return [sentences[i - places[0]:j - places[0]] for i, j in pairwise(places)]


def read_about(folder, key):
    """What `about.json` says. Raises ValueError for a folder without it, or with another key."""
    try:
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        found = about["key"], about["vocab_size"], *(about[name] for name in ARRAYS)
    except (OSError, ValueError, KeyError, TypeError):
        raise ValueError(f"{folder}: not a folder of documents, or not whole") from None
    if about.get("format") != FORMAT or key not in (None, found[0]):
        raise ValueError(f"{folder}: documents of another text, vocabulary or format")
    return about


def mapped(path, size):
    """An array of `size` numbers, memory-mapped. Raises ValueError for a file that holds another number."""
    try:
        array = np.load(path, mmap_mode="r")
        whole = array.shape == (size,) and path.stat().st_size == array.offset + array.nbytes
    except (OSError, ValueError, AttributeError, EOFError):
        whole = False
    if not whole:
        raise ValueError(f"{path}: truncated, or not of this folder")
    return array


def write(folder, key, vocab_size, encoded):
    """The files of a folder. encoded: an iterable of (ids, tokens of each sentence, sentences of each
    document), three arrays.

    Raises ValueError for no ids at all; OSError, naming the file, where the disk is full.
    """
    kinds = np.uint16 if vocab_size <= 1 << 16 else np.uint32, np.int64, np.int64
    with contextlib.ExitStack() as files:
        arrays = [files.enter_context(contextlib.closing(Growing(folder / f"{name}.npy", kind)))
                  for name, kind in zip(ARRAYS, kinds)]
        for starts in arrays[1:]:
            starts.append(np.zeros(1, np.int64))
        ends = [0, 0]  # of the last sentence, of the last document
        for ids, *counts in encoded:
            arrays[0].append(ids)
            for n, (starts, count) in enumerate(zip(arrays[1:], counts)):
                starts.append(ends[n] + np.cumsum(count))
                ends[n] += int(count.sum())
    if not arrays[0].size:
        raise ValueError("the text has no tokens")
    about = {"format": FORMAT, "key": key,
             "vocab_size": vocab_size} | {name: a.size for name, a in zip(ARRAYS, arrays)}
    with naming(folder / "about.json"):
        (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")


class Growing:
    """An .npy file of one axis to which arrays are appended."""

    def __init__(self, path, dtype):
        self.file, self.dtype, self.size = open(path, "wb"), np.dtype(dtype), 0
        self.header()

    def header(self):
        """NumPy's header has room for any size, so that it can be written again."""
        np.lib.format.write_array_header_1_0(self.file, {"descr": self.dtype.str, "fortran_order": False,
                                                         "shape": (self.size,)})

    def append(self, array):
        with naming(self.file.name):
            self.file.write(array.astype(self.dtype).tobytes())
        self.size += len(array)

    def close(self):
        with naming(self.file.name), self.file:
            self.file.seek(0)
            self.header()
