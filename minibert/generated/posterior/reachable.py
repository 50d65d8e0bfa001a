"""The best reachable accuracy and loss on held-out documents, by what a prediction needs.

Rows are seen with [MASK] at every hidden place (random tokens would spoil the evidence), and a model is to be
measured on the same rows in the same way: it may come near these figures and cannot pass them by more than
chance.
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
    """A document as a row: ids (T,) and hidden (T,) bool, True for masked tokens.

    needs: for each of them, in order, what it needs (a `needs.Need`).
    """

    ids: np.ndarray
    hidden: np.ndarray
    needs: tuple


@dataclass
class Score:
    """How often a prediction was right, and the sum of -ln of the probability given to the truth."""

    count: int = 0
    right: float = 0
    surprise: float = 0.0

    def add(self, right: float, probability: float) -> None:
        self.count += 1
        self.right += right
        self.surprise -= np.log(probability)

    @property
    def accuracy(self) -> float:
        """0 to 1; nan without a case."""
        return self.right / self.count if self.count else float("nan")

    @property
    def loss(self) -> float:
        """Mean cross-entropy in nats; nan without a case."""
        return self.surprise / self.count if self.count else float("nan")


def hidden_rows(
    pages: Iterable[Page],
    encode: Callable,
    specials: Specials,
    max_length: int,
    rng: np.random.Generator,
    rate: float = 0.15,
) -> Iterator[HiddenRow]:
    """Yield each document that fits as [CLS] document [SEP], a share `rate` of its tokens masked.

    Each token is masked independently.

    encode: text -> an Encoding with `ids` and `offsets`. A row without a masked token is left out.
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
    """Return the scores by need, beside "all" and "elsewhere" (what only another sentence gives away).

    answer: a row -> for each hidden position (1 if the answer is right, else 0; the probability given to the
    truth).
    """
    scores = {name: Score() for name in ("all", *NEEDS, "elsewhere")}
    for row in rows:
        for need, (right, probability) in zip(row.needs, answer(row), strict=True):
            for name in ("all", need.label, *(["elsewhere"] if need.elsewhere else [])):
                scores[name].add(right, probability)
    return scores


def best_answers(reader: Reader) -> Callable:
    """Return the predictions of the exact posterior, for `scored`."""

    def answer(row):
        posterior = reader.best_mlm(row.ids, row.hidden)
        return [_judge(posterior[at], row.ids[at]) for at in np.flatnonzero(row.hidden)]

    return answer


def best_left_answers(reader: Reader) -> Callable:
    """Return the best predictions of a reader that sees only what is left of each token, for `scored`."""
    return lambda row: [
        _judge(reader.best_left(row.ids, int(at)), row.ids[at]) for at in np.flatnonzero(row.hidden)
    ]


def frequency_answers(counts: np.ndarray) -> Callable:
    """Return predictions made without reading: the most frequent token, each token with its share.

    counts: (V,), of the training text.
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
    """Yield (A, B, label) for each document of two sentences or more.

    They are made as `Reader.best_next` supposes.

    A is the beginning of the document, up to a sentence drawn uniformly; B its rest (label 0), or as often
    the rest of another document, drawn and cut in the same way (label 1). documents: lists of sentences of
    ids.
    """
    documents = [document for document in documents if len(document) > 1]
    if len(documents) < 2:
        raise ValueError(
            f"{len(documents)} document(s) of two sentences or more: a rest of another one needs at least 2"
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
