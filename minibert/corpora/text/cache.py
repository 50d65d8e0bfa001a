"""Documents encoded once: kept in a folder under the name of their text and vocabulary, found again by the
next run.

`encoded` reads and writes such a folder; this makes it, by several processes, and sees that it is whole or
not there.
"""
import hashlib
import json
import os
import shutil
import tempfile
import time
from itertools import chain
from pathlib import Path

import numpy as np

from ..errors import bytes_of, plural
from .encoded import FORMAT, Documents, write
from .portions import in_order, portions

STALE = 24 * 3600           # seconds; whoever still builds writes more often
MOST_WORDS = 1 << 20        # forms of words whose ids a process keeps at hand


def content_of(paths):
    """A name for the bytes of files, in this order: the same for the same bytes, wherever they lie."""
    digests = []
    for path in paths:
        digest = hashlib.sha256()
        for chunk in bytes_of(path):
            digest.update(chunk)
        digests.append(digest.hexdigest())
    return name_of(digests)


def name_of(parts):
    """A name for a list of plain values."""
    return hashlib.sha256(json.dumps([FORMAT, *parts]).encode()).hexdigest()


def cached_documents(root, content, documents, tokenizer, workers=1, say=print):
    """The Documents of a text, from the cache in the folder `root`, or encoded into it. Says so in one line.

    content: a name of the text, such as `content_of`; the cache is found by it and by the tokenizer's
    vocabulary and casing. documents: a function that gives the text, as an iterable of documents (lists of
    sentences). workers: processes that encode; the files do not depend on their number. Two processes may do
    this at the same time: one's cache stays. A cache that is truncated, or not what its name says, is named,
    and made anew. say: takes each line.
    """
    key = name_of([content, tokenizer.vocab, tokenizer.lower_case, tokenizer.max_characters_per_word])
    folder = Path(root) / f"documents-{key[:20]}"
    if os.path.lexists(folder):
        try:
            found = Documents(folder, key)
            say(f"Encoded before: {plural(len(found), 'document')}, {plural(found.tokens, 'token')} in {folder}")
            return found
        except ValueError as error:
            say(f"{error}; it is made anew")
    made = build(folder, key, documents(), tokenizer, workers)
    say(f"Encoded: {plural(len(made), 'document')}, {plural(made.tokens, 'token')}, kept in {folder}")
    return made


def build(folder, key, documents, tokenizer, workers):
    """Encode documents into a neighbour of `folder`, which takes its name when it is whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    clear(folder)
    partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".partial", dir=folder.parent))
    try:
        write(partial, key, len(tokenizer), in_order(Encoder(tokenizer), portions(documents), workers))
        install(partial, folder, key)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Documents(folder, key)


def clear(folder):
    """Delete what killed processes left of this cache: neighbours to which nothing was written for STALE
    seconds.
    """
    for left in folder.parent.glob(f"{folder.name}.*.partial"):
        written = [path.stat().st_mtime for path in (left, *left.glob("*.npy")) if path.exists()]
        if written and max(written) < time.time() - STALE:
            shutil.rmtree(left, ignore_errors=True)


def install(partial, folder, key):
    """Rename a whole cache; another process's that is whole stays, and one that is not goes."""
    for _ in range(3):
        try:
            os.rename(partial, folder)
            return
        except OSError:                                                 # there is something of this name
            try:
                Documents(folder, key)
                return
            except ValueError:
                refused = tempfile.mkdtemp(suffix=".partial", dir=folder.parent)
                try:
                    os.rename(folder, Path(refused) / "refused")
                except FileNotFoundError:                               # another process was quicker
                    pass
                shutil.rmtree(refused)
    os.rename(partial, folder)


class Encoder:
    """Documents of text to (ids of all, tokens of each sentence, sentences of each document), three arrays.

    White space ends a word in every context, so the ids of what stands between two spaces are looked up once:
    texts repeat their words.
    """

    def __init__(self, tokenizer):
        self.tokenizer, self.known = tokenizer, {}

    def __call__(self, documents):
        sentences = [sentence.split(" ") for document in documents for sentence in document]
        if len(self.known) > MOST_WORDS:
            self.known.clear()
        new = list(set(chain.from_iterable(sentences)) - self.known.keys())
        self.known.update((word, encoding.ids)
                          for word, encoding in zip(new, self.tokenizer.encode_batch(new), strict=True))
        words = [[self.known[word] for word in sentence] for sentence in sentences]
        counts = np.fromiter((sum(map(len, sentence)) for sentence in words), np.int64, len(words))
        ids = np.fromiter(chain.from_iterable(chain.from_iterable(words)), np.uint32, int(counts.sum()))
        return ids, counts, np.fromiter(map(len, documents), np.int64, len(documents))
