"""Encode documents once, into a folder named for text and vocabulary, where the next run finds them.

`encoded` reads and writes such a folder; this file makes it, with several processes, whole or not at all.
"""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..readers.plain_text import stream_documents
from ..readers.utf8_text import bytes_of
from ..readers.wording import plural
from .encoded import FORMAT, Documents, write
from .portions import in_order, portions

STALE = 24 * 3600  # seconds; a process that still builds writes more often
MOST_WORDS = 1 << 20  # distinct words whose ids a process keeps in memory


class Text(NamedTuple):
    """A text: a name, the same for the same text, and a function that streams its documents."""

    name: str
    documents: Callable[[], Iterable[list[str]]]  # lists of sentences


class Tokenizer(Protocol):
    """What is needed of a tokenizer, such as `minibert.tokenizer.WordPiece`."""

    vocab: list[str]
    lower_case: bool
    max_characters_per_word: int

    def encode_batch(self, texts: Iterable[str]) -> Sequence[Any]: ...  # with .ids
    def __len__(self) -> int: ...


def content_of(paths: Iterable[str | Path]) -> str:
    """Return a digest of the bytes of files, in this order: the same for the same bytes in other places."""
    digests = []
    for path in paths:
        digest = hashlib.sha256()
        for chunk in bytes_of(path):
            digest.update(chunk)
        digests.append(digest.hexdigest())
    return name_of(digests)


def text_of_files(paths: Sequence[str | Path]) -> Text:
    """Return the Text of files; its name comes from their bytes."""
    return Text(content_of(paths), lambda: stream_documents(paths))


def name_of(parts: Iterable[Any]) -> str:
    """Return a digest of a list of plain values."""
    return hashlib.sha256(json.dumps([FORMAT, *parts]).encode()).hexdigest()


def cached_documents(
    root: str | Path,
    content: str,
    documents: Callable[[], Iterable[list[str]]],
    tokenizer: Tokenizer,
    workers: int = 1,
    say: Callable[[str], object] = print,
) -> Documents:
    """Return the Documents of a text from the cache in the folder `root`; encode them first if they are new.

    content: a digest of the text, such as `content_of`; the cache is found by it and by the tokenizer's
    vocabulary and casing. documents: a function that returns the text, as an iterable of documents (lists of
    sentences). workers: number of processes that encode; the files do not depend on it. Two processes may do
    this at the same time: the cache of one of them stays. A cache that is truncated, or not what its name
    says, is reported and made anew. say: called with one line that says what was done.
    """
    key = name_of([content, tokenizer.vocab, tokenizer.lower_case, tokenizer.max_characters_per_word])
    folder = Path(root) / f"documents-{key[:20]}"
    if os.path.lexists(folder):
        try:
            found = Documents(folder, key)
            say(
                f"Encoded before: {plural(len(found), 'document')}, {plural(found.tokens, 'token')} in "
                f"{folder}"
            )
            return found
        except ValueError as error:
            say(f"{error}; it is made anew")
    made = build(folder, key, documents(), tokenizer, workers)
    say(f"Encoded: {plural(len(made), 'document')}, {plural(made.tokens, 'token')}, kept in {folder}")
    return made


def build(
    folder: Path, key: str, documents: Iterable[list[str]], tokenizer: Tokenizer, workers: int
) -> Documents:
    """Encode documents into a folder beside `folder`, which takes its name when it is whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    clear(folder)
    partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".partial", dir=folder.parent))
    try:
        write(
            partial, key, len(tokenizer), in_order(DocumentEncoder(tokenizer), portions(documents), workers)
        )
        install(partial, folder, key)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Documents(folder, key)


def clear(folder: Path) -> None:
    """Delete what killed processes left of this cache: partial folders not written to for STALE seconds."""
    for left in folder.parent.glob(f"{folder.name}.*.partial"):
        written = [path.stat().st_mtime for path in (left, *left.glob("*.npy")) if path.exists()]
        if written and max(written) < time.time() - STALE:
            shutil.rmtree(left, ignore_errors=True)


def install(partial: Path, folder: Path, key: str) -> None:
    """Rename a complete cache, unless another process has made one; a damaged one is replaced."""
    for _ in range(3):
        try:
            os.rename(partial, folder)
            return
        except OSError:  # something has this name
            try:
                Documents(folder, key)
                return
            except ValueError:
                refused = tempfile.mkdtemp(suffix=".partial", dir=folder.parent)
                with contextlib.suppress(FileNotFoundError):  # another process was faster
                    os.rename(folder, Path(refused) / "refused")
                shutil.rmtree(refused)
    os.rename(partial, folder)


class DocumentEncoder:
    """Encodes documents: (all ids, number of tokens of each sentence, number of sentences of each document).

    White space ends a word in every context, and texts repeat their words, so the ids of what stands between
    two spaces are computed once.
    """

    def __init__(self, tokenizer: Tokenizer):
        self.tokenizer = tokenizer
        self.known: dict[str, list[int]] = {}  # word -> ids

    def __call__(self, documents: Sequence[list[str]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        sentences = [sentence.split(" ") for document in documents for sentence in document]
        if len(self.known) > MOST_WORDS:
            self.known.clear()
        new = list(set(chain.from_iterable(sentences)) - self.known.keys())
        self.known.update(
            (word, encoding.ids) for word, encoding in zip(new, self.tokenizer.encode_batch(new), strict=True)
        )
        words = [[self.known[word] for word in sentence] for sentence in sentences]
        counts = np.fromiter((sum(map(len, sentence)) for sentence in words), np.int64, len(words))
        ids = np.fromiter(chain.from_iterable(chain.from_iterable(words)), np.uint32, int(counts.sum()))
        return ids, counts, np.fromiter(map(len, documents), np.int64, len(documents))
