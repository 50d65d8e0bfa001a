"""Turn templates into sentences: fill in facts, names and pronouns, and record their positions.

A template is a sentence (or a question with its answer) with slots. Its subject is X; a plan may provide more
letters.
    {X}        X as the subject: first the full name, then a short name, "she", or "the baker"
    {X's}      the same as a possessive: "Harlow's", "her"
    {N} {N's}  X by name, never by pronoun        {Y} {Y's}  Y by name
    {home}     a fact of X                        {Y.home}   a fact of Y
    {a trade}  a fact of X with its article       {he} {him} {his}  a pronoun for X, regardless of context

`posterior` applies these rules in reverse, and uses the probabilities and `Voice` from this module.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, Protocol

from ..sentences.sorts import FULL_THEN_FIRST, SURNAME, Atom, Pool, Ref, Sort
from .draws import Draws

SLOT = re.compile(r"\{(a )?(?:([A-Z])\.)?([A-Za-z_]+)('s)?\}")
PRONOUN_SHARE = 0.7  # how often the topic of the previous sentence becomes "she", "he" or "it"
ALIAS_SHARE = 0.05  # how often it becomes "the baker" or "the town", once the text has said so


class Element(NamedTuple):
    """A part of a template: plain `text`, or a gap for a fact (slot) of the topic `letter`.

    If `slot` is None, the topic itself is mentioned. If `subject` is True, the mention may be a pronoun.
    """

    text: str | None
    letter: str = "X"
    slot: str | None = None
    article: bool = False
    possessive: bool = False
    subject: bool = False


@cache
def parse(template: str) -> tuple[Element, ...]:
    """Split a template into its Elements, plain texts and gaps, in reading order."""
    elements, at = [], 0
    for match in SLOT.finditer(template):
        elements.append(Element(template[at : match.start()]))
        article, letter, name, possessive = match.groups()
        if len(name) == 1 and name.isupper():
            subject, letter, slot = name == "X", "X" if name == "N" else name, None
        else:
            subject, letter, slot = False, letter or "X", name
        elements.append(Element(None, letter, slot, bool(article), bool(possessive), subject))
        at = match.end()
    elements.append(Element(template[at:]))
    return tuple(element for element in elements if element.text != "")


def article(noun: str) -> str:
    """Return "a" or "an", whichever fits before a noun."""
    return "an" if noun[0] in "aeiou" else "a"


class Voice(NamedTuple):
    """A way to mention a topic ("pronoun", "alias" or "name"), with its probability."""

    form: str
    share: float


def voices(subject: bool, current: bool, alias_told: bool) -> tuple[Voice, ...]:
    """Return the ways in which a sentence can mention a topic, with their probabilities.

    subject: whether the topic is the sentence's subject. current: whether the previous sentence was about it,
    so that a pronoun is clear. alias_told: whether the text has stated the fact behind its alias.
    """
    if not (subject and current):
        return (Voice("name", 1.0),)
    if not alias_told:
        return Voice("pronoun", PRONOUN_SHARE), Voice("name", 1 - PRONOUN_SHARE)
    return (
        Voice("pronoun", PRONOUN_SHARE),
        Voice("alias", ALIAS_SHARE),
        Voice("name", 1 - PRONOUN_SHARE - ALIAS_SHARE),
    )


class Topic:
    """A person or thing that a document is about. Its facts are drawn when they are first needed.

    `links` lists the facts (slots) that the topic shares with another, such as the home of two neighbours.
    """

    def __init__(self, sort: Sort, cast: "Cast", links: dict[str, tuple["Topic", str]] | None = None):
        self.sort, self.label, self.alias = sort, sort.label, sort.alias
        self._cast, self._links = cast, links or {}
        self._rows: dict[str, int] = {}
        self._texts: dict[str, str] = {}

    def row(self, variable: str, pool: str) -> int:
        """Return the index in `pool` of the value of the topic's `variable`, drawn on first use."""
        if variable not in self._rows:
            self._rows[variable] = self._cast.draw(pool)
        return self._rows[variable]

    def text(self, slot: str) -> str:
        """Return the text of one of the topic's facts, such as a person's birthplace.

        slot: the name of the fact. Raises KeyError if this sort of topic does not have it.
        """
        if slot not in self._texts:
            self._texts[slot] = " ".join(text for _, _, text in self.parts(slot))
        return self._texts[slot]

    def parts(self, slot: str) -> list[tuple["Topic", Atom, str]]:
        """Return (topic, Atom, text) for each part of a fact that has a text, such as prefix and name."""
        if slot in self._links:
            topic, name = self._links[slot]
            return topic.parts(name)
        pools = self._cast.pools
        shown = [
            (
                atom,
                pools[atom.pool].rows[self.row(atom.variable, atom.pool)][
                    pools[atom.pool].forms.index(atom.form)
                ],
            )
            for atom in self.sort.phrase(slot).atoms
        ]
        return [(self, atom, text) for atom, text in shown if text]

    def certain(self, slot: str) -> bool:
        """Return True if a fact can have only one value, such as the pronoun of a thing."""
        phrase = self.sort.slots[slot]
        return not isinstance(phrase, Ref) and all(
            len(self._cast.pools[atom.pool].rows) == 1 for atom in phrase.atoms
        )

    def fact(self, slot: str) -> "str | Topic":
        """Return the text of a fact, or the topic that is the fact's value, such as a person's friend."""
        phrase = self.sort.slots[slot]
        if not isinstance(phrase, Ref):
            return self.text(slot)
        if phrase.variable is None:
            return self._cast[phrase.letters[0]]
        if phrase.variable not in self._rows:
            self._rows[phrase.variable] = self._cast.draws.index(len(phrase.letters))
        return self._cast[phrase.letters[self._rows[phrase.variable]]]

    def name(self, first: bool) -> str:
        """Return the topic's name for its first mention or a later one ("" if it has none, like a story)."""
        if self.label != "PER":
            return self.text("name") if self.label else ""
        style = self.row("style", "style")
        if style == SURNAME:
            return self.text("last")
        if first:
            return f"{self.text('first')} {self.text('last')}"
        return self.text("first" if style == FULL_THEN_FIRST else "last")

    @property
    def full(self) -> str:
        """Return the name that is used for the first mention."""
        return self.name(first=True)

    @property
    def short(self) -> str:
        """Return the name that is used for later mentions."""
        return self.name(first=False)


class Cast(dict):
    """A dict that maps the letters in a document's plan to topics.

    No two facts of a document have the same value, unless their pool has weights.
    """

    def __init__(self, draws: Draws, pools: dict[str, Pool], sums: dict[str, list[float]]):
        super().__init__()
        self.draws, self.pools, self._sums = draws, pools, sums
        self._taken: dict[str, set[int]] = {}

    def draw(self, pool: str) -> int:
        """Return the index of a random value of a pool, one not yet drawn unless the pool has weights."""
        if pool in self._sums:
            return self.draws.weighted(self._sums[pool])
        taken = self._taken.setdefault(pool, set())
        row = self.draws.fresh(len(self.pools[pool].rows), taken)
        taken.add(row)
        return row


class Span(NamedTuple):
    """A part of a text that shows a fact or mentions a topic: its position, sentence, topic and slot.

    For a mention, the slot is "name" or "pronoun".
    """

    start: int
    end: int
    sentence: int
    topic: Topic
    slot: str


class Page:
    """A document that is being written.

    `kind` is the kind of document, and `cast` holds its topics by letter. `say` adds a sentence and updates:

    - `sentences`, their `templates`, and `lists`, the (family, key) of the list of each template;
    - `entities` (start, end, label) and `spans`, one for every slot, in reading order;
    - `told`, which maps (topic, slot) to the first statement of the fact (start, text, sentence number);
    - `mentions`, which maps a topic to its names (sentence number, start, text).
    """

    def __init__(self, draws: Draws, kind: str, cast: Cast):
        self.draws, self.kind, self.cast = draws, kind, cast
        self.sentences: list[str] = []
        self.lists: list[tuple[str, str]] = []
        self.templates: list[str] = []
        self.entities: list[tuple[int, int, str]] = []
        self.spans: list[Span] = []
        self.told: dict[tuple[Topic, str], tuple[int, str, int]] = {}
        self.mentions: dict[Topic, list[tuple[int, int, str]]] = {}
        self.length = 0
        self._named: list[Topic] = []  # in the sentence being written
        self._current: Topic | None = None  # the topic that "she" would refer to now

    def say(self, template: str, cast: dict[str, Topic], source: tuple[str, str]) -> None:
        """Add a sentence, made from a template. cast: the topic for each letter in the template.

        source: (family, key) of the template's list.
        """
        self.lists.append(source)
        self.templates.append(template)
        self._at, self._named = self.length, []
        subject, texts = False, []
        for element in parse(template):
            text = element.text
            if text is None:
                topic = cast[element.letter]
                if element.slot is None:
                    text = self._mention(topic, element)
                    subject |= element.subject
                elif isinstance(fact := topic.fact(element.slot), Topic):
                    self.told.setdefault(
                        (topic, element.slot), (self._at, self._next_name(fact), len(self.sentences))
                    )
                    text = self._name(fact, element.possessive)
                else:
                    if element.article:
                        texts.append(article(fact) + " ")
                        self._at += len(texts[-1])
                    text = self._fact(topic, element.slot, fact, element.possessive)
            texts.append(text)
            self._at += len(text)
        sentence = "".join(texts)
        self.sentences.append(sentence[0].upper() + sentence[1:] if sentence[0] != '"' else sentence)
        self.length = self._at + 1  # one space joins sentences
        self._current = cast["X"] if subject and self._clear(cast["X"]) else None

    def _clear(self, subject: Topic) -> bool:
        """Return True unless the current sentence names another topic with the same pronoun as `subject`."""
        return all(topic.text("he") != subject.text("he") for topic in self._named if topic is not subject)

    def _fact(self, topic: Topic, slot: str, text: str, possessive: bool) -> str:
        label = topic.sort.phrase(slot).label
        if label is not None:
            self.entities.append((self._at, self._at + len(text), label))
        self.spans.append(Span(self._at, self._at + len(text), len(self.sentences), topic, slot))
        self.told.setdefault((topic, slot), (self._at, text, len(self.sentences)))
        return text + "'s" if possessive else text

    def _mention(self, topic: Topic, element: Element) -> str:
        form = "name"
        if element.subject and topic is self._current:
            options = voices(True, True, (topic, topic.alias) in self.told)
            form = options[self.draws.weighted(_sums(options))].form
        if form == "name":
            return self._name(topic, element.possessive)
        if form == "alias":
            assert topic.alias is not None
            text = "the " + topic.text(topic.alias)
            self.spans.append(
                Span(self._at + 4, self._at + len(text), len(self.sentences), topic, topic.alias)
            )
            return text + "'s" if element.possessive else text
        text = topic.text("his" if element.possessive else "he")
        self.spans.append(Span(self._at, self._at + len(text), len(self.sentences), topic, "pronoun"))
        return text

    def _next_name(self, topic: Topic) -> str:
        return topic.name(first=topic not in self.mentions)

    def _name(self, topic: Topic, possessive: bool) -> str:
        assert topic.label is not None, topic.sort.name
        text = self._next_name(topic)
        self.mentions.setdefault(topic, []).append((len(self.sentences), self._at, text))
        self._named.append(topic)
        self.entities.append((self._at, self._at + len(text), topic.label))
        self.spans.append(Span(self._at, self._at + len(text), len(self.sentences), topic, "name"))
        return text + "'s" if possessive else text


@cache
def _sums(options: tuple[Voice, ...]) -> tuple[float, ...]:
    total, sums = 0.0, []
    for option in options:
        total += option.share
        sums.append(total)
    return tuple(sums)


class Facts(Protocol):
    """An object with texts for the gaps of a template, such as a Topic."""

    def fact(self, slot: str) -> str | Topic: ...


def fill(template: str, names: Mapping[str, str], cast: Mapping[str, Facts]) -> str:
    """Fill the gaps of a template, and return the sentence.

    names, cast: the name and the facts for each letter in the template.
    """
    texts = []
    for element in parse(template):
        if element.text is not None:
            texts.append(element.text)
            continue
        if element.slot is None:
            text = names[element.letter]
        else:
            fact = cast[element.letter].fact(element.slot)
            text = fact if isinstance(fact, str) else fact.short
        texts.append(
            (article(text) + " " if element.article else "") + text + ("'s" if element.possessive else "")
        )
    sentence = "".join(texts)
    return sentence[0].upper() + sentence[1:]
