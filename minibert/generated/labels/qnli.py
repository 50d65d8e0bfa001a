"""Make pairs of a question and a sentence, in the format of QNLI, one pair per document.

Wang et al. (2019, arXiv 1804.07461): GLUE's QNLI pairs the questions of SQuAD (Rajpurkar et al., 2016, arXiv
1606.05250) with single sentences of their passages. Label entailment: the sentence answers the question.
Label not_entailment: the sentence, from the same document, states another fact about the same topic, or the
same fact about another topic. Each of these sentences answers some other question, so no sentence alone
reveals its label.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..sentences.statements import STATEMENTS, Statement
from ..writer.documents import World
from ..writer.draws import Draws
from ..writer.grammar import Page, Topic, fill
from ..writer.questions import ABOUT
from .balanced_examples import LabelBalance, Proposal, collect
from .evidence import Evidence
from .tsv import write_tsv

ASKED = {  # the wordings that ask for a fact and show no other fact
    "birthplace": ABOUT["birthplace"][:2],
    "pet": ABOUT["pet"][2:],
    **{
        slot: ABOUT[slot]
        for slot in "born home trade firm instrument animal founder founded head seat".split()
    },
}
FACTS = tuple(statement for statement in STATEMENTS if statement.derived is None and statement.slot in ASKED)
ANSWER, SAME_TOPIC, SAME_FACT = "answer", "same topic", "same fact"
SHARES = {
    "person": {ANSWER: 4, SAME_TOPIC: 3, SAME_FACT: 1},
    "firm": {ANSWER: 1, SAME_TOPIC: 1},
}  # a document has only one firm
# "What does she do for a living?" "She works for Harlow." It is unclear whether this is an answer.
HALF_ANSWERS = {"trade": ("firm", "instrument")}
UNREAD_KINDS = ("letter", "place")  # the "I" of a letter has no name, and neighbours share a home


@dataclass(frozen=True)
class Answering:
    """A question, a sentence, and a label: entailment if the sentence answers the question."""

    question: str
    sentence: str
    label: str


def answering_examples(world: World, count: int, seed: int, split: str) -> Iterator[Answering]:
    """Yield `count` examples, one per document; for each kind of fact, half of the sentences are answers."""
    draws = world.draws(seed, split, "qnli choices")
    ledgers = {sort: LabelBalance(shares) for sort, shares in SHARES.items()}
    return collect(world, count, seed, split, "qnli", lambda page: _example(page, draws, ledgers))


def _example(page: Page, draws: Draws, ledgers: dict[str, LabelBalance]) -> Proposal | None:
    """Return an example about a fact that the document states, or None if its label is not needed."""
    if page.kind in UNREAD_KINDS:
        return None
    evidence = Evidence(page)
    answers = [
        (i, topic, statement)
        for i in range(len(page.sentences))
        if evidence.clear((i,))
        for topic in page.cast.values()
        if evidence.names((i,), topic)
        for statement in FACTS
        if topic.sort.name == statement.sort and evidence.stated((i,), topic, statement)
    ]
    for i, topic, statement in draws.sample(answers, len(answers)):
        sentences = {ANSWER: [i], **_others(evidence, answers, topic, statement)}
        options = [kind for kind in SHARES[statement.sort] if sentences[kind]]
        for kind in draws.sample(options, len(options)):
            ledger = ledgers[statement.sort]
            if ledger.open(statement.slot, kind):
                question = fill(
                    draws.pick(ASKED[statement.slot]),
                    {"X": draws.pick((topic.full, topic.short))},
                    {"X": topic},
                )
                label = "entailment" if kind == ANSWER else "not_entailment"
                sentence = page.sentences[draws.pick(sentences[kind])]
                return Proposal(
                    ledger, statement.slot, kind, (question, sentence), Answering(question, sentence, label)
                )
    return None


def _others(
    evidence: Evidence, answers: list[tuple[int, Topic, Statement]], topic: Topic, statement: Statement
) -> dict[str, list[int]]:
    """Return the indices of sentences that answer a question about another fact or another topic."""
    untouched = [
        answer
        for answer in answers
        if evidence.untouched((answer[0],), topic, statement)
        and not any(
            evidence.shown((answer[0],), topic, slot) for slot in HALF_ANSWERS.get(statement.slot, ())
        )
    ]
    return {
        SAME_TOPIC: [i for i, other, _ in untouched if other is topic],
        SAME_FACT: [i for i, other, told in untouched if other is not topic and told is statement],
    }


def write_qnli(examples: Iterable[Answering], path: str | Path) -> None:
    """Write a table in GLUE's format for QNLI: index, question, sentence, label."""
    header = [("index", "question", "sentence", "label")]
    rows = (
        (index, example.question, example.sentence, example.label) for index, example in enumerate(examples)
    )
    write_tsv(chain(header, rows), path)
