"""Forty everyday sentences, each with one [MASK] and its right words, chosen before any training."""

from importlib.resources import files
from typing import NamedTuple


class Cloze(NamedTuple):
    """A sentence with one [MASK], and its right words in lowercase, the most likely first."""

    text: str
    words: list[str]


def everyday() -> list[Cloze]:
    """Return the forty sentences."""
    return gaps((files(__package__) / "everyday.txt").read_text(encoding="utf-8"))


def gaps(text: str) -> list[Cloze]:
    """Read the sentences of a file like everyday.txt."""
    return [
        Cloze(sentence.strip(), words.split())
        for sentence, words in (line.split("|") for line in text.splitlines() if not line.startswith("#"))
    ]
