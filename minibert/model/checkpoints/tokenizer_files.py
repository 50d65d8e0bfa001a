"""The tokenizer files in a model's folder: `vocab.txt`, `tokenizer_config.json` and `tokenizer.json`.

A vocab.txt does not record whether its model is cased. Like Hugging Face, this package stores that, and the
other settings that AutoTokenizer needs, in `tokenizer_config.json`. `minibert.tokenizer.settings` reads them.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from minibert.readers.writing import write_text
from minibert.tokenizer import WordPiece
from minibert.tokenizer.added import CONFIG as SETTINGS
from minibert.tokenizer.added import FILES, ROLES, WHOLE
from minibert.tokenizer.fast import FastWordPiece
from minibert.tokenizer.library import LibraryTokenizer
from minibert.tokenizer.published import OtherRules
from minibert.tokenizer.settings import VOCAB

UNREAD = ("vocab.json", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model")  # vocabularies


def save_tokenizer(
    tokenizer: WordPiece | LibraryTokenizer | Sequence[str], folder: Path, longest: int
) -> None:
    """Write a tokenizer's files so that this package and Hugging Face's AutoTokenizer can read them.

    longest: maximum number of tokens that the model accepts. If `tokenizer` is just a list of tokens, only
    `vocab.txt` is written, because the list does not show whether the model is cased. The files of another
    tokenizer are deleted, because they would contradict the new ones.
    """
    if isinstance(tokenizer, LibraryTokenizer):
        tokenizer.save(folder / WHOLE)
        delete_files(folder, keep=(WHOLE, SETTINGS))
        kind, rules = "PreTrainedTokenizerFast", {}
    else:
        vocab = tokenizer.vocab if isinstance(tokenizer, WordPiece) else tokenizer
        write_text(folder / VOCAB, "\n".join(vocab) + "\n")
        delete_files(folder, keep=(VOCAB, SETTINGS))
        if not isinstance(tokenizer, WordPiece):
            return
        kind, rules = "BertTokenizer", tokenizer_rules(tokenizer)
    names = [tokenizer.vocab[i] for i in tokenizer.specials.ids]
    most = min(longest, tokenizer.max_length or longest)
    settings = {"tokenizer_class": kind, **rules, "model_max_length": most, **dict(zip(ROLES, names))}
    write_text(folder / SETTINGS, json.dumps(settings, indent=2) + "\n")


def delete_files(folder: Path, keep: Sequence[str]) -> None:
    """Delete a folder's tokenizer files except those in `keep`."""
    for name in {VOCAB, *FILES} - set(keep):
        (folder / name).unlink(missing_ok=True)


def tokenizer_rules(tokenizer: WordPiece) -> dict[str, bool | int]:
    """Return how a WordPiece tokenizer splits text, as keys of `tokenizer_config.json`."""
    return {
        "do_lower_case": tokenizer.lower_case,
        "strip_accents": tokenizer.basic.strip_accents,
        "tokenize_chinese_chars": tokenizer.basic.tokenize_chinese_chars,
        "max_input_chars_per_word": tokenizer.max_characters_per_word,
    }


def load_tokenizer(folder: str | Path) -> WordPiece | LibraryTokenizer:
    """Load the tokenizer in a model's folder, cased or uncased as its files specify.

    It is a WordPiece if that can follow all settings in the folder; otherwise it is a tokenizer of the
    `tokenizers` library, whose `why` names the setting. Raises ValueError, naming the file, if neither can
    follow a setting, or if files are damaged or contradict each other.
    """
    folder = Path(folder)
    path = folder / (VOCAB if (folder / VOCAB).is_file() or not (folder / WHOLE).is_file() else WHOLE)
    other = next((folder / name for name in UNREAD if (folder / name).is_file()), None)
    if other is not None and not path.is_file():
        raise ValueError(
            f"{other}: this format of a tokenizer is not supported; with `transformers`, "
            f"AutoTokenizer.from_pretrained(folder).save_pretrained(folder) writes a {WHOLE}"
        )
    try:
        return FastWordPiece.load(path)
    except OtherRules as error:
        return LibraryTokenizer.load(folder / WHOLE if (folder / WHOLE).is_file() else path, why=str(error))
