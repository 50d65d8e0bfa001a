"""Questions about what a document told, each with its answer span, in wordings that no document uses.

A question is asked only when the passage names another candidate of the answer's type, so that finding the only name is
not enough.
"""

from .draws import Draws
from .grammar import Page, Topic, fill

MAX_QUESTIONS = 6  # for one document

ABOUT = {  # slot -> wordings whose answer is the slot's value
    "birthplace": [
        "What is {X's} birthplace?", "Which place did {X} come from originally?",
        "Where did {X} first see the light of day?",
    ],
    "born": [
        "When did {X} first see the light of day?", "What is {X's} year of birth?",
        "When did {X} take a first breath?",
    ],
    "home": [
        "Where is {X's} present home?", "Which place did {X} choose to live in?", "Where does one find {X} nowadays?",
    ],
    "moved": [
        "When did {X} arrive in {home}?", "When did {X} begin a new life in {home}?",
        "When did {home} become {X's} home?",
    ],
    "trade": ["What is {X's} profession?", "What does {X} do for a living?", "Which craft has {X} chosen?"],
    "firm": [
        "Which company employs {X}?", "What is the name of {X's} employer?",
        "On which company does {X} depend for money?",
    ],
    "joined": ["When did {X} start at {firm}?", "When was {X} new at {firm}?", "When was {X} taken on by {firm}?"],
    "instrument": [
        "Which instrument can {X} play?", "On what does {X} make music?", "What kind of instrument has {X} chosen?",
    ],
    "animal": [
        "What kind of animal belongs to {X}?", "Which animal does {X} look after?",
        "What sort of creature is {X's} pet?",
    ],
    "pet": ["What is the name of {X's} animal?", "Which name does {X's} pet have?", "What does {X} call the {animal}?"],
    "met": [
        "When did {X} get to know the other person?", "When did the two become acquainted?",
        "When did {X} make a friend?",
    ],
    "river": ["Which river passes {X}?", "Which water flows by {X}?", "On the banks of which river does {X} stand?"],
    "near": [
        "Which place is closest to {X}?", "What other place is not far from {X}?",
        "Where does one get to first when leaving {X}?",
    ],
    "built": [
        "When did {X} receive its {building}?", "From which year is the {building} in {X}?",
        "In which year was the {building} new?",
    ],
    "fair": [
        "When did the {animal} fair begin?", "How far back does the fair in {X} go?",
        "In which year was the fair held for the first time?",
    ],
    "founder": ["Who created {X}?", "Whose idea was {X}?", "To whom does {X} owe its existence?"],
    "founded": ["When did {X} come into being?", "What year marks the start of {X}?", "In which year was {X} created?"],
    "seat": [
        "Where can customers find {X} today?", "Which place has {X} chosen for its offices?",
        "Where is {X} at home now?",
    ],
    "oldseat": [
        "Where was {X} before its move?", "Which place did {X} give up?", "Where did {X} have its offices at first?",
    ],
    "shifted": [
        "When did {X} change its address?", "When did {X} arrive in {seat}?", "When did {X} give up {oldseat}?",
    ],
    "head": ["Who leads {X} now?", "Who is the boss of {X}?", "Whose orders does {X} follow today?"],
    "since": [
        "When did {head} become the boss?", "When did {head} begin to lead {X}?",
        "When did the present boss of {X} start?",
    ],
    "rival": [
        "Which company competes with {X}?", "Whom does {X} have to fear in business?",
        "What is the name of {X's} competitor?",
    ],
    "object": ["What was lost?", "Which thing did they search for?", "What had to be found?"],
    "spot": [
        "Where was the lost thing hidden?", "Where had the {object} been all the time?",
        "In what place was the {object} hiding?",
    ],
    "finder": [
        "Who solved the mystery of the {object}?", "Whose eyes spotted the {object} first?",
        "Thanks to whom did the {object} turn up?",
    ],
    "reader": [
        "To whom is the letter addressed?", "Who will receive this letter?", "For whom was this letter written?",
    ],
    "writer": ["Who wrote this letter?", "Whose letter is this?", "From whom is this letter?"],
}

WHO = {  # slot -> wordings whose answer is the person
    "birthplace": [
        "Who is a native of {birthplace}?", "Whose birthplace is {birthplace}?",
        "Who spent the first years in {birthplace}?",
    ],
    "born": [
        "Whose year of birth is {born}?", "Who saw the light of day in {born}?", "Who arrived as a baby in {born}?",
    ],
    "home": ["Whose home is {home}?", "Who can be visited in {home}?", "Who has chosen {home} to live in?"],
    "trade": [
        "Which person is the {trade}?", "Whose profession is that of {a trade}?",
        "Who would help if one needed {a trade}?",
    ],
    "product": [
        "Who supplies people with {product}?", "From whom would one buy {product}?", "Whose hands turn out {product}?",
    ],
    "shop": [
        "Whose place of work is the {shop}?", "Who can be met in the {shop}?", "Who is in charge of the {shop}?",
    ],
    "firm": ["Who is employed by {firm}?", "Whose employer is {firm}?", "Which person depends on {firm} for money?"],
    "instrument": [
        "Whose instrument is the {instrument}?", "Who makes music on the {instrument}?",
        "Which person can play the {instrument}?",
    ],
    "animal": [
        "Who is the owner of the {animal}?", "To whom does the {animal} belong?", "Whose creature is the {animal}?",
    ],
    "pet": ["Whose pet is {pet}?", "To whom does {pet} belong?", "Who looks after {pet}?"],
}

TYPES = {  # slot -> type of its value: candidates of the same type compete
    "place": "birthplace home river near seat oldseat",
    "date": "born moved joined met built fair founded shifted since day",
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
TYPE_OF = {slot: kind for kind, slots in TYPES.items() for slot in slots.split()}
UNKNOWN_SLOTS = ("birthplace", "born", "firm", "instrument", "animal")  # asked where the passage does not tell them


def _candidates(page: Page) -> dict[str, set[str]]:
    """All values of each type that the passage names."""
    seen: dict[str, set] = {kind: set() for kind in TYPES}
    for (_, slot), (_, text, _) in page.told.items():
        if slot in TYPE_OF:
            seen[TYPE_OF[slot]].add(text)
    for topic in page.mentions:
        kind = {"PER": "person", "LOC": "place", "ORG": "firm"}[topic.label]
        seen[kind].add(topic if kind == "person" else topic.full)
    return seen


def _named(page: Page, topic: Topic, sentence: int) -> list[tuple[str, int]]:
    """The name of `topic` nearest to a sentence (in it, else before, else after), then its full name if different."""
    mentions = page.mentions[topic]
    before = [mention for mention in mentions if mention[0] <= sentence]
    _, start, text = before[-1] if before else mentions[0]
    _, first, full = mentions[0]
    return [(text, start)] + ([(full, first)] if full != text else [])


def _only(page: Page, topic: Topic, slot: str) -> bool:
    """True for a person of the passage with whom nobody else in it shares this fact (neighbours share a home)."""
    people = [other for other in page.mentions if other.label == "PER"]
    return topic in people and sum(other.slots[slot] == topic.slots[slot] for other in people) == 1


def _asked(page: Page, draws: Draws, wordings: list[str], topic: Topic) -> str:
    """A wording filled with the topic's name: the full one or the short one."""
    full = topic in page.mentions and draws.chance(0.5)
    return fill(draws.pick(wordings), {"X": topic.full if full else topic.short}, topic)


def find_questions(page: Page, draws: Draws) -> list[tuple[str, list[tuple[str, int]]]]:
    """Up to MAX_QUESTIONS (question, [(answer, start), ...]) in random order; the best answer comes first."""
    seen = _candidates(page)
    options = []
    for (topic, slot), (start, text, sentence) in page.told.items():
        rivals = len(seen[TYPE_OF[slot]]) - (topic.full in seen[TYPE_OF[slot]]) if slot in TYPE_OF else 0
        if slot in ABOUT and rivals > 1:
            options.append((ABOUT[slot], topic, slot, start, text, sentence))
        if slot in WHO and len(seen["person"]) > 1 and _only(page, topic, slot):
            options.append((WHO[slot], topic, None, start, text, sentence))
    found = []
    for wordings, topic, slot, start, text, sentence in draws.sample(options, min(MAX_QUESTIONS, len(options))):
        if slot is None:
            answers = _named(page, topic, sentence)
        elif isinstance(topic.slots[slot], Topic):
            answers = [(text, start)] + [named for named in _named(page, topic.slots[slot], 0) if named[0] != text]
        else:
            answers = [(text, start)]
        found.append((_asked(page, draws, wordings, topic), answers))
    return found


def find_impossible(page: Page, draws: Draws) -> str | None:
    """A question about a person that the passage does not answer, although it names candidates of the right type."""
    seen = _candidates(page)
    people = [topic for topic in page.mentions if topic.label == "PER"]
    unknown = [(topic, slot) for topic in people for slot in UNKNOWN_SLOTS if (topic, slot) not in page.told]
    options = [(topic, slot) for topic, slot in unknown if seen[TYPE_OF[slot]]]
    if not options:
        return None
    topic, slot = draws.pick(options)
    return _asked(page, draws, ABOUT[slot], topic)
