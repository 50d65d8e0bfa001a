"""Make paraphrases: pairs of questions in QQP's format, and pairs of sentences in MRPC's.

Dolan and Brockett (2005): MRPC; QQP: Quora's question pairs, both as tasks of GLUE (Wang et al., 2019, arXiv
1804.07461). Label 1: the same meaning in different words. Label 0: mostly different facts about the same
people, as in those data sets. The other texts with label 0 differ only in a person or a value, or exchange
two people, as in PAWS (Zhang et al., 2019, arXiv 1904.01130), so a bag of words is not enough.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..sentences.statements import Value
from ..sentences.wordings import BETWEEN, NEAR, QUESTIONS, SENTENCES, WHO
from ..writer.documents import World
from ..writer.draws import Draws
from ..writer.grammar import Page, Topic, fill
from .balanced_examples import LabelBalance, Proposal, collect
from .tsv import write_tsv

SAME, OTHER = 1, 0
PEOPLE = 2  # in every document used for pairs; news and reviews have only one person
BETWEEN_SHARE, WHO_SHARE = 0.2, 0.1  # shares of the questions; the rest ask for a fact
# Share of the differing sentences with another fact about the same people; words alone cannot reveal the
# others.
FAR_SHARE = 0.6
# Share of the differing questions about another fact of the same topic; the others ask about another
# person.
NEAR_SHARE = 0.4
TWO_SHARE = 0.75  # share of the sentences that are about two people
# share of the remaining differing pairs about two people that exchange values instead of changing one
EXCHANGED_SHARE = 0.8
SAME_WORDING_SHARE = 0.3  # share of the differing pairs that use the same wording twice
VALUE = re.compile(r"\{(?:a )?V\.(\w+)")
JOINTS = (", and ", "; ")


@dataclass(frozen=True)
class ParaphrasePair:
    """Two texts; `same` is 1 if they have the same meaning, else 0."""

    first: str
    second: str
    same: int


@dataclass(frozen=True)
class Sides:
    """The source of random choices and the label balance for generating pairs."""

    draws: Draws
    ledger: LabelBalance

    def label(self, group: tuple) -> int:
        """Return a random label that this group of examples still needs."""
        return self.draws.pick([label for label in (SAME, OTHER) if self.ledger.open(group, label)])

    def pair(self, group: tuple, label: int, first: str, second: str) -> Proposal:
        return Proposal(self.ledger, group, label, (first, second), ParaphrasePair(first, second, label))


def question_pairs(world: World, count: int, seed: int, split: str) -> Iterator[ParaphrasePair]:
    """Yield `count` pairs of questions; for each kind of question, half of the pairs are duplicates."""
    return _pairs(world, count, seed, split, "qqp", _question_pair)


def sentence_pairs(world: World, count: int, seed: int, split: str) -> Iterator[ParaphrasePair]:
    """Yield `count` pairs of sentences; for each kind of fact, half of the pairs are paraphrases."""
    return _pairs(world, count, seed, split, "mrpc", _sentence_pair)


def _pairs(
    world: World, count: int, seed: int, split: str, stream: str, make: Callable[[Page, Sides], Proposal]
) -> Iterator[ParaphrasePair]:
    sides = Sides(world.draws(seed, split, stream + " choices"), LabelBalance({SAME: 1, OTHER: 1}))
    return collect(
        world,
        count,
        seed,
        split,
        stream,
        lambda page: make(page, sides) if len(people_of(page)) == PEOPLE else None,
    )


def two(draws: Draws, wordings: tuple[str, ...], label: int) -> list[str]:
    """Return two different wordings or, if the label is 0 (different), sometimes the same one twice."""
    if label == OTHER and draws.chance(SAME_WORDING_SHARE):
        return [draws.pick(wordings)] * 2
    return draws.sample(wordings, 2)


def people_of(page: Page) -> list[Topic]:
    """Return the people mentioned in a document."""
    return [topic for topic in page.cast.values() if topic.sort.name == "person"]


def subjects(page: Page) -> list[Topic]:
    """Return the topics of a document (people, places, ...) that have sentences in multiple wordings."""
    return [topic for topic in page.cast.values() if topic.sort.name in SENTENCES]


def _question_pair(page: Page, sides: Sides) -> Proposal:
    draws = sides.draws
    kind = draws.weighted((BETWEEN_SHARE, BETWEEN_SHARE + WHO_SHARE, 1.0))
    if kind == 2:
        return _about_pair(page, sides)
    group = ("between", draws.pick(tuple(BETWEEN))) if kind == 0 else ("who", draws.pick(tuple(WHO)))
    label = sides.label(group)
    first, second = two(draws, (BETWEEN if kind == 0 else WHO)[group[1]], label)
    a, b = draws.sample(people_of(page), 2)
    if kind == 0:
        names = [{"X": a.short, "O": b.short}, {"X": b.short, "O": a.short}]
        return sides.pair(
            group, label, fill(first, names[0], {"V": a}), fill(second, names[label == OTHER], {"V": a})
        )
    other = Topic(a.sort, page.cast) if label == OTHER else a
    return sides.pair(group, label, fill(first, {}, {"V": a}), fill(second, {}, {"V": other}))


def _about_pair(page: Page, sides: Sides) -> Proposal:
    """Propose a pair of questions about a fact in a document, with a label that is still needed."""
    draws = sides.draws
    topic = draws.pick([topic for topic in page.cast.values() if topic.sort.name in QUESTIONS])
    asked = QUESTIONS[topic.sort.name]
    key = draws.pick(tuple(asked))
    label = sides.label(("about", key))
    first, second = two(draws, asked[key], label)
    name = other = draws.pick((topic.full, topic.short))
    if label == OTHER and (topic.sort.name == "firm" or draws.chance(NEAR_SHARE)):
        second = draws.pick(asked[draws.pick(NEAR[key])])
    elif label == OTHER:
        other = next(person for person in people_of(page) if person is not topic).short
    return sides.pair(("about", key), label, fill(first, {"X": name}, {}), fill(second, {"X": other}, {}))


def _sentence_pair(page: Page, sides: Sides) -> Proposal:
    draws = sides.draws
    if draws.chance(TWO_SHARE):
        return _two_people_pair(page, sides)
    topic = draws.pick(subjects(page))
    key = draws.pick(tuple(SENTENCES[topic.sort.name]))
    group = (topic.sort.name, key)
    label = sides.label(group)
    first, second = two(draws, SENTENCES[topic.sort.name][key], label)
    values: Topic | Value = topic
    if label == OTHER and draws.chance(FAR_SHARE):
        second = other_fact(topic.sort.name, key, draws)
    elif label == OTHER:
        values = changed_value(page, topic, key, draws)
    return sides.pair(group, label, told(first, topic, topic), told(second, topic, values))


def other_fact(sort: str, key: str, draws: Draws) -> str:
    """Return all wordings of a random fact, other than `key`, about a sort of topic, such as "person"."""
    facts = SENTENCES[sort]
    return draws.pick(facts[draws.pick([other for other in facts if other != key])])


def _two_people_pair(page: Page, sides: Sides) -> Proposal:
    """Propose a pair of sentences that each state one kind of fact about two people.

    The second is a paraphrase, states another fact, exchanges two values, or changes one.
    """
    draws = sides.draws
    key = draws.pick(tuple(SENTENCES["person"]))
    label = sides.label(("two", key))
    people = draws.sample(people_of(page), 2)
    values: list[Topic | Value] = list(people)
    wordings = [two(draws, SENTENCES["person"][key], label) for _ in people]
    firsts, seconds = [first for first, _ in wordings], [second for _, second in wordings]
    if label == OTHER and draws.chance(FAR_SHARE):
        seconds = [other_fact("person", key, draws)] * 2
    elif label == OTHER and draws.chance(EXCHANGED_SHARE):
        values.reverse()
    elif label == OTHER:
        values[0] = changed_value(page, people[0], key, draws)
    again = draws.sample(list(zip(seconds, people, values)), 2)
    first = joined(zip(firsts, people, people), draws.pick(JOINTS))
    return sides.pair(("two", key), label, first, joined(again, draws.pick(JOINTS)))


def joined(clauses: Iterable[tuple[str, Topic, Topic | Value]], joint: str) -> str:
    """Join clauses into one sentence, with the text `joint` between them.

    Each clause is (template, topic, values for the gaps).
    """
    texts: list[str] = []
    for wording, topic, values in clauses:
        text = told(wording, topic, values)[:-1]
        inside = texts and wording[0] != "{"  # the clause begins with a word, not with a name
        texts.append(text[0].lower() + text[1:] if inside else text)
    return joint.join(texts) + "."


def told(wording: str, topic: Topic, values: Topic | Value) -> str:
    """Return a sentence about a topic, from a template and the values for its gaps."""
    return fill(wording, {"X": topic.short}, {"V": values})


def slots_of(topic: Topic, key: str) -> list[str]:
    """Return the names of the placeholders in the templates for a topic's fact `key`."""
    return sorted(set(VALUE.findall(SENTENCES[topic.sort.name][key][0])))


def changed_value(page: Page, topic: Topic, key: str, draws: Draws) -> Value:
    """Return the values for a sentence about a topic's fact `key`, one of which is changed.

    A person is replaced by another person in the document, any other value by a value that nobody in it has.
    """
    values = {slot: topic.fact(slot) for slot in slots_of(topic, key)}
    changed = draws.pick(tuple(values))
    if isinstance(values[changed], Topic):
        values[changed] = next(person for person in people_of(page) if person is not values[changed])
    else:
        values[changed] = Topic(topic.sort, page.cast).fact(changed)
    return Value(**values)


def write_qqp(pairs: Iterable[ParaphrasePair], path: str | Path) -> None:
    """Write a table in GLUE's format for QQP (id, qid1, qid2, question1, question2, is_duplicate)."""
    header = [("id", "qid1", "qid2", "question1", "question2", "is_duplicate")]
    write_tsv(
        chain(
            header,
            (
                (number, 2 * number + 1, 2 * number + 2, pair.first, pair.second, pair.same)
                for number, pair in enumerate(pairs)
            ),
        ),
        path,
    )


def write_mrpc(pairs: Iterable[ParaphrasePair], path: str | Path) -> None:
    """Write a table in GLUE's format for MRPC (Quality, #1 ID, #2 ID, #1 String, #2 String)."""
    header = [("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")]
    write_tsv(
        chain(
            header,
            (
                (pair.same, 2 * number + 1, 2 * number + 2, pair.first, pair.second)
                for number, pair in enumerate(pairs)
            ),
        ),
        path,
    )
