"""The settings of a published tokenizer, which are spread over the files of its folder.

A `vocab.txt` has only the tokens; casing, the class and added tokens are in the files next to it. Each
setting is followed, or refused with its value and its file; so is a contradiction between two files. `added`
reads the tokens.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..data.batch import SPECIAL_TOKENS
from .added import CONFIG, WHOLE, check_tokens, read_object
from .published import kind_of, read_pieces, read_wordpiece, splitting

VOCAB, MODEL = "vocab.txt", "config.json"
FOLLOWED = {  # keys of tokenizer_config.json, with the names of `WordPiece`'s arguments and their types
    "do_lower_case": ("lower_case", (bool,)),
    "strip_accents": ("strip_accents", (bool, type(None))),
    "tokenize_chinese_chars": ("tokenize_chinese_chars", (bool,)),
    "max_input_chars_per_word": ("max_characters_per_word", (int,)),
}
# Keys that nothing here follows, with the values that we accept. `transformers` 5 ignores some of them, but
# older versions follow them, so we cannot know with which ids the model was trained.
RULES: dict[str, tuple[Any, ...]] = {
    "do_basic_tokenize": (True,),
    "do_word_tokenize": (True,),
    "do_subword_tokenize": (True,),
    "word_tokenizer_type": ("basic",),
    "subword_tokenizer_type": ("wordpiece",),
    "wordpieces_prefix": ("##",),
    "clean_text": (True,),
    "never_split": ([], [*SPECIAL_TOKENS]),
    "split_special_tokens": (False,),
    "truncation_side": ("right",),
    "fast_tokenizer_files": (["tokenizer.json"], []),
    "auto_map": ({},),
}
# Tokenizer classes of `transformers`, and the type of model that each has in a tokenizer.json
CLASSES = {
    **dict.fromkeys(("Bert", "Electra", "DistilBert", "MobileBert", "ConvBert", "SqueezeBert"), "WordPiece"),
    "Roberta": "BPE",
    "Albert": "Unigram",
    "Camembert": "Unigram",
    "XLMRoberta": "Unigram",
}
OWN_WORDS = (
    "BertJapanese",
    "Bertweet",
    "Phobert",
    "RoCBert",
)  # they split words before the library sees a text


def wordpiece_settings(path: str | Path, added: bool = False) -> dict[str, Any]:
    """Return the arguments of `WordPiece` for a vocab.txt or a tokenizer.json, from all files of its folder.

    A vocabulary file with any other name may have a tokenizer_config.json next to it. added: whether the
    caller reads the added tokens. Raises OtherRules if only the `tokenizers` library can follow the settings;
    ValueError, naming the file, if nothing here can, or if two files contradict each other.
    """
    path = Path(path)
    folder, whole = path.parent, path.name in (VOCAB, WHOLE)
    described = whole and (folder / WHOLE).is_file()
    check_rules(folder, "WordPiece", complete=described or path.suffix == ".json")
    sources = {folder / CONFIG: configured(folder)}
    if described:
        sources[folder / WHOLE] = read_wordpiece(folder / WHOLE)
        # `transformers` keeps this key of a folder that we saved, but follows tokenizer.json
        sources[folder / CONFIG].pop("max_characters_per_word", None)
    elif path.suffix == ".json":
        sources[path] = read_wordpiece(path)
    if path.suffix != ".json":
        sources[path] = {"vocab": read_pieces(path)}
    found = agreed(sources)
    if not added:
        check_tokens(folder, found["vocab"], all_files=whole)
    return found


def check_library(path: Path) -> None:
    """Raise ValueError if files next to a tokenizer.json state settings that this file does not have."""
    folder, values = path.parent, read_object(path)
    check_rules(folder, kind_of(values.get("model") or {}), complete=True)
    parts = flat(values.get("normalizer"))
    bert = next((part for part in parts if part.get("type") == "BertNormalizer"), None)
    if bert is not None:
        there = splitting(bert)
    else:
        there = {"lower_case": any(part.get("type") == "Lowercase" for part in parts)}
    stated = {key: value for key, value in configured(folder).items() if key in there}
    space = read_object(folder / CONFIG).get("add_prefix_space")
    for part in flat(values.get("pre_tokenizer")):
        if part.get("type") == "ByteLevel" and space is not None:
            there["add_prefix_space"], stated["add_prefix_space"] = part.get("add_prefix_space"), space
    agreed({folder / CONFIG: stated, path: there})


def flat(part: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return the steps of a normalizer or pre-tokenizer in a tokenizer.json, which may be a sequence."""
    part = part or {}
    inner = part.get("normalizers") or part.get("pretokenizers")
    return [step for one in inner for step in flat(one)] if inner else [part]


def check_rules(folder: Path, kind: str | None, complete: bool) -> None:
    """Raise ValueError if a folder's tokenizer has a class or a rule that nothing here can follow.

    kind: the type of its model. complete: whether a tokenizer.json describes it, so that the class
    says little.
    """
    values = read_object(folder / CONFIG)
    for key, only in RULES.items():
        value = values.get(key)
        if value is not None and value not in only:
            raise ValueError(f"{folder / CONFIG}: {key}={value!r} is not supported; only {only[0]!r} is")
    file = folder / (CONFIG if "tokenizer_class" in values else MODEL)  # in this order, as in `transformers`
    name = read_object(file).get("tokenizer_class")
    if name is None:
        return
    plain = str(name).removesuffix("Fast").removesuffix("Tokenizer")
    if plain in OWN_WORDS or CLASSES.get(plain, kind if complete else None) != kind:
        raise ValueError(
            f"{file}: tokenizer_class={name!r} is not supported for a "
            f"{f'tokenizer.json of type {kind}' if complete else VOCAB}; BertTokenizer is, for example"
        )


def length_limit(folder: Path) -> int | None:
    """Return the maximum length of a sequence that a folder's tokenizer_config.json states, or None."""
    path = folder / CONFIG
    values = read_object(path)
    value = values.get("model_max_length", values.get("max_len"))  # max_len: in early versions
    if value is not None and (type(value) not in (int, float) or value < 2):
        raise ValueError(f"{path}: model_max_length={value!r} must be a number of tokens, at least 2")
    return value and int(value)  # `transformers` writes 1e30 if there is no limit


def configured(folder: Path) -> dict[str, Any]:
    """Return the arguments of `WordPiece` that a folder's tokenizer_config.json states."""
    path, found = folder / CONFIG, {}
    values = read_object(path)
    for key, (ours, kinds) in FOLLOWED.items():
        if key in values:
            if type(values[key]) not in kinds:
                raise ValueError(f"{path}: {key}={values[key]!r} must be of type {kinds[0].__name__}")
            found[ours] = values[key]
    if found.get("strip_accents", True) is None and "lower_case" not in found:
        del found["strip_accents"]  # it depends on a setting that this file leaves open
    return found


def agreed(sources: Mapping[Path, Mapping[str, Any]]) -> dict[str, Any]:
    """Combine the settings that several files state. Raises ValueError if two of them differ."""
    found: dict[str, tuple[Any, Path]] = {}
    for path, stated in sources.items():
        for key, value in stated.items():
            if key == "strip_accents" and value is None:
                value = stated.get("lower_case")
            before, other = found.setdefault(key, (value, path))
            if before != value:
                about = "a different vocabulary" if key == "vocab" else f"{key}={value}"
                against = "" if key == "vocab" else f", but {other.name} has {before}"
                raise ValueError(
                    f"{path}: has {about}{against or ' than ' + other.name}; two files of one folder "
                    "contradict each other: remove or correct the wrong one"
                )
    values = {key: value for key, (value, _) in found.items()}
    if values.get("strip_accents") == values.get("lower_case", True):
        values.pop("strip_accents", None)  # as by default, also if a caller changes lower_case
    return values
