"""Forty everyday sentences with one gap each, and the words that would count, fixed before any training."""

from importlib.resources import files
from typing import NamedTuple


class Cloze(NamedTuple):
    """text: a sentence with one [MASK]. words: what would count there, lowercase, the likeliest first."""

    text: str
    words: list[str]


def everyday() -> list[Cloze]:
    """The forty sentences."""
    return gaps((files(__package__) / "everyday.txt").read_text(encoding="utf-8"))


def gaps(text: str) -> list[Cloze]:
    """The sentences of a file like everyday.txt."""
    return [
        Cloze(sentence.strip(), words.split())
        for sentence, words in (line.split("|") for line in text.splitlines() if not line.startswith("#"))
    ]
