"""Make questions that need two sentences: one identifies a person, the other has the answer.

They are like HotpotQA's (Yang et al. 2018, arXiv 1809.09600), but in the format of SQuAD: "Where does the
owner of Pipkin live?" No sentence contains both facts, and the passage also says where somebody else lives,
so neither fact alone is enough.
"""

from collections.abc import Iterator
from itertools import islice

from ..writer.documents import Document, Entity, Question, World
from ..writer.draws import Draws
from ..writer.grammar import Page, Topic, fill
from ..writer.questions import is_stated, values
from .balanced_examples import TEXT_PARTS, belongs

DESCRIPTIONS = {  # fact -> description of its owner
    "birthplace": "the one who comes from {birthplace}",
    "born": "the one who was born in {born}",
    "home": "the one who lives in {home}",
    "trade": "the {trade}",
    "firm": "the one who works for {firm}",
    "instrument": "the one who plays the {instrument}",
    "pet": "the owner of {pet}",
}
ASKED = {  # fact -> question about the described person
    "birthplace": "Where was {N} born?",
    "born": "In which year was {N} born?",
    "home": "Where does {N} live?",
    "trade": "What does {N} do for a living?",
    "firm": "Which firm pays {N}?",
    "instrument": "Which instrument does {N} play?",
    "animal": "Which animal does {N} own?",
}


def two_hop_documents(world: World, count: int, seed: int, split: str = "train") -> Iterator[Document]:
    """Yield `count` documents, each with one question whose answer combines two facts."""
    return (document for document, _ in islice(_documents(world, seed, split), count))


def answers_for_all(world: World, count: int, seed: int, split: str = "train") -> Iterator[list[str]]:
    """Yield, for each question of `two_hop_documents`, the answers for all people in the passage.

    A reader who recognises the kind of answer but not the person must guess among these.
    """
    return (answers for _, answers in islice(_documents(world, seed, split), count))


def _documents(world: World, seed: int, split: str) -> Iterator[tuple[Document, list[str]]]:
    draws = world.draws(seed, split, "two-hop labels")
    for page in world.pages(10**12, seed, split, stream="two hops"):
        found = _question(page, draws)
        if found is not None and belongs(split, " ".join(page.sentences), TEXT_PARTS):
            entities = [Entity(*each) for each in page.entities]
            yield Document(page.kind, page.sentences, entities, [found[0]]), found[1]


def _question(page: Page, draws: Draws) -> tuple[Question, list[str]] | None:
    """Return a question about a person, and the answers for all people; None if no question is possible."""
    people = [topic for topic in page.mentions if topic.label == "PER"]
    options = [
        (topic, known, asked)
        for topic in people
        for known in DESCRIPTIONS
        for asked in ASKED
        if known != asked
        and is_stated(page, topic, known)
        and is_stated(page, topic, asked)
        and any(
            is_stated(page, other, asked) and other.fact(asked) != topic.fact(asked)
            for other in people
            if other is not topic
        )
        and not any(
            (other, known) in page.told and other.fact(known) == topic.fact(known)
            for other in people
            if other is not topic
        )
        and not _sentences(page, topic, known) & _sentences(page, topic, asked)
    ]
    if not options:
        return None
    topic, known, asked = draws.pick(options)
    who = fill(DESCRIPTIONS[known], {}, {"X": topic})
    question = Question(
        fill(ASKED[asked], {"X": who[0].lower() + who[1:]}, {"X": topic}), values(page, topic, asked)
    )
    told = [topic, *(other for other in people if other is not topic and is_stated(page, other, asked))]
    return question, [values(page, person, asked)[0][0] for person in told]


def _sentences(page: Page, topic: Topic, slot: str) -> set[int]:
    """Return the indices of the sentences that show the fact `slot` about a topic."""
    atoms = {(atom.variable, atom.pool) for atom in topic.sort.phrase(slot).atoms}
    return {
        span.sentence
        for span in page.spans
        if span.topic is topic
        and atoms
        & {(atom.variable, atom.pool) for atom in getattr(topic.sort.slots.get(span.slot), "atoms", ())}
    }
