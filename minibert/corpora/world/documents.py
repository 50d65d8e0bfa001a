"""The world and its documents: short coherent texts without end, labelled for question answering and for entities."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from .draws import Draws
from .grammar import Cast, Page, Topic
from .names import draw_names
from .plans import LANGUAGE, Language
from .questions import find_impossible, find_questions
from .sorts import Pool, texts

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

    The same seed gives the same world, and the same arguments the same documents, on every platform. `language`: what it
    draws from; ours, unless a test brings a small one.

    >>> document = next(World(seed=0).documents(count=1, seed=1))
    >>> document.text[document.entities[0].start:document.entities[0].end] in document.text
    True
    """

    def __init__(self, seed: int, language: Language = LANGUAGE):
        self.seed, self.language = seed, language
        self.names = draw_names(Draws(_generator(seed, NAMES_STREAM, 0)))

    def pools(self, split: str) -> dict[str, Pool]:
        """The pools of one split: those of the language, and its names."""
        names = self.names[_known(split)]
        return {"base": texts("base", names.bases), "first": texts("first", names.firsts),
                "pet": texts("pet", names.pets)} | self.language.pools

    def documents(self, count: int, seed: int, split: str = "train") -> Iterator[Document]:
        """Yields `count` documents, one at a time; fewer documents of the same seed are the first of more.

        `train` and `dev` use the same names, `test` names that appear in neither. `pretrain` is the text without labels: it
        uses all names, as a large text mentions names that few labelled examples hold. No two splits share a random stream.

        Raises ValueError for a negative count or a split that is not one of SPLITS.
        """
        stream = SPLITS[_known(split)]
        if count < 0:
            raise ValueError(f"count {count} must not be negative")
        return self._labelled(count, Draws(_generator(self.seed, stream, seed)), split)

    def _labelled(self, count: int, draws: Draws, split: str) -> Iterator[Document]:
        author = Author(self.language, self.pools(split), draws)
        for _ in range(count):
            kind, page = author.write()
            questions = [Question(text, answers) for text, answers in find_questions(page, draws)]
            impossible = find_impossible(page, draws)
            if impossible is not None:
                questions.append(Question(impossible, [], impossible=True))
            yield Document(kind, page.sentences, [Entity(*entity) for entity in page.entities], questions)


class Author:
    """Writes documents of a language, one after the other."""

    def __init__(self, language: Language, pools: dict[str, Pool], draws: Draws):
        self.language, self.pools, self.draws = language, pools, draws
        self._sums = {name: list(accumulate(pool.weights)) for name, pool in pools.items() if pool.weights}
        self._kinds = list(accumulate(share for share, _ in language.kinds))
        self._plans = {kind.name: list(accumulate(share for share, _ in kind.plans)) for _, kind in language.kinds}

    def write(self) -> tuple[str, Page]:
        """One document: its kind and its page."""
        draws = self.draws
        kind = self.language.kinds[draws.weighted(self._kinds)][1]
        moves = kind.plans[draws.weighted(self._plans[kind.name])][1]
        cast = Cast(draws, self.pools, self._sums)
        for letter, sort in kind.cast.items():
            cast[letter] = Topic(sort, cast, {slot: (cast[other], name) for (owner, slot), (other, name) in kind.links.items()
                                              if owner == letter})
        page, chosen = Page(draws), {}
        for move in moves:
            key = move.key
            if move.variable:
                if move.variable not in chosen:
                    pool = kind.variables[move.variable]
                    chosen[move.variable] = self.pools[pool].rows[cast.draw(pool)][0]
                key = chosen[move.variable]
            templates = self.language.templates(move, key)
            page.say(templates[draws.early(len(templates))], {x: cast[letter] for x, letter in move.letters})
        return kind.name, page


def _known(split: str) -> str:
    if split not in SPLITS:
        raise ValueError(f"split {split!r} must be one of {tuple(SPLITS)}")
    return split


def _generator(world_seed: int, stream: int, seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([world_seed, stream, seed]))
