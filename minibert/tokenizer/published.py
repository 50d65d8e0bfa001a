"""Readers for the files of published tokenizers: vocab.txt, and tokenizer.json of the `tokenizers` library.

A tokenizer that splits text differently from ours is rejected.
"""

import json
from pathlib import Path
from typing import Any

CONTINUES = "##"  # prefix of a token that continues a word
UNKNOWN = "[UNK]"


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
    """Return a dict with vocab, lower_case and max_characters_per_word from a BERT tokenizer.json."""
    values, model = read_model(
        path, "WordPiece", {"unk_token": UNKNOWN, "continuing_subword_prefix": CONTINUES}
    )
    return {
        "vocab": in_order(path, model["vocab"]),
        "lower_case": lower_case_of(path, values),
        "max_characters_per_word": model["max_input_chars_per_word"],
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
    return {
        "vocab": in_order(path, model["vocab"]),
        "merges": merges,
        "lower_case": lower_case_of(path, values),
    }


def lower_case_of(path: str | Path, values: dict[str, Any]) -> bool:
    """Return whether a tokenizer.json, with the content `values`, lowercases text.

    Raises ValueError unless it splits text into words as BERT does.
    """
    normalizer, splitter = values.get("normalizer") or {}, values.get("pre_tokenizer") or {}
    for name, part, kind in (
        ("normalizer", normalizer, "BertNormalizer"),
        ("pre_tokenizer", splitter, "BertPreTokenizer"),
    ):
        if part.get("type") != kind:
            raise ValueError(f"{path}: {name}={part.get('type')!r} is not supported; only {kind!r} is")
    lower_case = bool(normalizer.get("lowercase"))
    for key, value in (("strip_accents", lower_case), ("clean_text", True), ("handle_chinese_chars", True)):
        # accents are removed if and only if text is lowercased, here and in BERT's releases
        if normalizer.get(key) not in (None, value):
            raise ValueError(
                f"{path}: normalizer with lowercase={lower_case} has {key}={normalizer[key]}; "
                f"only {value} is supported"
            )
    return lower_case


def read_model(path: str | Path, kind: str, rules: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a tokenizer.json; return (all values, the values of its model).

    Raises ValueError unless the model is of type `kind` and has the values in `rules`.
    """
    text = decoded(path)
    try:
        values = json.loads(text)
        model = dict(values["model"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not a tokenizer.json ({type(error).__name__})") from None
    for key, value in {"type": kind, **rules}.items():
        # the library omits false values, or writes them as null or ""
        if (model.get(key) or None) != (value or None):
            raise ValueError(f"{path}: the model has {key}={model.get(key)!r}; only {value!r} is supported")
    return values, model


def in_order(path: str | Path, ids: dict[str, int]) -> list[str]:
    """Return the tokens in the order of their ids, which must be 0, 1, 2, ...; else raise ValueError."""
    pieces = sorted(ids, key=ids.__getitem__)
    gap = next((i for i, piece in enumerate(pieces) if ids[piece] != i), None)
    if gap is not None:
        raise ValueError(
            f"{path}: token {pieces[gap]!r} has id {ids[pieces[gap]]}, but the next id must be {gap}"
        )
    return pieces
