"""The world and its documents: short coherent texts without end, labelled for question answering and for entities."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .cast import Cast
from .draws import Draws
from .grammar import Page
from .names import draw_names
from .plans import KIND_DECK, KINDS
from .questions import find_impossible, find_questions

SPLITS = {"train": 0, "dev": 1, "test": 2, "pretrain": 4}  # split: number of its random stream
NAMES_STREAM = 3  # the names have a random stream of their own


@dataclass(frozen=True)
class Entity:
    """A name or date: `text[start:end]` of its document; `label` is PER, LOC, ORG or DATE."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Question:
    """A question about a document; each answer is (answer text, start), and `text[start:]` starts with it.

    The first answer stands nearest to the evidence; the others name the same person differently. An `impossible`
    question has none.
    """

    text: str
    answers: list[tuple[str, int]]
    impossible: bool = False


@dataclass(frozen=True)
class Document:
    """A short text with its labels; `kind` is one of the keys of `plans.KINDS`, or "passage" for a hand-written one."""

    kind: str
    sentences: list[str]
    entities: list[Entity]  # in reading order
    questions: list[Question]
    title: str = ""  # generated documents have none

    @property
    def text(self) -> str:
        """The sentences joined by one space, which every offset counts from."""
        return " ".join(self.sentences)


class World:
    """A generated world: `names` for each split, and as many documents as wanted.

    The same seed gives the same world, and the same arguments the same documents, on every platform.

    >>> document = next(World(seed=0).documents(count=1, seed=1))
    >>> document.text[document.entities[0].start:document.entities[0].end] in document.text
    True
    """

    def __init__(self, seed: int):
        self.seed = seed
        self.names = draw_names(Draws(_generator(seed, NAMES_STREAM, 0)))

    def documents(self, count: int, seed: int, split: str = "train") -> Iterator[Document]:
        """Yields `count` documents, one at a time; fewer documents of the same seed are the first of more.

        `train` and `dev` use the same names, `test` names that appear in neither. `pretrain` is the text without labels: it
        uses all names, as a large text mentions names that few labelled examples hold. No two splits share a random stream.

        Raises ValueError for a negative count or a split that is not one of SPLITS.
        """
        if split not in SPLITS:
            raise ValueError(f"split {split!r} must be one of {tuple(SPLITS)}")
        if count < 0:
            raise ValueError(f"count {count} must not be negative")
        return self._written(count, Draws(_generator(self.seed, SPLITS[split], seed)), split)

    def _written(self, count: int, draws: Draws, split: str) -> Iterator[Document]:
        for _ in range(count):
            kind = draws.pick(KIND_DECK)
            page = Page(draws)
            KINDS[kind](page, Cast(draws, self.names[split]))
            questions = [Question(text, answers) for text, answers in find_questions(page, draws)]
            impossible = find_impossible(page, draws)
            if impossible is not None:
                questions.append(Question(impossible, [], impossible=True))
            yield Document(kind, page.sentences, [Entity(*entity) for entity in page.entities], questions)


def _generator(world_seed: int, stream: int, seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([world_seed, stream, seed]))
