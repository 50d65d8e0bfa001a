"""A text to pretrain on: its vocabulary and its documents as ids, made once, kept, and found again by the
next run.

The text is read as a stream, once to count its words and once to encode it, and is never in memory as a
whole.
"""
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import platformdirs

from ..corpora import world
from ..corpora.text.cache import cached_documents, content_of, name_of
from ..corpora.text.plain import stream_documents
from ..corpora.text.portions import in_order, portions
from ..corpora.world import World
from ..messages import plural
from ..model.tokenizer_files import load_wordpiece
from ..tokenizer import count_words, train_wordpiece
from ..tokenizer.fast import FastWordPiece

# distinct words counted at once: beyond, the rarest are forgotten; no vocabulary holds as many
MOST_WORDS = 1 << 21
HELD_OUT = 1000             # documents that an evaluation holds in memory


class Text(NamedTuple):
    """A text by a name, the same for the same text, and a function that streams its documents (lists of
    sentences).
    """

    name: str
    documents: Callable


def text_of_files(paths):
    """The Text of files; its name comes from their bytes."""
    return Text(content_of(paths), lambda: stream_documents(paths))


def text_of_world(seed, count, workers=1):
    """The Text of `count` documents of the generated language, written by `workers` processes; its name comes
    from its grammar.
    """
    grammar = content_of(sorted(Path(world.__file__).parent.rglob("*.py")))
    return Text(name_of(["world", grammar, seed, count]), lambda: (
        list(document.sentences) for document in World(seed).documents(count, seed=1, workers=workers)))


def texts_folder():
    """Where texts are kept: a folder in the operating system's cache directory of this user."""
    return Path(platformdirs.user_cache_dir("minibert")) / "texts"


def corpus(text, root, *, vocab=None, vocab_size=4000, workers=1, say=print):
    """(tokenizer, Documents) of a Text, from the cache in the folder `root` where they are there. Says a line
    about each.

    vocab: a file with the vocabulary, or None to train `vocab_size` pieces. workers: processes; nothing
    depends on their number. say: takes each line.
    """
    tokenizer = load_wordpiece(vocab) if vocab else vocabulary(text, Path(root), vocab_size, workers, say)
    return tokenizer, cached_documents(root, text.name, text.documents, tokenizer, workers, say)


def vocabulary(text, root, size, workers, say=print):
    """A tokenizer with the vocabulary trained on a Text, which is kept beside the ids."""
    path = root / f"vocab-{name_of([text.name, size])[:20]}.txt"
    if path.is_file():
        try:
            tokenizer = FastWordPiece.load(path)
            say(f"Vocabulary trained before: {len(tokenizer):,} pieces in {path}")
            return tokenizer
        except ValueError as error:
            say(f"{error}; it is made anew")
    tokenizer = FastWordPiece(train_wordpiece(count(text.documents(), workers), size))
    root.mkdir(parents=True, exist_ok=True)
    # two processes may do this at the same time
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    tokenizer.save(partial)
    os.replace(partial, path)
    say(f"Vocabulary trained: {len(tokenizer):,} pieces, kept in {path}")
    return tokenizer


def hold_out(documents):
    """Documents in two: those to train on, and the last twentieth, at most HELD_OUT, at least two, to
    evaluate on.

    Raises ValueError for too few: each part draws sentences from a second document.
    """
    held_out = max(2, min(len(documents) // 20, HELD_OUT))
    if len(documents) < 2 * held_out:
        raise ValueError(
            f"{plural(len(documents), 'document')}: pretraining and its held-out part need at least "
            f"{2 * held_out}")
    return documents[:-held_out], documents[-held_out:]


def count(documents, workers=1):
    """How often each word occurs in documents (lists of sentences): Counter, as `count_words` for a text of
    any size.

    Where more than MOST_WORDS differ, the rarest so far are forgotten: words that come late are then counted
    too low.
    """
    counts, rare = Counter(), 0
    sentences = ([sentence for document in portion for sentence in document]
                 for portion in portions(documents))
    for more in in_order(count_words, sentences, workers):
        counts.update(more)
        while len(counts) > MOST_WORDS:
            rare += 1
            counts = Counter({word: times for word, times in counts.items() if times > rare})
    return counts
