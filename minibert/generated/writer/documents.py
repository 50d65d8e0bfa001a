"""Generate an endless supply of short, coherent documents with questions and entities."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice
from multiprocessing import get_context
from zlib import crc32

import numpy as np

from ..sentences.names import draw_names
from ..sentences.plans import LANGUAGE, Language
from ..sentences.sorts import Pool, texts
from .draws import Draws
from .grammar import Cast, Page, Topic
from .questions import find_impossible, find_questions

SPLITS = {"train": 0, "dev": 1, "test": 2, "pretrain": 4}  # split -> number of its random stream
NAMES_STREAM = 3  # the names have their own random stream
RENAMED_STREAMS = {"sentiment": 2869080103}  # a renamed stream keeps its number, so its data do not change
BLOCK = 64  # documents that share a random stream; a block can be written without the previous ones


@dataclass(frozen=True)
class Entity:
    """A name or date, which is `text[start:end]` of its document. `label` is PER, LOC, ORG or DATE."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Question:
    """A question about a document. Each answer is (answer text, start position in the document).

    The first answer is the one nearest to the evidence; the others are the same person's other names. An
    `impossible` question has no answers.
    """

    text: str
    answers: list[tuple[str, int]]
    impossible: bool = False


@dataclass(frozen=True)
class Document:
    """A short text with its entities and questions.

    `kind` is one of the keys of `plans.KINDS`, or "passage" for a hand-written document.
    """

    kind: str
    sentences: list[str]
    entities: list[Entity]  # in reading order
    questions: list[Question]
    title: str = ""  # generated documents have none

    @property
    def text(self) -> str:
        """Return the sentences joined by single spaces; all offsets refer to this text."""
        return " ".join(self.sentences)


class World:
    """Generate any number of documents about people, places and firms with random names.

    The same seed gives the same world, and the same arguments the same documents, on every platform.
    language: the templates and facts, by default those of the course. Raises ValueError for a negative seed.
    >>> document = next(World(seed=0).documents(count=1, seed=1))
    >>> document.text[document.entities[0].start:document.entities[0].end] in document.text
    True
    """

    def __init__(self, seed: int, language: Language = LANGUAGE):
        if seed < 0:
            raise ValueError(f"seed={seed} must be at least 0")
        self.seed, self.language = seed, language
        self.names = draw_names(Draws(_generator(seed, NAMES_STREAM)))

    def pools(self, split: str) -> dict[str, Pool]:
        """Return the pools of values for one split, with that split's names."""
        names = self.names[_known(split)]
        return {
            "base": texts("base", names.bases),
            "first": texts("first", names.firsts),
            "pet": texts("pet", names.pets),
        } | self.language.pools

    def documents(self, count: int, seed: int, split: str = "train", workers: int = 1) -> Iterator[Document]:
        """Yield `count` documents, one at a time. A smaller count yields a prefix of the same documents.

        `train` and `dev` use the same names, and `test` uses names that are in neither. `pretrain` is
        unlabelled text that uses all names, just as a large corpus mentions names that a few labelled
        examples do not contain. No two splits share a stream of random numbers. The documents do not depend
        on `workers`, the number of processes that write in parallel.

        Raises ValueError for a negative count, an unknown split, or less than one worker.
        """
        if count < 0:
            raise ValueError(f"count={count} must not be negative")
        if workers < 1:
            raise ValueError(f"workers={workers} must be at least 1")
        write = partial(self._block, seed, _known(split))
        return islice(_in_order(write, -(-count // BLOCK), workers), count)

    def pages(self, count: int, seed: int, split: str = "train", stream: str = "text") -> Iterator[Page]:
        """Yield documents (Page) that record all their facts and positions, for making labels.

        stream: any name; each name gives different random numbers, so that no two tasks share documents.
        """
        blocks = (self._pages(seed, _known(split), stream, number) for number in range(-(-count // BLOCK)))
        return islice((page for block in blocks for page in block), count)

    def _pages(self, seed: int, split: str, stream: str, number: int) -> Iterator[Page]:
        author = Author(self.language, self.pools(split), self.draws(seed, split, stream, number))
        return (author.write() for _ in range(BLOCK))

    def draws(self, seed: int, split: str, stream: str, number: int = 0) -> Draws:
        """Return a new source of random choices (Draws), determined by the world and the arguments."""
        stream_number = RENAMED_STREAMS.get(stream) or crc32(stream.encode())
        return Draws(_generator(self.seed, SPLITS[_known(split)], seed, stream_number, number))

    def _block(self, seed: int, split: str, number: int) -> list[Document]:
        draws = self.draws(seed, split, "questions", number)
        # Write all text first, because a question may draw a fact that no text has told.
        pages = list(self._pages(seed, split, "text", number))
        return [labelled(page, draws) for page in pages]


def labelled(page: Page, draws: Draws) -> Document:
    """Return a Document with the text and entities of a page, and with randomly chosen questions."""
    questions = [Question(text, answers) for text, answers in find_questions(page, draws)]
    impossible = find_impossible(page, draws)
    if impossible is not None:
        questions.append(Question(impossible, [], impossible=True))
    return Document(page.kind, page.sentences, [Entity(*entity) for entity in page.entities], questions)


def _in_order(write: Callable[[int], list[Document]], blocks: int, workers: int) -> Iterator[Document]:
    """Yield the documents write(0), ..., write(blocks - 1) in order, written by `workers` processes."""
    if workers == 1:
        for number in range(blocks):
            yield from write(number)
        return
    with get_context("spawn").Pool(workers) as pool:
        for documents in pool.imap(write, range(blocks)):
            yield from documents


class Author:
    """A writer of random documents in one language, such as the course's."""

    def __init__(self, language: Language, pools: dict[str, Pool], draws: Draws):
        self.language, self.pools, self.draws = language, pools, draws
        self._sums = {name: list(accumulate(pool.weights)) for name, pool in pools.items() if pool.weights}
        self._kinds = list(accumulate(share for share, _ in language.kinds))
        self._plans = {
            kind.name: list(accumulate(share for share, _ in kind.plans)) for _, kind in language.kinds
        }

    def write(self) -> Page:
        """Return the next random document as a Page."""
        draws = self.draws
        kind = self.language.kinds[draws.weighted(self._kinds)][1]
        moves = kind.plans[draws.weighted(self._plans[kind.name])][1]
        cast = Cast(draws, self.pools, self._sums)
        for letter, sort in kind.cast.items():
            cast[letter] = Topic(
                sort,
                cast,
                {
                    slot: (cast[other], name)
                    for (owner, slot), (other, name) in kind.links.items()
                    if owner == letter
                },
            )
        page, chosen = Page(draws, kind.name, cast), {}
        for move in moves:
            key = move.key
            if move.variable:
                if move.variable not in chosen:
                    pool = kind.variables[move.variable]
                    chosen[move.variable] = self.pools[pool].rows[cast.draw(pool)][0]
                key = chosen[move.variable]
            templates = self.language.templates(move, key)
            page.say(
                templates[draws.early(len(templates))],
                {x: cast[letter] for x, letter in move.letters},
                (move.family, key),
            )
        return page


def _known(split: str) -> str:
    if split not in SPLITS:
        raise ValueError(f"split={split!r} must be one of {tuple(SPLITS)}")
    return split


def _generator(*numbers: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(numbers))
