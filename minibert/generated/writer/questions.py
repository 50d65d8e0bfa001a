"""Ask questions about the facts of a document, with answer spans, in wordings that no document uses.

The words do occur in other documents, so a pretrained model can know what they mean. A question is asked only
if the passage contains another candidate of the answer's type, so it is not enough to find the only name.
"""

from itertools import accumulate
from typing import NamedTuple

from .draws import Draws
from .grammar import Page, Topic, fill, parse

MIN_QUESTIONS, MAX_QUESTIONS = 2, 6  # per document
USUAL_SHARE = 0.95  # how often the first wording is chosen

ABOUT = {  # slot -> wordings whose answer is the slot's value
    "birthplace": [
        "What is {X's} birthplace?",
        "Which place does {X} come from?",
        "In which place did {X's} life begin?",
    ],
    "born": [
        "What is {X's} year of birth?",
        "When did {X} come into the world?",
        "When did {X's} life begin?",
    ],
    "home": ["Where does {X} live?", "Where is {X's} home now?", "In which place does {X} live now?"],
    "moved": [
        "When did {home} become {X's} home?",
        "When did {X} come to {home}?",
        "Since when has {X} lived in {home}?",
    ],
    "trade": ["What is {X's} trade?", "What does {X} do for a living?", "What is the work of {X}?"],
    "firm": ["Who is {X's} employer?", "Which firm pays {X}?", "At which firm does {X} have a job?"],
    "joined": [
        "When did {X} start at {firm}?",
        "Since when has {firm} paid {X}?",
        "When was {X} hired by {firm}?",
    ],
    "instrument": [
        "Which instrument does {X} play?",
        "What is {X's} instrument?",
        "On which instrument does {X} make music?",
    ],
    "animal": [
        "Which animal lives with {X}?",
        "What kind of animal is {X's} pet?",
        "Which animal belongs to {X}?",
    ],
    "pet": [
        "What is the name of {X's} {animal}?",
        "What name has {X} given the {animal}?",
        "What is {X's} pet called?",
    ],
    "met": [
        "When did the two meet?",
        "In which year did the two meet?",
        "Since when have the two known each other?",
    ],
    "river": [
        "On which river is {X}?",
        "What is the name of the river of {X}?",
        "Beside which river is {X}?",
    ],
    "near": [
        "Which place is not far from {X}?",
        "Which place is next to {X}?",
        "Which place is a neighbour of {X}?",
    ],
    "built": [
        "When did {X} get its {building}?",
        "In which year was the {building} built?",
        "Since when has {X} had {a building}?",
    ],
    "fair": [
        "When did the fair begin?",
        "When was the first {animal} fair?",
        "Since when has there been a fair in {X}?",
    ],
    "founder": ["Who was the founder of {X}?", "Who started {X}?", "Who was the first to open {X}?"],
    "founded": ["When did {X} begin?", "When was {X} opened?", "In which year did {X} start?"],
    "seat": ["Where is {X} now?", "To which place did {X} move?", "Where does one find {X}?"],
    "oldseat": ["Where was {X} at first?", "Which place did {X} leave?", "From which place did {X} move?"],
    "shifted": ["When did {X} move?", "When did {X} come to {seat}?", "When did {X} leave {oldseat}?"],
    "head": ["Who is the head of {X}?", "Who runs {X} now?", "Who is in charge of {X}?"],
    "since": [
        "When did {head} become the head?",
        "When did {X} get a new head?",
        "Since when has {head} run {X}?",
    ],
    "rival": [
        "Who is the enemy of {X}?",
        "Which firm has {X} fought for years?",
        "What is the name of {X's} rival?",
    ],
    "town": ["Where is {X}?", "In which place is {X}?", "In which place does one find {X}?"],
    "object": ["What was lost?", "What was missing?", "What was gone?"],
    "spot": ["Where was the {object}?", "Where was the {object} found?", "In which place was the {object}?"],
    "finder": [
        "Who found the {object} in the end?",
        "Who saw where the {object} was?",
        "By whom was the {object} found?",
    ],
    "reader": ["Who gets this letter?", "To whom is the letter?", "Who is the friend that gets the letter?"],
    "writer": ["Who wrote this letter?", "Whose letter is it?", "From whom is the letter?"],
}

WHO = {  # fact -> wordings whose answer is the person
    "birthplace": [
        "Who comes from {birthplace}?",
        "Whose birthplace is {birthplace}?",
        "Whose life began in {birthplace}?",
    ],
    "born": ["Who was born in {born}?", "Who came into the world in {born}?", "Whose life began in {born}?"],
    "home": ["Who lives in {home}?", "Whose home is {home}?", "Who has a house in {home}?"],
    "trade": ["Who works as {a trade}?", "Who earns a living as {a trade}?", "Which of them is the {trade}?"],
    "product": [
        "Who can {make} {product}?",
        "Who knows how to {make} {product}?",
        "Which of them {makes} {product}?",
    ],
    "shop": ["Who works in the {shop}?", "Whose is the {shop}?", "To whom does the {shop} belong?"],
    "firm": ["Who has a job at {firm}?", "Who is paid by {firm}?", "Whose employer is {firm}?"],
    "instrument": [
        "Who can play the {instrument}?",
        "Who makes music on the {instrument}?",
        "Whose instrument is the {instrument}?",
    ],
    "animal": ["Who owns {a animal}?", "Whose pet is the {animal}?", "To whom does the {animal} belong?"],
    "pet": ["Who is the owner of {pet}?", "Who lives with {pet}?", "To whom does {pet} belong?"],
}

TYPES = {  # type -> slots whose values are candidates for the same question
    "place": "birthplace home river near seat oldseat town",
    "date": "born moved joined met built fair founded shifted since",
    "firm": "firm rival",
    "trade": "trade dream",
    "product": "product",
    "shop": "shop",
    "instrument": "instrument",
    "animal": "animal",
    "pet": "pet",
    "object": "object decoy",
    "spot": "spot nospot",
    "person": "founder head finder reader writer",
}
KIND_OF: dict[str | None, str] = {"PER": "person", "LOC": "place", "ORG": "firm"}  # entity type -> type
TYPE_OF = {slot: kind for kind, slots in TYPES.items() for slot in slots.split()}
FIRST_PERSON = ("letter open", "letter tell")  # families in which somebody writes about "me"
# facts that are only hinted at: somebody who warns all of Ashby may not live there, and
# somebody who comes by with a goose may not own it.
HINTS = (("talk aside", "home"), ("review end", "home"), ("day help", "animal"))


class UnstatedFact(NamedTuple):
    """The conditions for asking an impossible question, about a fact that the passage does not state.

    `hints` are facts from which one could guess an answer, so the passage must not state them either. `takes`
    is a fact that the question presupposes, so the passage must state it. `share` is the relative frequency
    of this question among those possible for a passage.
    """

    hints: str = ""
    takes: str = ""
    share: float = 1.0


GAPS = {
    "birthplace": UnstatedFact(hints="home", share=0.6),
    "born": UnstatedFact(share=0.3),
    "home": UnstatedFact(),
    "moved": UnstatedFact(takes="home"),
    "trade": UnstatedFact(hints="tool make makes made product shop stuff bits handles"),
    "firm": UnstatedFact(),
    "joined": UnstatedFact(takes="firm"),
    "instrument": UnstatedFact(hints="player part tune"),
    "animal": UnstatedFact(hints="pet habit habit_past food den young"),
}
# (kind of document, slot): a witness may live in the town of the news, and a reporter has that trade.
HALF_TOLD = (("news", "home"), ("talk", "trade"))
OFFICES = ("founder", "head")  # a firm may also pay the person who holds one of these


def _candidates(page: Page) -> dict[str, set[str]]:
    """Return the values and topics that the passage names, by type of answer, such as "date"."""
    seen: dict[str, set] = {kind: set() for kind in TYPES}
    for (_, slot), (_, text, _) in page.told.items():
        if slot in TYPE_OF:
            seen[TYPE_OF[slot]].add(text)
    for topic in page.mentions:
        kind = KIND_OF[topic.label]
        seen[kind].add(topic if kind == "person" else topic.full)
    return seen


def _named(page: Page, topic: Topic, sentence: int) -> list[tuple[str, int]]:
    """Return (name, start) for all names of `topic`: the one nearest to a sentence, then the others in order.

    The nearest name is in the sentence, else before it, else after it. "Harlow" in "Mira Harlow" also counts.
    """
    mentions = page.mentions[topic]
    before = [mention for mention in mentions if mention[0] <= sentence]
    found: dict[str, int] = {}
    for _, start, text in [before[-1] if before else mentions[0], *mentions]:
        found.setdefault(text, start)
        for word in text.split() if topic.label == "PER" else ():
            found.setdefault(word, start + text.index(word))
    return list(found.items())


def _only(page: Page, topic: Topic, slot: str) -> bool:
    """Return True if `topic` is a person and nobody else in the passage has the same value of a fact."""
    people = [other for other in page.mentions if other.label == "PER"]
    return topic in people and sum(other.fact(slot) == topic.fact(slot) for other in people) == 1


def _tells(page: Page, topic: Topic, slot: str, sentence: int) -> bool:
    """Return True unless sentence number `sentence` only hints at the topic's fact `slot`.

    "A good baker never counts the crumbs" does not say who is a baker.
    """
    family, _ = page.lists[sentence]
    if (family, slot) in HINTS or slot in WHO and topic.label != "PER":  # an animal of a town is not a pet
        return False
    slots = [element for element in parse(page.templates[sentence]) if element.text is None]
    letters = {element.letter for element in slots if element.slot == slot}
    # None in `near` means that the topic itself is mentioned.
    near = {element.slot for element in slots if element.letter in letters}
    if slot == "product" and not near & {"make", "makes", "made"}:
        return False
    return None in near or family in FIRST_PERSON or topic.label is None


def is_stated(page: Page, topic: Topic, slot: str) -> bool:
    """Return True if a sentence states a topic's fact (slot), rather than only hinting at it."""
    return (topic, slot) in page.told and _tells(page, topic, slot, page.told[topic, slot][2])


def _asked(page: Page, draws: Draws, wordings: list[str], topic: Topic) -> str:
    """Return a question: one of `wordings`, mostly the first, with the topic's full or short name."""
    full = topic in page.mentions and draws.chance(0.5)
    wording = wordings[0] if draws.chance(USUAL_SHARE) else draws.pick(wordings[1:])
    return fill(wording, {"X": topic.full if full else topic.short}, {"X": topic})


def values(page: Page, topic: Topic, slot: str) -> list[tuple[str, int]]:
    """Return the correct answers as (text, start): a fact's value where first stated, then its other names.

    Other names are a person's first name, for example, or "Ashby" for a firm called "Ashby and Partners".
    """
    start, text, _ = page.told[topic, slot]
    fact = topic.fact(slot)
    if isinstance(fact, Topic):
        return [(text, start)] + [named for named in _named(page, fact, 0) if named[0] != text]
    short = text.partition(" ")[0]
    return [(text, start)] + [(short, start)] * (TYPE_OF[slot] == "firm" and short != text)


def find_questions(page: Page, draws: Draws) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return up to MAX_QUESTIONS pairs (question, [(answer, start), ...]) in random order, best answer first.

    Questions about facts that are only hinted at are drawn too and removed at the end, so the others do not
    depend on them. If fewer than MIN_QUESTIONS remain, more are drawn, as far as the text allows.
    """
    seen = _candidates(page)
    options = []
    for (topic, slot), (_, _, sentence) in page.told.items():
        rivals = len(seen[TYPE_OF[slot]]) - (topic.full in seen[TYPE_OF[slot]]) if slot in TYPE_OF else 0
        if slot in ABOUT and rivals > 1:
            options.append(
                (_tells(page, topic, slot, sentence), ABOUT[slot], topic, values(page, topic, slot))
            )
        if slot in WHO and len(seen["person"]) > 1 and _only(page, topic, slot):
            options.append(
                (_tells(page, topic, slot, sentence), WHO[slot], topic, _named(page, topic, sentence))
            )
    drawn = draws.sample(options, min(MAX_QUESTIONS, len(options)))
    asked = [
        (tells, (_asked(page, draws, wordings, topic), answers)) for tells, wordings, topic, answers in drawn
    ]
    found = [question for tells, question in asked if tells]
    if len(found) < MIN_QUESTIONS:
        left = [option for option in options if option[0] and option not in drawn]
        more = draws.sample(left, min(len(left), MIN_QUESTIONS - len(found)))
        found += [(_asked(page, draws, wordings, topic), answers) for _, wordings, topic, answers in more]
    return found


def find_impossible(page: Page, draws: Draws) -> str | None:
    """Return a question about a person that the passage does not answer, or None.

    The passage contains wrong answers of the right type.
    """
    seen = _candidates(page)
    guessed = {(topic.fact(slot), "firm") for topic, slot in page.told if slot in OFFICES}
    options: dict[str, list[Topic]] = {}
    for topic in (topic for topic in page.mentions if topic.label == "PER"):
        for slot, gap in GAPS.items():
            if (
                seen[TYPE_OF[slot]]
                and (topic, slot) not in guessed
                and (page.kind, slot) not in HALF_TOLD
                and (not gap.takes or is_stated(page, topic, gap.takes))
                and not any((topic, told) in page.told for told in (slot, *gap.hints.split()))
            ):
                options.setdefault(slot, []).append(topic)
    if not options:
        return None
    slot = list(options)[draws.weighted(list(accumulate(GAPS[slot].share for slot in options)))]
    return _asked(page, draws, ABOUT[slot], draws.pick(options[slot]))
