"""Forty everyday sentences, each with one [MASK] and the words that fit there."""

from importlib.resources import files
from typing import NamedTuple


class Cloze(NamedTuple):
    """A sentence with one [MASK], and the words that fit there in lowercase, the most likely first."""

    text: str
    words: list[str]


def everyday() -> list[Cloze]:
    """Return the forty everyday sentences, on which a masked language model is tested."""
    return gaps((files(__package__) / "everyday.txt").read_text(encoding="utf-8"))


def gaps(text: str) -> list[Cloze]:
    """Read sentences from a string with lines of the form "sentence with [MASK] | word word"."""
    return [
        Cloze(sentence.strip(), words.split())
        for sentence, words in (line.split("|") for line in text.splitlines() if not line.startswith("#"))
    ]
