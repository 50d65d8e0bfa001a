"""A cache of encoded documents, in folders whose names identify the text and the vocabulary."""

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

from ..readers.layouts import Layout
from ..readers.plain_text import describe_layouts, stream_documents
from ..readers.utf8_text import CorpusError, bytes_of
from ..readers.wording import plural
from ..readers.writing import is_special
from .encoded import FORMAT, Documents, write
from .portions import in_order, portions

STALE = 24 * 3600  # seconds; a process that is still building writes more often than this
MOST_WORDS = 1 << 20  # maximum number of distinct words whose ids a process keeps in memory


class Text(NamedTuple):
    """A text to encode: a name, which identifies its content, and a function that streams its documents."""

    name: str
    documents: Callable[[], Iterable[list[str]]]  # lists of sentences


class Tokenizer(Protocol):
    """The interface of the tokenizers that the cache accepts, such as `minibert.tokenizer.WordPiece`."""

    max_characters_per_word: int

    @property
    def identity(self) -> list[Any]: ...

    def encode_batch(self, texts: Iterable[str]) -> Sequence[Any]: ...  # of objects with .ids
    def __len__(self) -> int: ...


def content_of(paths: Iterable[str | Path]) -> str:
    """Return a digest of the contents of files in the given order; their names do not matter."""
    digests = []
    for path in paths:
        digest = hashlib.sha256()
        for chunk in bytes_of(path):
            digest.update(chunk)
        digests.append(digest.hexdigest())
    return name_of(digests)


def text_of_files(
    paths: Sequence[str | Path], layout: Layout = "auto", say: Callable[[str], object] = str
) -> Text:
    """Return a Text that streams the documents of files in a layout.

    Its name is a digest of the files' contents, the layout, and the source of the functions that divide the
    text. say: a function that prints a line about each file whose layout is recognised automatically.
    """
    for path in paths:
        if is_special(Path(path)):
            raise CorpusError.at(
                path, "a pipe or a device, but the text is read more than once; save it as a file"
            )
    if layout == "auto":
        for line in describe_layouts(paths):
            say(line)
    readers = Path(__file__).parents[1] / "readers"
    rules = content_of(readers / f"{name}.py" for name in ("layouts", "plain_text", "sentences"))
    return Text(name_of([content_of(paths), layout, rules]), lambda: stream_documents(paths, layout))


def name_of(parts: Iterable[Any]) -> str:
    """Return a hexadecimal digest of values that JSON can represent."""
    return hashlib.sha256(json.dumps([FORMAT, *parts]).encode()).hexdigest()


def cached_documents(
    root: str | Path,
    content: str,
    documents: Callable[[], Iterable[list[str]]],
    tokenizer: Tokenizer,
    workers: int = 1,
    say: Callable[[str], object] = print,
) -> Documents:
    """Return a text's encoded Documents from the cache folder `root`; encode the text first if necessary.

    content: a digest of the text; together with the tokenizer's vocabulary and casing, it identifies the
    cached documents. documents: a function that returns the text as an iterable of documents (lists of
    sentences). workers: number of encoding processes, which does not affect the result. A cache that is
    truncated or does not match its name is reported and replaced. say: a function that prints a one-line
    message.
    """
    key = name_of([content, *tokenizer.identity, tokenizer.max_characters_per_word])
    folder = Path(root) / f"documents-{key[:20]}"
    if os.path.lexists(folder):
        try:
            found = Documents(folder, key)
            say(
                f"Loaded from the cache: {plural(len(found), 'document')}, {plural(found.tokens, 'token')} "
                f"in {folder}"
            )
            return found
        except ValueError as error:
            say(f"{error}; the text is encoded again")
    made = build(folder, key, documents(), tokenizer, workers)
    say(f"Encoded: {plural(len(made), 'document')}, {plural(made.tokens, 'token')}, saved in {folder}")
    return made


def build(
    folder: Path, key: str, documents: Iterable[list[str]], tokenizer: Tokenizer, workers: int
) -> Documents:
    """Encode documents into a temporary folder, and rename it to `folder` when it is complete.

    key: the digest that identifies the text and the tokenizer.
    """
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
    """Delete incomplete copies of `folder` left by killed processes, if unchanged for STALE seconds."""
    for left in folder.parent.glob(f"{folder.name}.*.partial"):
        written = [path.stat().st_mtime for path in (left, *left.glob("*.npy")) if path.exists()]
        if written and max(written) < time.time() - STALE:
            shutil.rmtree(left, ignore_errors=True)


def install(partial: Path, folder: Path, key: str) -> None:
    """Rename the folder `partial` to `folder`; replace a damaged cache there, but not a valid one."""
    for _ in range(3):
        try:
            os.rename(partial, folder)
            return
        except OSError:  # the name is taken
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
    """A callable that encodes documents as arrays (ids, tokens per sentence, sentences per document).

    The ids of each string between two spaces are computed only once, because words repeat.
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
