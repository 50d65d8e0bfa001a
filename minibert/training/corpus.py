"""A text to pretrain on: its vocabulary and its documents as ids, made once and kept for later runs.

The text is read as a stream, once to count its words and once to encode it; it is never in memory as a whole.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import platformdirs

from ..data.cache import Text, cached_documents, name_of
from ..data.encoded import Documents
from ..data.portions import in_order, portions
from ..model.checkpoints.tokenizer_files import load_wordpiece
from ..readers.wording import plural
from ..tokenizer import count_words, train_wordpiece
from ..tokenizer.fast import FastWordPiece
from .distributed import team

# distinct words counted at once: beyond, the rarest are forgotten; no vocabulary holds as many
MOST_WORDS = 1 << 21
HELD_OUT = 1000  # documents that an evaluation holds in memory


def texts_folder() -> Path:
    """Return the folder where texts are kept, in the operating system's cache directory of this user."""
    return Path(platformdirs.user_cache_dir("minibert")) / "texts"


def corpus(
    text: Text,
    root: str | Path,
    *,
    vocab: str | Path | None = None,
    vocab_size: int = 4000,
    workers: int = 1,
    say: Callable[[str], None] = print,
) -> tuple[FastWordPiece, Documents]:
    """Return (tokenizer, Documents) of a Text, from the cache in the folder `root` if they are there.

    vocab: a file with the vocabulary, or None to train one of `vocab_size` tokens. workers: processes; the
    result does not depend on their number. say: is called with a line about each.
    """
    tokenizer = load_wordpiece(vocab) if vocab else vocabulary(text, Path(root), vocab_size, workers, say)
    cased = (token for token in tokenizer.vocab if token != token.lower() and not token.startswith("["))
    if vocab and tokenizer.lower_case and next(cased, None):
        say(
            f"{vocab} has capital letters, but the text is lowercased: for a cased model, write "
            '{"do_lower_case": false} into tokenizer_config.json beside it'
        )
    return tokenizer, cached_documents(root, text.name, text.documents, tokenizer, workers, say)


def vocabulary(
    text: Text, root: Path, size: int, workers: int, say: Callable[[str], None] = print
) -> FastWordPiece:
    """Return a tokenizer with a vocabulary trained on a Text, which is kept beside the ids."""
    path = root / f"vocab-{name_of([text.name, size])[:20]}.txt"
    if path.is_file():
        try:
            tokenizer = FastWordPiece.load(path)
            say(f"Vocabulary trained before: {len(tokenizer):,} tokens in {path}")
            return tokenizer
        except ValueError as error:
            say(f"{error}; it is made anew")
    tokenizer = FastWordPiece(train_wordpiece(count(text.documents(), workers), size))
    root.mkdir(parents=True, exist_ok=True)
    # each process writes a file of its own: two may do this at the same time
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    tokenizer.save(partial)
    os.replace(partial, path)
    say(f"Vocabulary trained: {len(tokenizer):,} tokens, kept in {path}")
    return tokenizer


def hold_out(documents: Sequence) -> tuple[Sequence, Sequence]:
    """Divide documents into those to train on and those to evaluate on.

    The latter are the last twentieth, at least two and at most HELD_OUT. Raises ValueError for too few
    documents: each part draws sentences from a second document.
    """
    held_out = max(2, min(len(documents) // 20, HELD_OUT))
    if len(documents) < 2 * held_out:
        raise ValueError(
            f"{plural(len(documents), 'document')}: pretraining and its held-out part need at least "
            f"{2 * held_out}"
        )
    return documents[:-held_out], documents[-held_out:]


def count(documents: Iterable[list[str]], workers: int = 1) -> Counter[str]:
    """Count how often each word occurs in documents (lists of sentences), as `count_words`, at any size.

    Where more than MOST_WORDS differ, the rarest so far are forgotten, so that words that come late are
    counted too low.
    """
    counts: Counter[str] = Counter()
    rare = 0
    sentences = (
        [sentence for document in portion for sentence in document] for portion in portions(documents)
    )
    for more in in_order(count_words, sentences, workers):
        counts.update(more)
        while len(counts) > MOST_WORDS:
            rare += 1
            counts = Counter({word: times for word, times in counts.items() if times > rare})
    return counts


def encoded(
    text: Text,
    vocab: str | Path | None,
    vocab_size: int,
    cache: str | Path | None,
    workers: int,
    say: Callable[[str], Any],
) -> tuple[FastWordPiece, Any, Any, dict[str, str]]:
    """Return (tokenizer, documents to train on, held-out documents, names for their content).

    They are taken from the cache if they are there. The arguments are those of `corpus`; cache: its folder.
    """
    tokenizer, found = team().in_turn(
        lambda: corpus(
            text, cache or texts_folder(), vocab=vocab, vocab_size=vocab_size, workers=workers, say=say
        )
    )
    return (
        tokenizer,
        *hold_out(found),
        {"text": text.name, "vocabulary": name_of([tokenizer.vocab, tokenizer.lower_case])},
    )
