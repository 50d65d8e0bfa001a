"""Compute the best reachable accuracy and loss on held-out documents, by the information needed.

Every masked token is replaced by [MASK], because random tokens would distort the evidence. A model evaluated
on the same sequences may approach these scores, and can exceed them only by chance.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from minibert.data.batch import Specials

from ..writer.grammar import Page
from .needs import NEEDS, needs
from .reader import Reader


@dataclass(frozen=True)
class HiddenRow:
    """A document as a token sequence: ids (T,), and hidden (T,) bool, True for masked tokens.

    `needs` lists what a reader needs to guess each masked token.
    """

    ids: np.ndarray
    hidden: np.ndarray
    needs: tuple


@dataclass
class Score:
    """The numbers of predictions and of correct ones, and the sum of -ln p for the true tokens."""

    count: int = 0
    right: float = 0
    surprise: float = 0.0

    def add(self, right: float, probability: float) -> None:
        self.count += 1
        self.right += right
        self.surprise -= np.log(probability)

    @property
    def accuracy(self) -> float:
        """Return the accuracy from 0 to 1, or nan if there are no predictions."""
        return self.right / self.count if self.count else float("nan")

    @property
    def loss(self) -> float:
        """Return the mean cross-entropy in nats, or nan if there are no predictions."""
        return self.surprise / self.count if self.count else float("nan")


def hidden_rows(
    pages: Iterable[Page],
    encode: Callable,
    specials: Specials,
    max_length: int,
    rng: np.random.Generator,
    rate: float = 0.15,
) -> Iterator[HiddenRow]:
    """Yield each document as [CLS] document [SEP], with a share `rate` of its tokens masked at random.

    Sequences that are too long, or have no masked token, are left out. encode: a function that converts a
    text to an Encoding with `ids` and `offsets`.
    """
    for page in pages:
        encoding = encode(" ".join(page.sentences))
        ids = np.array([specials.cls, *encoding.ids, specials.sep])
        if len(ids) > max_length:
            continue
        hidden = rng.random(len(ids)) < rate
        hidden[[0, -1]] = False
        if hidden.any():
            words = needs(page)
            starts = [word.start for word in words]
            found = tuple(
                words[bisect_right(starts, encoding.offsets[at - 1][0]) - 1] for at in np.flatnonzero(hidden)
            )
            yield HiddenRow(ids, hidden, found)


def scored(
    rows: Iterable[HiddenRow], answer: Callable[[HiddenRow], Iterable[tuple[float, float]]]
) -> dict[str, Score]:
    """Return a Score for each group of masked tokens with the same need (see `needs`), and for "all".

    The group "elsewhere" has the tokens that only another sentence reveals. answer: a function that returns,
    for each masked token of a document, (1 if the prediction is correct, else 0; probability of the true
    token).
    """
    scores = {name: Score() for name in ("all", *NEEDS, "elsewhere")}
    for row in rows:
        for need, (right, probability) in zip(row.needs, answer(row), strict=True):
            for name in ("all", need.label, *(["elsewhere"] if need.elsewhere else [])):
                scores[name].add(right, probability)
    return scores


def best_answers(reader: Reader) -> Callable:
    """Return a function, for `scored`, that predicts masked tokens by their exact probabilities."""

    def answer(row):
        posterior = reader.best_mlm(row.ids, row.hidden)
        return [_judge(posterior[at], row.ids[at]) for at in np.flatnonzero(row.hidden)]

    return answer


def best_left_answers(reader: Reader) -> Callable:
    """Return a function, for `scored`, that predicts tokens exactly from their left context alone."""
    return lambda row: [
        _judge(reader.best_left(row.ids, int(at)), row.ids[at]) for at in np.flatnonzero(row.hidden)
    ]


def frequency_answers(counts: np.ndarray) -> Callable:
    """Return a function, for `scored`, that always predicts the most frequent token.

    counts: (V,), how often each token occurs in the training text; one is added to each count.
    """
    shares = (counts + 1) / (counts + 1).sum()
    top = int(counts.argmax())
    return lambda row: [(float(truth == top), shares[truth]) for truth in row.ids[row.hidden]]


def _judge(shares: dict[int, float], truth: int) -> tuple[float, float]:
    best = max(shares, key=shares.__getitem__)
    return float(best == truth), shares[truth]


def split_pairs(
    documents: list[list[list[int]]], rng: np.random.Generator
) -> Iterator[tuple[list[int], list[int], int]]:
    """Yield a pair of segments with a label, (A, B, label), for each document of two or more sentences.

    A is the beginning of the document, up to a random sentence. B is the rest of the document (label 0) or,
    equally often, of another document (label 1). Each document is a list of sentences, and each sentence a
    list of ids. Raises ValueError for fewer than two such documents.
    """
    documents = [document for document in documents if len(document) > 1]
    if len(documents) < 2:
        raise ValueError(
            f"at least 2 documents with two or more sentences are needed, but there are {len(documents)}"
        )

    def cut(document):
        at = 1 + int(rng.random() * (len(document) - 1))
        return [piece for s in document[:at] for piece in s], [piece for s in document[at:] for piece in s]

    for number, document in enumerate(documents):
        a, b = cut(document)
        label = int(rng.random() < 0.5)
        if label:
            _, b = cut(documents[(number + 1 + int(rng.random() * (len(documents) - 1))) % len(documents)])
        yield a, b, label
