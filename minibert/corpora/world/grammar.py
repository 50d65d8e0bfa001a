"""Templates to sentences: fills the slots, chooses name or pronoun, and notes where every name and every fact stands.

A template is a sentence with slots. Its subject is X; Y is another person; a plan may give further letters.
    {X}        X as the subject: full name at first, then a short name, "she", or "the baker"
    {X's}      the same as a possessive: "Harlow's", "her"
    {N} {N's}  X by name, never by pronoun        {Y} {Y's}  Y by name
    {home}     a fact of X                        {Y.home}   a fact of Y
    {a trade}  a fact of X with its article       {he} {him} {his}  a pronoun for X, whatever came before
"""

import re
from functools import cache

from .draws import Draws

SLOT = re.compile(r"\{(a )?(?:([A-Z])\.)?([A-Za-z_]+)('s)?\}")
PRONOUN_SHARE = 0.7  # how often a person just spoken of is "she" or "he"
ALIAS_SHARE = 0.15  # how often she is "the baker", a place "the town"


class Topic:
    """Somebody or something that documents speak about.

    `full` is the name at first mention, `short` the name afterwards, `label` its entity type (None: not an entity),
    `slots` its facts: plain text, (name, label) for a named entity, or another Topic. `pronouns` are subject, object
    and possessive. `alias` is the slot which, once told, can stand for the name: a person's trade ("the baker"), a
    place's sort ("the town").
    """

    def __init__(self, full: str, short: str, label: str | None, pronouns: tuple, slots: dict, alias: str):
        self.full, self.short, self.label = full, short, label
        self.slots = slots | dict(zip(("he", "him", "his"), pronouns, strict=True))
        self.alias = alias


@cache
def parse(template: str) -> tuple[tuple, ...]:
    """Cuts a template into pieces (literal, article, owner, slot, possessive); literal is None for a slot."""
    pieces, at = [], 0
    for match in SLOT.finditer(template):
        pieces.append((template[at : match.start()], None, None, None, None))
        article, owner, name, possessive = match.groups()
        if len(name) == 1 and name.isupper():  # a mention: the letter is the owner, X stays free to be a pronoun
            owner, name = ("X", "name") if name == "N" else (name, "X" if name == "X" else "name")
        pieces.append((None, bool(article), owner or "X", name, bool(possessive)))
        at = match.end()
    pieces.append((template[at:], None, None, None, None))
    return tuple(piece for piece in pieces if piece[0] != "")


def _article(noun: str) -> str:
    return "an " if noun[0] in "aeiou" else "a "


class Page:
    """A document while it is written.

    After `say`, `sentences` holds the text, `entities` (start, end, label), `told` maps (topic, slot) to where the fact
    was first stated, (start, text, sentence number), and `mentions` lists the names of a topic as (sentence number,
    start, text).
    """

    def __init__(self, draws: Draws):
        self.draws = draws
        self.sentences: list[str] = []
        self.entities: list[tuple[int, int, str]] = []
        self.told: dict[tuple[Topic, str], tuple[int, str, int]] = {}
        self.mentions: dict[Topic, list[tuple[int, int, str]]] = {}
        self.length = 0
        self._current: Topic | None = None  # whom "she" would mean now
        self._used: set[str] = set()

    def say(self, templates: list[str], X: Topic, **others: Topic) -> None:
        """Writes one of `templates`, a common one (at the front) more often than a rare one.

        Tries as often as there are templates to find one that this document has not used yet.
        """
        template = self.draws.early(templates)
        for _ in range(len(templates)):
            if template not in self._used:
                break
            template = self.draws.early(templates)
        self._used.add(template)
        self._write(parse(template), {"X": X, **others})

    def _write(self, pieces: tuple[tuple, ...], owners: dict[str, Topic]) -> None:
        self._at = self.length
        texts = []
        for literal, article, owner, name, possessive in pieces:
            if literal is not None:
                text = literal
            else:
                if article:
                    texts.append(_article(owners[owner].slots[name]))
                    self._at += len(texts[-1])
                text = self._slot(owners[owner], name, possessive)
            texts.append(text)
            self._at += len(text)
        sentence = "".join(texts)
        self.sentences.append(sentence[0].upper() + sentence[1:])
        self.length = self._at + 1  # one space joins sentences
        self._current = self._clear_subject(pieces, owners)

    def _clear_subject(self, pieces: tuple[tuple, ...], owners: dict[str, Topic]) -> Topic | None:
        """X, if the sentence just written was about X and nobody else in it shares X's pronoun."""
        X = owners["X"]
        others = [topic for letter, topic in owners.items() if letter != "X" and topic.label == "PER"]
        clear = all(topic.slots["he"] != X.slots["he"] for topic in others)
        return X if clear and any(name == "X" for _, _, _, name, _ in pieces) else None

    def _slot(self, topic: Topic, name: str, possessive: bool) -> str:
        if name == "X":
            return self._subject(topic, possessive)
        if name == "name":
            return self._name(topic, "'s" if possessive else "")
        value = topic.slots[name]
        if isinstance(value, str):
            text = value
        elif isinstance(value, Topic):
            self.told.setdefault((topic, name), (self._at, self._next_name(value), len(self.sentences)))
            return self._name(value, "'s" if possessive else "")
        else:
            text, label = value
            self.entities.append((self._at, self._at + len(text), label))
        self.told.setdefault((topic, name), (self._at, text, len(self.sentences)))
        return text + "'s" if possessive else text

    def _subject(self, topic: Topic, possessive: bool) -> str:
        if topic is self._current:
            if self.draws.chance(PRONOUN_SHARE):
                return topic.slots["his" if possessive else "he"]
            if (topic, topic.alias) in self.told and self.draws.chance(ALIAS_SHARE):
                return f"the {topic.slots[topic.alias]}" + ("'s" if possessive else "")
        return self._name(topic, "'s" if possessive else "")

    def _next_name(self, topic: Topic) -> str:
        return topic.short if topic in self.mentions else topic.full

    def _name(self, topic: Topic, ending: str) -> str:
        text = self._next_name(topic)
        self.mentions.setdefault(topic, []).append((len(self.sentences), self._at, text))
        self.entities.append((self._at, self._at + len(text), topic.label))
        return text + ending


def fill(template: str, names: dict[str, str], X: Topic, **others: Topic) -> str:
    """Fills a template outside a document, as questions need it; `names` gives each letter's name."""
    owners = {"X": X, **others}
    texts = []
    for literal, article, owner, name, possessive in parse(template):
        if literal is not None:
            texts.append(literal)
            continue
        if name in ("X", "name"):
            text = names[owner]
        else:
            value = owners[owner].slots[name]
            text = value if isinstance(value, str) else value.short if isinstance(value, Topic) else value[0]
        texts.append((_article(text) if article else "") + text + ("'s" if possessive else ""))
    sentence = "".join(texts)
    return sentence[0].upper() + sentence[1:]
