"""Records that tasks use: windows of a passage, predictions, entities found in a text, and output formats."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..readers.conll import Sentence


class Window(NamedTuple):
    """A window of an example's passage, which is encoded as one input sequence (row) of a model.

    example: the index of the example. first: the position of the window's first token in the row. offsets:
    (start, end) of each token in the passage. owned: for each token, whether it has the most context in this
    window.
    """

    example: int
    first: int
    offsets: list[tuple[int, int]]
    owned: np.ndarray


class Answer(NamedTuple):
    """A possible answer with text = passage[start:end].

    start_logit, end_logit: the logits of its first and last token. probability: relative to the other answers
    in the same list.
    """

    text: str
    start: int
    end: int
    start_logit: float
    end_logit: float
    probability: float

    @property
    def score(self) -> float:
        return self.start_logit + self.end_logit


class Prediction(NamedTuple):
    """The predicted answer to a question, and a list of the best answers.

    text: the answer, or "" for no answer. null_odds: the score of "no answer" minus that of the best span, or
    0 if every question has an answer. best: the answers with distinct texts, best first, including ""
    if a question may have no answer.
    """

    text: str
    null_odds: float
    best: list[Answer]

    @property
    def best_text(self) -> str:
        """Return the best non-empty answer, or "" if the passage offers none."""
        return next((answer.text for answer in self.best if answer.text), "")


class FileFormat(NamedTuple):
    """A format of text files with entries.

    ending: the file name extension. header, between, footer: the text before, between and after the entries.
    """

    ending: str
    header: str = ""
    between: str = ""
    footer: str = ""


LINES = FileFormat(".txt")
JSON_OBJECT = FileFormat(".json", "{\n ", ",\n ", "\n}\n")  # each entry is "key": value


class Style(NamedTuple):
    """A style for displaying a text with marked spans.

    mark: a function (span, type) -> marked span. plain: a function that formats the rest of the text.
    """

    mark: Callable[[str, str], str]
    plain: Callable[[str], str] = str


BRACKETS = Style("[{} {}]".format)


class NamedEntity(NamedTuple):
    """A named entity found in a text: its words, text[start:end], and its type."""

    text: str
    type: str
    start: int
    end: int


# What `predict` returns for one input: the answer or, on request, answers with their probabilities.
Result = str | float | list[NamedEntity] | dict[str, float] | dict[NamedEntity, float]


@dataclass(frozen=True)
class TypedText(Sentence):
    """The words of a user's text, without tags. places: (start, end) of each word, in characters."""

    text: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)

    def located(self) -> tuple[str, list[tuple[int, int]]]:
        return self.text, self.places
