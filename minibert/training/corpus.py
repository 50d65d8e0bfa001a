"""A corpus for pretraining: its vocabulary and encoded documents, made once and cached for later runs.

The text is streamed twice, to count its words and to encode it, so it is never in memory as a whole.
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
from ..readers.wording import plural
from ..tokenizer import count_words, train_wordpiece
from ..tokenizer.fast import FastWordPiece
from .distributed import team

# Maximum number of distinct words to count, larger than any vocabulary; beyond it, the rarest are dropped.
MOST_WORDS = 1 << 21
HELD_OUT = 1000  # maximum number of documents that an evaluation keeps in memory


def texts_folder() -> Path:
    """Return the folder for cached texts, in the user's cache directory."""
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
    """Return (tokenizer, Documents) for a Text, from the cache folder `root` if they are cached.

    vocab: a vocabulary file, or None to train a vocabulary of `vocab_size` tokens. workers: number of
    processes; it does not affect the result. say: a function that prints a line about the result.
    """
    tokenizer = FastWordPiece.load(vocab) if vocab else vocabulary(text, Path(root), vocab_size, workers, say)
    tokenizer.max_length = None  # the files of a vocabulary state the limit of another model
    cased = (token for token in tokenizer.vocab if token != token.lower() and not token.startswith("["))
    if vocab and tokenizer.lower_case and next(cased, None):
        say(
            f"{vocab} has capital letters, but the text is lowercased: for a cased model, write "
            '{"do_lower_case": false} to tokenizer_config.json in the same folder'
        )
    return tokenizer, cached_documents(root, text.name, text.documents, tokenizer, workers, say)


def vocabulary(
    text: Text, root: Path, size: int, workers: int, say: Callable[[str], None] = print
) -> FastWordPiece:
    """Return a tokenizer with a vocabulary trained on a Text, or read from the cache folder `root`."""
    path = root / f"vocab-{name_of([text.name, size])[:20]}.txt"
    if path.is_file():
        try:
            tokenizer = FastWordPiece.load(path)
            say(f"Loaded from the cache: a vocabulary of {len(tokenizer):,} tokens in {path}")
            return tokenizer
        except ValueError as error:
            say(f"{error}; the vocabulary is trained again")
    tokenizer = FastWordPiece(train_wordpiece(count(text.documents(), workers), size))
    root.mkdir(parents=True, exist_ok=True)
    # Each process writes its own file, because several may do this at the same time.
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    tokenizer.save(partial)
    os.replace(partial, path)
    say(f"Vocabulary trained: {len(tokenizer):,} tokens, saved in {path}")
    return tokenizer


def hold_out(documents: Sequence) -> tuple[Sequence, Sequence]:
    """Divide documents into training documents and held-out documents.

    The held-out documents are the last twentieth, at least 2 and at most HELD_OUT. Raises ValueError if there
    are fewer than two documents in either part.
    """
    held_out = max(2, min(len(documents) // 20, HELD_OUT))
    if len(documents) < 2 * held_out:
        raise ValueError(
            f"got only {plural(len(documents), 'document')}, but training and evaluation together need "
            f"at least {2 * held_out}"
        )
    return documents[:-held_out], documents[-held_out:]


def count(documents: Iterable[list[str]], workers: int = 1) -> Counter[str]:
    """Count how often each word occurs in documents (lists of sentences), in limited memory.

    Beyond MOST_WORDS distinct words the rarest ones so far are dropped, so rare words may be counted too low.
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
    """Return (tokenizer, training documents, held-out documents, identifiers of their content).

    Takes the same arguments as `corpus`, except cache: the cache folder, or None for the default.
    """
    tokenizer, found = team().in_turn(
        lambda: corpus(
            text, cache or texts_folder(), vocab=vocab, vocab_size=vocab_size, workers=workers, say=say
        )
    )
    return (
        tokenizer,
        *hold_out(found),
        {"text": text.name, "vocabulary": name_of(tokenizer.identity)},
    )
