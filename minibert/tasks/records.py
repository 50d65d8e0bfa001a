"""The records of tasks: where a row comes from, what is predicted for it, and what was found in a text."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..readers.conll import Sentence


class Window(NamedTuple):
    """Where a row of question answering comes from: a window of an example's passage.

    example: its index; first: the row position of the window's first token; offsets: (start, end) of each
    token in the passage; owned: for each token whether no other window shows it with more context.
    """

    example: int
    first: int
    offsets: list[tuple[int, int]]
    owned: np.ndarray


class Answer(NamedTuple):
    """A possible answer: passage[start:end] is the text.

    start_logit, end_logit: of its ends; probability: among the answers listed with it.
    """

    text: str
    start: int
    end: int
    start_logit: float
    end_logit: float
    probability: float

    @property
    def score(self) -> float:
        """Return the number by which answers are compared."""
        return self.start_logit + self.end_logit


class Prediction(NamedTuple):
    """The answer to a question, and the answers that were considered.

    text: the answer, "" for none. null_odds: how much higher "none" scores than the best span; 0 where every
    question has an answer. best: the best answers, of different texts, best first, with "" among them where a
    question may have none.
    """

    text: str
    null_odds: float
    best: list[Answer]

    @property
    def best_text(self) -> str:
        """Return the best answer that is not empty, "" only where the passage has none."""
        return next((answer.text for answer in self.best if answer.text), "")


class FileFormat(NamedTuple):
    """A text file of entries. ending: of its name; header, between, footer: around its entries."""

    ending: str
    header: str = ""
    between: str = ""
    footer: str = ""


LINES = FileFormat(".txt")
JSON_OBJECT = FileFormat(".json", "{\n ", ",\n ", "\n}\n")  # each entry is "key": value


class Style(NamedTuple):
    """How a text is shown. mark: of a part and its type, returns the marked part; plain: returns the rest."""

    mark: Callable[[str, str], str]
    plain: Callable[[str], str] = str


BRACKETS = Style("[{} {}]".format)


class NamedEntity(NamedTuple):
    """An entity that a tagger finds in a text: its words, their type, and their place, text[start:end]."""

    text: str
    type: str
    start: int
    end: int


@dataclass(frozen=True)
class TypedText(Sentence):
    """The words of a text that a person gives, without tags. places: (start, end) of each word in it."""

    text: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)

    def located(self) -> tuple[str, list[tuple[int, int]]]:
        return self.text, self.places
