"""Make examples for natural language inference, in the formats of MNLI and RTE.

Williams et al. (2018, arXiv 1704.05426): MNLI; Wang et al. (2019, arXiv 1804.07461): RTE as a task of GLUE. A
hypothesis states or denies one fact about a topic of the premise:

entailment: the premise states it or (for a denial) states another value, since nobody is born in two places
contradiction: the premise states another value or (for a denial) states it
neutral: the premise says nothing about this fact

Most wrong values do not occur in the premise, so the label depends on whether the premise mentions the fact
at all. The others do occur, mostly as a fact about somebody else, so the label depends on whose fact it is. A
value that must be inferred, such as a number of legs, rarely occurs in the premise.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..sentences.sorts import Ref
from ..sentences.statements import STATEMENTS, Statement, Value, worded
from ..writer.documents import World
from ..writer.draws import Draws
from ..writer.grammar import Page, Topic, fill
from .balanced_examples import LabelBalance, Proposal, collect
from .evidence import Evidence
from .tsv import write_tsv

LENGTHS = (2, 3, 4)  # possible numbers of sentences in a premise
# Left out because "I" is unnamed (letters), "the only baker in Ashby" is about everybody (places), or the
# document has only one person (news, reviews).
UNREAD_KINDS = ("letter", "place", "news", "review")
UNREAD_LISTS = ("game ask",)  # "who plays the harp? It is Ashby" is also about everybody
CONTINUED_LISTS = ("follow",)  # these sentences continue a scene, so none of them begins a premise
STORY_KINDS = ("day",)  # they leave doubt about people, so we ask only who found the object
DENIED_SHARE = 0.2  # share of examples whose hypothesis has a "not"
# Share of documents whose wrong values do not occur in the premise; in the others, most are facts about
# somebody else.
ELSEWHERE_SHARE = 0.85
# how often the hypothesis says "the baker" if the premise makes clear who that is
DESCRIBED_SHARE = 0.4
DESCRIPTIONS = {"trade": "the {trade}", "instrument": "the {player}", "pet": "the owner of {pet}"}
FACT = {statement.slot: statement for statement in STATEMENTS if statement.derived is None}


@dataclass(frozen=True)
class Inference:
    """A premise, a hypothesis, and a label, which is entailment, neutral or contradiction.

    `genre` is the kind of the document.
    """

    premise: str
    hypothesis: str
    label: str
    genre: str


def entailment_examples(world: World, count: int, seed: int, split: str) -> Iterator[Inference]:
    """Yield `count` examples as in MNLI, a third for each label.

    The labels are also balanced within every kind of fact and of document, for statements and for denials.
    """
    return _examples(world, count, seed, split, "mnli", {"entailment": 1, "neutral": 1, "contradiction": 1})


def recognition_examples(world: World, count: int, seed: int, split: str) -> Iterator[Inference]:
    """Yield `count` examples as in RTE, half of them entailment.

    The other label, not_entailment, means either neutral or contradiction.
    """
    shares = {"entailment": 2, "neutral": 1, "contradiction": 1}
    for example in _examples(world, count, seed, split, "rte", shares):
        label = "entailment" if example.label == "entailment" else "not_entailment"
        yield Inference(example.premise, example.hypothesis, label, example.genre)


def _examples(
    world: World, count: int, seed: int, split: str, stream: str, shares: Mapping[str, int]
) -> Iterator[Inference]:
    draws, ledger = world.draws(seed, split, stream + " choices"), LabelBalance(shares, evenly=True)
    return collect(world, count, seed, split, stream, lambda page: _example(page, draws, ledger))


def _example(page: Page, draws: Draws, ledger: LabelBalance) -> Proposal | None:
    """Propose an example from a document, the first in random order with a needed label, or return None."""
    evidence, denials, elsewhere = Evidence(page), draws.chance(DENIED_SHARE), draws.chance(ELSEWHERE_SHARE)
    for part in draws.sample(parts := _parts(page, evidence), len(parts)):
        asked = [
            (statement, topic)
            for statement in STATEMENTS
            for topic in page.cast.values()
            if topic.sort.name == statement.sort and _can_be_named(evidence, part, topic, statement)
        ]
        for statement, topic in draws.sample(asked, len(asked)):
            for label, denied, choose in _options(evidence, part, topic, statement, elsewhere, draws):
                group = statement.name, denied, elsewhere, page.kind
                if denied != denials or not ledger.open(group, label):
                    continue
                value = choose(page, evidence, part, topic, statement, draws)
                if value is not None:
                    name = _called(evidence, part, topic, statement, draws)
                    hypothesis = worded(draws, statement.no if denied else statement.yes, name, topic, value)
                    premise = " ".join(page.sentences[i] for i in part)
                    example = Inference(premise, hypothesis, label, page.kind)
                    return Proposal(ledger, group, label, (premise, hypothesis), example)
    return None


def _parts(page: Page, evidence: Evidence) -> list[range]:
    """Return the ranges of a document's consecutive sentences that can be understood on their own."""
    if page.kind in UNREAD_KINDS:
        return []
    families = [family for family, _ in page.lists]
    runs = [
        range(start, start + length)
        for length in LENGTHS
        for start in range(len(families) - length + 1)
        if families[start] not in CONTINUED_LISTS
    ]
    return [run for run in runs if not any(families[i] in UNREAD_LISTS for i in run) and evidence.clear(run)]


def _can_be_named(evidence: Evidence, part: range, topic: Topic, statement: Statement) -> bool:
    if statement.sort == "story":
        return evidence.shown(part, topic, "object")
    return evidence.page.kind not in STORY_KINDS and bool(evidence.names(part, topic))


def _options(
    evidence: Evidence, part: range, topic: Topic, statement: Statement, elsewhere: bool, draws: Draws
) -> list[tuple[str, bool, Callable[..., Topic | Value | None]]]:
    """Return the possible hypotheses about a fact, in random order.

    Each is (label, whether it is a denial, function that chooses its value). part: the indices of the
    premise's sentences.
    """
    options, wrong = [], _elsewhere if elsewhere else _bait
    if evidence.stated(part, topic, statement):
        false = wrong if statement.derived is None else _worked_out_wrongly
        options = [
            ("entailment", False, _own),
            ("contradiction", True, _own),
            ("contradiction", False, false),
            ("entailment", True, false),
        ]
    elif evidence.untouched(part, topic, statement):
        options = [("neutral", False, wrong), ("neutral", True, wrong)]
    return draws.sample(options, len(options))


def _own(
    _page: Page, evidence: Evidence, part: range, topic: Topic, statement: Statement, draws: Draws
) -> Topic | Value | None:
    """Return the true value of a topic's fact, or None if it is a person whom the premise does not name."""
    if statement.derived is not None:
        return Value(derived=statement.worked_out(topic, draws)[0])
    fact = topic.fact(statement.slot)
    if not isinstance(fact, Topic):
        return topic
    names = evidence.names(part, fact)
    return Value(**{statement.slot: draws.pick(names)}) if names else None


def _worked_out_wrongly(
    _page: Page, _evidence: Evidence, _part: range, topic: Topic, statement: Statement, draws: Draws
) -> Value:
    return Value(derived=statement.worked_out(topic, draws)[1])


def _bait(
    page: Page, evidence: Evidence, part: range, topic: Topic, statement: Statement, draws: Draws
) -> Topic | Value | None:
    """Return a random value from `_baits`, or None if there are none."""
    baits = _baits(page, evidence, part, topic, statement, draws)
    return draws.pick(baits) if baits else None


def _elsewhere(
    page: Page, _evidence: Evidence, _part: range, topic: Topic, statement: Statement, draws: Draws
) -> Topic | Value:
    fact = topic.fact(statement.slot) if isinstance(topic.sort.slots[statement.slot], Ref) else None
    if isinstance(fact, Topic):
        return Value(**{statement.slot: Topic(fact.sort, page.cast).short})
    other = Topic(topic.sort, page.cast)
    if statement.derived is None:
        return other
    return Value(derived=draws.pick(statement.worked_out(other, draws)))


def _baits(
    page: Page, evidence: Evidence, part: range, topic: Topic, statement: Statement, draws: Draws
) -> list[Topic | Value]:
    """Return all values in the premise (`part`) that could be mistaken for this fact about the topic."""
    slot, baits = statement.slot, []
    if isinstance(topic.sort.slots[slot], Ref):
        people = [
            person
            for person in page.cast.values()
            if person.sort.name == "person" and person is not topic.fact(slot)
        ]
        return [Value(**{slot: name}) for person in people for name in evidence.names(part, person)]
    for other in page.cast.values():
        shown = other.sort is topic.sort and other is not topic and statement.shown_by(other)
        if shown and any(evidence.shown(part, other, own) for own in shown):
            baits.append(
                other
                if statement.derived is None
                else Value(derived=draws.pick(statement.worked_out(other, draws)))
            )
    return baits + [
        Value(**{slot: topic.text(source)})
        for source in statement.from_slots
        if evidence.shown(part, topic, source)
    ]


def _called(evidence: Evidence, part: range, topic: Topic, statement: Statement, draws: Draws) -> str:
    """Return a name of the topic, or a description that the premise explains, such as "the baker"."""
    names = evidence.names(part, topic)
    if not names:
        return ""  # a story has no name
    described = [
        text
        for slot, text in DESCRIPTIONS.items()
        if topic.sort.name == "person"
        and slot not in statement.slots
        and evidence.stated(part, topic, FACT[slot])
    ]
    if described and draws.chance(DESCRIBED_SHARE):
        description = fill(draws.pick(described), {}, {"X": topic})
        # capitalised again at the start of a sentence
        return description[0].lower() + description[1:]
    return draws.pick(names)


MNLI_COLUMNS = (
    "index promptID pairID genre sentence1_binary_parse sentence2_binary_parse sentence1_parse "
    "sentence2_parse "
    "sentence1 sentence2"
).split()


def write_mnli(examples: Iterable[Inference], path: str | Path, annotators: int = 1) -> None:
    """Write a table in MNLI's format.

    annotators: the number of annotator columns, which all agree; MNLI has one in train.tsv and five in
    dev_matched.tsv. The four columns for parses are empty. `pairID` ends in the label's first letter.
    """
    labels = [f"label{number}" for number in range(1, annotators + 1)]

    def rows():
        yield [*MNLI_COLUMNS, *labels, "gold_label"]
        for index, example in enumerate(examples):
            yield [
                index,
                index,
                f"{index}{example.label[0]}",
                example.genre,
                "",
                "",
                "",
                "",
                example.premise,
                example.hypothesis,
                *[example.label] * annotators,
                example.label,
            ]

    write_tsv(rows(), path)


def write_rte(examples: Iterable[Inference], path: str | Path) -> None:
    """Write a table in GLUE's format for RTE: index, sentence1, sentence2, label."""
    header = [("index", "sentence1", "sentence2", "label")]
    rows = (
        (index, example.premise, example.hypothesis, example.label) for index, example in enumerate(examples)
    )
    write_tsv(chain(header, rows), path)
