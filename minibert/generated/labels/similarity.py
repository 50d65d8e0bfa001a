"""Make pairs of sentences with a similarity score from 0 to 5, in the format of STS-B.

Cer et al. (2017, arXiv 1708.00055), as a task of GLUE (Wang et al., 2019, arXiv 1804.07461). Their scores
are human judgements; ours follow a rule:
    5         the same facts in the same words, possibly in a different order
    4 to 5    the same facts in other words: 4 plus the share of common words (among all words of the two)
    3         the same facts about the same topics, but with one detail changed or two people's exchanged
    2         another fact about the same topics
    1         the same kind of fact about other topics: all names and values differ
    0         nothing in common: another kind of fact about other topics
Within each kind of fact, each of the six grades makes up a sixth of the pairs.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..sentences.statements import Value
from ..sentences.wordings import SENTENCES
from ..writer.documents import World
from ..writer.draws import Draws
from ..writer.grammar import Page, Topic
from .balanced_examples import LabelBalance, Proposal, collect
from .paraphrase import EXCHANGED_SHARE, JOINTS, PEOPLE, changed_value, joined, people_of, slots_of, subjects
from .tsv import write_tsv

GRADES = (UNRELATED, KIND, TOPIC, DETAIL, PARAPHRASE, EQUAL) = range(6)
TWO_SHARE = 0.5  # share of the sentences that tell the same fact about two people
WORD = re.compile(r"\w+")
Clause = tuple[str, Topic, Topic | Value]  # wording, topic, source of the values


@dataclass(frozen=True)
class SimilarityPair:
    """Two sentences and their similarity, 0 to 5. `genre`: the sort of topic of the first, such as person."""

    first: str
    second: str
    score: float
    genre: str


def similarity_pairs(world: World, count: int, seed: int, split: str) -> Iterator[SimilarityPair]:
    """Yield `count` pairs of sentences, each with a score for their similarity."""
    draws, ledger = world.draws(seed, split, "stsb choices"), LabelBalance(dict.fromkeys(GRADES, 1))
    before: dict[str, Page] = {}  # the last document of each kind, for other topics

    def make(page: Page) -> Proposal | None:
        if len(people_of(page)) != PEOPLE:
            return None
        proposal = _pair(page, before, draws, ledger)
        before[page.kind] = page
        return proposal

    return collect(world, count, seed, split, "stsb", make)


def _pair(page: Page, before: dict[str, Page], draws: Draws, ledger: LabelBalance) -> Proposal | None:
    """Propose a pair with a needed score, or return None if earlier documents have no topics for it.

    before: earlier documents, by the sort of their topics.
    """
    topics = [draws.pick(subjects(page))]
    if draws.chance(TWO_SHARE):
        topics = draws.sample(people_of(page), 2)
    facts = SENTENCES[topics[0].sort.name]
    key = draws.pick(tuple(facts))
    group = (topics[0].sort.name, len(topics), key)
    grade = draws.pick([grade for grade in GRADES if ledger.open(group, grade)])
    first: list[Clause] = [(draws.pick(facts[key]), topic, topic) for topic in topics]
    second = _second(page, before, first, key, grade, draws)
    if second is None:
        return None
    joint = draws.pick(JOINTS)
    one, other = joined(first, joint), joined(second, joint)
    score = PARAPHRASE + round(overlap(one, other), 1) if grade == PARAPHRASE else grade
    return Proposal(
        ledger, group, grade, (one, other), SimilarityPair(one, other, float(score), topics[0].sort.name)
    )


def _second(
    page: Page, before: dict[str, Page], first: list[Clause], key: str, grade: int, draws: Draws
) -> list[Clause] | None:
    """Return the clauses of the second sentence, or None if it cannot have this score (`grade`).

    first: the clauses of the first sentence, about the fact `key`.
    """
    facts, topics = SENTENCES[first[0][1].sort.name], [topic for _, topic, _ in first]
    if grade == EQUAL:
        return [
            (draws.pick([other for other in facts[key] if _words(other) == _words(wording)]), topic, topic)
            for wording, topic, _ in first[::-1]
        ]
    if grade == PARAPHRASE:
        return [
            (draws.pick([other for other in facts[key] if _words(other) != _words(wording)]), topic, topic)
            for wording, topic, _ in draws.sample(first, len(first))
        ]
    if grade == DETAIL:
        values: list[Topic | Value] = [*topics[::-1]]
        if len(topics) == 1 or not draws.chance(EXCHANGED_SHARE):
            values = [changed_value(page, topics[0], key, draws), *topics[1:]]
        return draws.sample(
            [(draws.pick(facts[key]), topic, value) for topic, value in zip(topics, values)], len(topics)
        )
    if grade == TOPIC:
        key = draws.pick([other for other in facts if other != key])
        return [(draws.pick(facts[key]), topic, topic) for topic in draws.sample(topics, len(topics))]
    pages = [
        last
        for last in before.values()
        if grade == UNRELATED or any(t.sort is topics[0].sort for t in subjects(last))
    ]
    return _elsewhere(draws.pick(pages), topics, key, grade, draws) if pages else None


def _elsewhere(page: Page, topics: list[Topic], key: str, grade: int, draws: Draws) -> list[Clause] | None:
    """Return clauses about the topics of another document, or None if it shares a name or value.

    They state the fact `key`, or another kind of fact if `grade` is UNRELATED.
    """
    others = people_of(page)
    if len(topics) == 1:
        others = [
            draws.pick(
                [topic for topic in subjects(page) if grade == UNRELATED or topic.sort is topics[0].sort]
            )
        ]
    facts, theirs = SENTENCES[others[0].sort.name], key
    if grade == UNRELATED:
        theirs = draws.pick([other for other in facts if other != key])
    if _shown(topics, key) & _shown(others, theirs):
        return None  # the two documents happen to share a name or a year
    return [(draws.pick(facts[theirs]), other, other) for other in others]


def _shown(topics: list[Topic], key: str) -> set[str]:
    """Return the words of the topics' names and of their values for the fact `key`."""
    facts = [topic.fact(slot) for topic in topics for slot in slots_of(topic, key)]
    texts = [topic.full for topic in topics] + [
        fact if isinstance(fact, str) else fact.full for fact in facts
    ]
    return {word for text in texts for word in text.split()}


def _words(text: str) -> list[str]:
    return sorted(word.lower() for word in WORD.findall(text))


def overlap(first: str, second: str) -> float:
    """Return the number of words that two texts share, divided by the number of words in either."""
    one, other = set(_words(first)), set(_words(second))
    return len(one & other) / len(one | other)


def write_stsb(pairs: Iterable[SimilarityPair], path: str | Path) -> None:
    """Write a table in GLUE's format for STS-B, with ten columns; sources and year are "none"."""
    header = [
        (
            "index",
            "genre",
            "filename",
            "year",
            "old_index",
            "source1",
            "source2",
            "sentence1",
            "sentence2",
            "score",
        )
    ]
    rows = (
        (
            index,
            pair.genre,
            "world",
            "none",
            f"{index:04d}",
            "none",
            "none",
            pair.first,
            pair.second,
            f"{pair.score:.3f}",
        )
        for index, pair in enumerate(pairs)
    )
    write_tsv(chain(header, rows), path)
