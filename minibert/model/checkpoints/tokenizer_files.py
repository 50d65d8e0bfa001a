"""The tokenizer files in a model's folder: `vocab.txt`, `tokenizer_config.json` and `tokenizer.json`.

A vocab.txt does not record whether its model is cased. Like Hugging Face, this package stores that, and the
other settings that AutoTokenizer needs, in `tokenizer_config.json`.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from minibert.readers.writing import write_text
from minibert.tokenizer import WordPiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.tokenizer.library import LibraryTokenizer

from .files import read_json

VOCAB, SETTINGS, WHOLE = "vocab.txt", "tokenizer_config.json", "tokenizer.json"
ROLES = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")  # as in `Specials`


def save_tokenizer(
    tokenizer: WordPiece | LibraryTokenizer | Sequence[str], folder: Path, longest: int
) -> None:
    """Write a tokenizer's files so that this package and Hugging Face's AutoTokenizer can read them.

    longest: maximum number of tokens that the model accepts. If `tokenizer` is just a list of tokens, only
    `vocab.txt` is written, because the list does not show whether the model is cased.
    """
    if isinstance(tokenizer, LibraryTokenizer):
        tokenizer.save(folder / WHOLE)
        kind, case = "PreTrainedTokenizerFast", {}
    else:
        vocab = tokenizer.vocab if isinstance(tokenizer, WordPiece) else tokenizer
        write_text(folder / VOCAB, "\n".join(vocab) + "\n")
        if not isinstance(tokenizer, WordPiece):
            return
        kind, case = "BertTokenizer", {"do_lower_case": tokenizer.lower_case}
    names = [tokenizer.vocab[i] for i in tokenizer.specials.ids]
    settings = {"tokenizer_class": kind, **case, "model_max_length": longest, **dict(zip(ROLES, names))}
    write_text(folder / SETTINGS, json.dumps(settings, indent=2) + "\n")


def load_tokenizer(folder: str | Path) -> WordPiece | LibraryTokenizer:
    """Load the tokenizer in a model's folder, cased or uncased as its files specify.

    It is a WordPiece from `vocab.txt` or, as current versions of `transformers` write it, from
    `tokenizer.json`; otherwise it is any tokenizer from a `tokenizer.json` of the `tokenizers` library.
    Raises ValueError, naming the file, if neither can be read.
    """
    folder = Path(folder)
    if (folder / VOCAB).is_file() or not (folder / WHOLE).is_file():
        return load_wordpiece(folder / VOCAB)
    found = LibraryTokenizer.load(folder / WHOLE)
    with suppress(ValueError):  # another kind of tokenizer, or other rules than BERT's
        pieces = FastWordPiece.load(folder / WHOLE)
        if pieces.vocab == found.vocab:  # no further tokens were added
            return pieces
    return found


def load_wordpiece(path: str | Path) -> FastWordPiece:
    """Load a WordPiece tokenizer; it is cased if the files next to it specify this (default: uncased)."""
    path = Path(path)
    return FastWordPiece.load(path, None if path.suffix == ".json" else lower_case_of(path.parent))


def lower_case_of(folder: Path) -> bool | None:
    """Return whether a folder's tokenizer converts text to lowercase, or None if no file specifies it."""
    settings, whole = folder / SETTINGS, folder / WHOLE
    if settings.is_file() and isinstance(value := read_json(settings).get("do_lower_case"), bool):
        return value
    if whole.is_file():
        value = (read_json(whole).get("normalizer") or {}).get("lowercase")
        return value if isinstance(value, bool) else None
    return None
