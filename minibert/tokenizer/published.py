"""Files of a tokenizer: vocab.txt, and the tokenizer.json of the `tokenizers` library.

A reader gives the arguments of a tokenizer, or refuses a file whose tokenizer would split a text otherwise
than ours does.
"""
import json
from pathlib import Path

CONTINUES = "##"     # opens a piece of WordPiece that goes on within a word
UNKNOWN = "[UNK]"


def decoded(path):
    """The text of a UTF-8 file."""
    if not Path(path).is_file():
        raise ValueError(f"{path}: no such file")
    data = Path(path).read_bytes()
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8") from None
    if not text:
        raise ValueError(f"{path}: the file is empty; a vocabulary has one piece a line")
    return text


def read_pieces(path):
    """The lines of a vocab.txt."""
    lines = decoded(path).removesuffix("\n").split("\n")  # not splitlines: it also splits at rarer characters
    return [line.removesuffix("\r") for line in lines]


def read_wordpiece(path):
    """vocab, lower_case and max_characters_per_word of a tokenizer.json in BERT's manner."""
    values, model = read_model(path, "WordPiece",
                               {"unk_token": UNKNOWN, "continuing_subword_prefix": CONTINUES})
    return {"vocab": in_order(path, model["vocab"]), "lower_case": lower_case_of(path, values),
            "max_characters_per_word": model["max_input_chars_per_word"]}


def read_bpe(path, end):
    """vocab, merges and lower_case of a tokenizer.json whose byte-pair encoding marks the end of a word with
    `end`.
    """
    values, model = read_model(path, "BPE", {"unk_token": UNKNOWN, "continuing_subword_prefix": None,
                                             "end_of_word_suffix": end,
                                             "fuse_unk": False, "byte_fallback": False,
                                             "ignore_merges": False, "dropout": None})
    merges = [tuple(pair.split(" ") if isinstance(pair, str) else pair)
              for pair in model["merges"]]    # older: one string
    return {"vocab": in_order(path, model["vocab"]), "merges": merges,
            "lower_case": lower_case_of(path, values)}


def lower_case_of(path, values):
    """Whether a tokenizer.json lower-cases; raises ValueError unless it splits a text into words as BERT
    does.
    """
    normalizer, splitter = values.get("normalizer") or {}, values.get("pre_tokenizer") or {}
    for name, part, kind in (("normalizer", normalizer, "BertNormalizer"),
                             ("pre_tokenizer", splitter, "BertPreTokenizer")):
        if part.get("type") != kind:
            raise ValueError(f"{path}: {name} {part.get('type')!r}; only {kind!r} is read")
    lower_case = bool(normalizer.get("lowercase"))
    for key, value in (("strip_accents", lower_case), ("clean_text", True), ("handle_chinese_chars", True)):
        # accents go with the capitals, here and in BERT's releases
        if normalizer.get(key) not in (None, value):
            raise ValueError(f"{path}: normalizer with lowercase={lower_case} has {key}={normalizer[key]}; "
                             f"only {value} is read")
    return lower_case


def read_model(path, kind, rules):
    """(all values, those of the model) of a tokenizer.json; raises ValueError unless the model is one that we
    compute.
    """
    text = decoded(path)
    try:
        values = json.loads(text)
        model = dict(values["model"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not a tokenizer.json ({type(error).__name__})") from None
    for key, value in {"type": kind, **rules}.items():
        # the library leaves out what is false, or writes null or ""
        if (model.get(key) or None) != (value or None):
            raise ValueError(f"{path}: the model has {key}={model.get(key)!r}; only {value!r} is read")
    return values, model


def in_order(path, ids):
    """The pieces of a dict piece -> id, which must count from 0 without a gap."""
    pieces = sorted(ids, key=ids.get)
    gap = next((i for i, piece in enumerate(pieces) if ids[piece] != i), None)
    if gap is not None:
        raise ValueError(f"{path}: piece {pieces[gap]!r} has id {ids[pieces[gap]]}, where {gap} comes next")
    return pieces
