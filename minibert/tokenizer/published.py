"""Readers for the files of published tokenizers: vocab.txt, and tokenizer.json of the `tokenizers` library.

A tokenizer that splits text differently from ours is rejected. `settings` reads the files next to these two.
"""

import json
from pathlib import Path
from typing import Any

CONTINUES = "##"  # prefix of a token that continues a word
UNKNOWN = "[UNK]"


class OtherRules(ValueError):
    """Raised if the `tokenizers` library can follow a tokenizer's rules, but our WordPiece and BPE cannot."""


def decoded(path: str | Path) -> str:
    """Return the text of a UTF-8 file. Raises ValueError if it is missing, empty or not UTF-8."""
    if not Path(path).is_file():
        raise ValueError(f"{path}: no such file")
    data = Path(path).read_bytes()
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8") from None
    if not text:
        raise ValueError(f"{path}: the file is empty, but a vocabulary has one token per line")
    return text


def read_pieces(path: str | Path) -> list[str]:
    """Return the tokens of a vocab.txt, which has one token per line."""
    lines = decoded(path).removesuffix("\n").split("\n")  # splitlines would also split at rarer characters
    return [line.removesuffix("\r") for line in lines]


def read_wordpiece(path: str | Path) -> dict[str, Any]:
    """Return the arguments of `WordPiece` that a BERT tokenizer.json specifies."""
    values, model = read_model(
        path, "WordPiece", {"unk_token": UNKNOWN, "continuing_subword_prefix": CONTINUES}
    )
    check_words(path, values)
    return {
        "vocab": in_order(path, model["vocab"]),
        **splitting(values["normalizer"]),
        "max_characters_per_word": model.get("max_input_chars_per_word", 100),  # the library's default
    }


def read_bpe(path: str | Path, end: str) -> dict[str, Any]:
    """Return a dict with vocab, merges and lower_case from a tokenizer.json of byte-pair encoding.

    end: the suffix that marks the end of a word.
    """
    values, model = read_model(
        path,
        "BPE",
        {
            "unk_token": UNKNOWN,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": end,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "dropout": None,
        },
    )
    merges = [
        tuple(pair.split(" ") if isinstance(pair, str) else pair)  # older files have one string per pair
        for pair in model["merges"]
    ]
    check_words(path, values)
    rules = splitting(values["normalizer"])
    for key, only in (("strip_accents", rules["lower_case"]), ("tokenize_chinese_chars", True)):
        if rules[key] not in (None, only):  # `BPE` has no settings for these
            raise OtherRules(f"{path}: {key}={rules[key]} is not supported; only {only} is")
    return {
        "vocab": in_order(path, model["vocab"]),
        "merges": merges,
        "lower_case": rules["lower_case"],
    }


def splitting(normalizer: dict[str, Any]) -> dict[str, bool | None]:
    """Return the settings of a BertNormalizer in a tokenizer.json, as arguments of `WordPiece`."""
    return {
        "lower_case": bool(normalizer.get("lowercase")),
        "strip_accents": normalizer.get("strip_accents"),
        "tokenize_chinese_chars": normalizer.get("handle_chinese_chars") is not False,
    }


def check_words(path: str | Path, values: dict[str, Any]) -> None:
    """Raise OtherRules unless a tokenizer.json, with the content `values`, finds words as BERT does."""
    for name, kind in (("normalizer", "BertNormalizer"), ("pre_tokenizer", "BertPreTokenizer")):
        found = (values.get(name) or {}).get("type")
        if found != kind:
            raise OtherRules(f"{path}: {name}={found!r} is not supported; only {kind!r} is")
    if values["normalizer"].get("clean_text") not in (None, True):
        raise OtherRules(f"{path}: the normalizer has clean_text=False; only True is supported")


def read_model(path: str | Path, kind: str, rules: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a tokenizer.json; return (all values, the values of its model).

    Raises OtherRules unless the model is of type `kind` and has the values in `rules`.
    """
    text = decoded(path)
    try:
        values = json.loads(text)
        model = dict(values["model"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not a tokenizer.json ({type(error).__name__})") from None
    for key, value in {"type": kind, **rules}.items():
        # the library omits false values, or writes them as null or ""
        found = kind_of(model) if key == "type" else model.get(key)
        if (found or None) != (value or None):
            raise OtherRules(f"{path}: the model has {key}={found!r}; only {value!r} is supported")
    return values, model


def kind_of(model: dict[str, Any]) -> str | None:
    """Return the type of the model in a tokenizer.json; files of early versions do not state it."""
    if "type" in model:
        return model["type"]
    return "BPE" if "merges" in model else "WordPiece" if "max_input_chars_per_word" in model else None


def in_order(path: str | Path, ids: dict[str, int]) -> list[str]:
    """Return the tokens in the order of their ids, which must be 0, 1, 2, ...; else raise OtherRules."""
    pieces = sorted(ids, key=ids.__getitem__)
    gap = next((i for i, piece in enumerate(pieces) if ids[piece] != i), None)
    if gap is not None:
        raise OtherRules(
            f"{path}: token {pieces[gap]!r} has id {ids[pieces[gap]]}, but the next id must be {gap}"
        )
    return pieces
