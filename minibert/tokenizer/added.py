"""Readers for the added tokens of a published tokenizer, which it never splits, and for its special tokens.

Versions of `transformers` write them to different files: `tokenizer_config.json`, `tokenizer.json`,
`added_tokens.json` and `special_tokens_map.json`. WordPiece would split such a token into its characters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..data.batch import SPECIAL_TOKENS
from ..readers.json_file import read_json
from .published import OtherRules

CONFIG, WHOLE = "tokenizer_config.json", "tokenizer.json"
MAP, IDS = "special_tokens_map.json", "added_tokens.json"
FILES = (CONFIG, WHOLE, MAP, IDS)  # all files of a tokenizer besides its vocab.txt
ROLES = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")  # in the order of SPECIAL_TOKENS
LISTS = ("additional_special_tokens", "extra_special_tokens")
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


@dataclass(frozen=True)
class Added:
    """A token that one file states. id: None if the file does not state it. flags: those of the library."""

    content: str
    id: int | None
    flags: dict[str, bool]
    source: Path

    def fail(self, why: str) -> ValueError:
        return ValueError(f"{self.source}: the token {self.content!r} {why}")


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file, or an empty one if there is no file."""
    values = read_json(path) if path.is_file() else {}
    if not isinstance(values, dict):
        raise ValueError(f"{path}: must be a JSON object, not a value of type {type(values).__name__}")
    return values


def token(path: Path, value: Any, i: Any = None, **flags: bool) -> Added:
    """Build an Added from its form in a file: a string, or an object with its content and flags."""
    stated = {"content": value} if isinstance(value, str) else value
    if not isinstance(stated, dict) or not isinstance(stated.get("content"), str) or not stated["content"]:
        raise ValueError(f"{path}: {value!r} must be a token, which is a string or has a content")
    if i is not None and not str(i).isdecimal():
        raise ValueError(f"{path}: the token {stated['content']!r} has the id {i!r}, which is not a number")
    flags |= {key: stated[key] for key in FLAGS if isinstance(stated.get(key), bool)}
    return Added(stated["content"], None if i is None else int(i), flags, path)


def stated_tokens(folder: Path, all_files: bool = True) -> Iterator[Added]:
    """Yield each token that a file of a folder states; those with an id come first.

    all_files: if False, read only tokenizer_config.json.
    """
    config = read_object(folder / CONFIG)
    for i, value in as_dict(folder / CONFIG, config, "added_tokens_decoder").items():
        yield token(folder / CONFIG, value, i)
    if all_files:
        for value in read_object(folder / WHOLE).get("added_tokens") or []:
            yield token(folder / WHOLE, value, value.get("id") if isinstance(value, dict) else None)
        for content, i in read_object(folder / IDS).items():
            yield token(folder / IDS, content, i)
    for path in (folder / CONFIG, folder / MAP)[: 1 + all_files]:
        for key, value in read_object(path).items():
            if key in LISTS and isinstance(value, dict | list):
                many = list(value.values() if isinstance(value, dict) else value)
            else:
                many = [value] * (key in LISTS or key.endswith("_token"))
            for one in many:
                if one is not None and not isinstance(one, bool):  # add_bos_token is a bool
                    yield token(path, one, special=True)


def as_dict(path: Path, values: dict[str, Any], key: str) -> dict[str, Any]:
    found = values.get(key) or {}
    if not isinstance(found, dict):
        raise ValueError(f"{path}: {key} must be a JSON object, not a value of type {type(found).__name__}")
    return found


def added_tokens(folder: Path, all_files: bool = True) -> list[Added]:
    """Return each token that the files of a folder state, once, with its id and flags if a file states them.

    Raises ValueError if two files state different ids or flags.
    """
    found: dict[str, Added] = {}
    for new in stated_tokens(folder, all_files):
        old = found.setdefault(new.content, new)
        if new.id is None:  # a list of names; the files with ids are more precise
            found[new.content] = Added(old.content, old.id, new.flags | old.flags, old.source)
            continue
        before, now = {"id": old.id, **old.flags}, {"id": new.id, **new.flags}
        for key in before.keys() & now.keys():
            if before[key] != now[key]:
                raise new.fail(f"has {key}={now[key]}, but {old.source.name} has {before[key]}")
    return list(found.values())


def role_names(folder: Path, all_files: bool = True) -> dict[str, str]:
    """Return the names of special tokens that the files of a folder state, as {BERT's name: name}.

    Raises ValueError if two files state different names.
    """
    found: dict[str, Added] = {}
    for path in (folder / CONFIG, folder / MAP)[: 1 + all_files]:
        values = read_object(path)
        for role, ours in zip(ROLES, SPECIAL_TOKENS):
            if values.get(role) is not None:
                new = token(path, values[role])
                old = found.setdefault(ours, new)
                if new.content != old.content:
                    raise new.fail(f"is the {role}, but {old.source.name} has {old.content!r}")
    return {ours: one.content for ours, one in found.items()}


def check_tokens(folder: Path, vocab: Sequence[str], all_files: bool = True) -> None:
    """Raise OtherRules if a folder's WordPiece tokenizer has added tokens, or other special tokens than BERT.

    Raises ValueError if the id of a token differs from its place in the vocabulary.
    """
    for ours, theirs in role_names(folder, all_files).items():
        if ours != theirs:
            raise OtherRules(
                f"{folder / CONFIG}: {theirs!r} has the role of {ours}; only {ours!r} is supported"
            )
    ids = {content: i for i, content in enumerate(vocab)}
    if (folder / WHOLE).is_file() and (missing := [one for one in SPECIAL_TOKENS if one not in ids]):
        raise OtherRules(f"{folder / WHOLE}: the vocabulary has no {missing[0]}")
    for one in added_tokens(folder, all_files):
        known = ids.get(one.content)
        if one.id is not None and one.id != known and (known is not None or one.id < len(vocab)):
            there = f"gives it {known}" if known is not None else f"has {vocab[one.id]!r} there"
            raise one.fail(f"has id {one.id}, but the vocabulary {there}")
        if one.content not in SPECIAL_TOKENS:
            raise OtherRules(f"{one.source}: {one.content!r} is an added token, which WordPiece would split")
