"""Label each word with the information that is needed to predict it if it is masked.

This can be the grammar of the word's own sentence, an earlier or later sentence, common knowledge, or nothing
that the document provides.

The generator knows where each fact is shown, so the label of each word of a page is exact:
    syntax   a word of the template: its own sentence suggests it (or one of a few synonyms)
    left     a fact that is shown in the same words earlier, and not later
    right    a fact that is shown in the same words later, and not earlier
    both     a fact that is shown in the same words both earlier and later
    world    a fact that is elsewhere shown only in another form: the baker's oven, the dog's kennel
    nothing  a fact that is shown nowhere else in the document
A fact that is shown twice within a sentence counts as syntax if the words are the same, else as world.
"""

import re
from collections import defaultdict
from typing import NamedTuple

from ..writer.grammar import Page, Span

NEEDS = ("syntax", "left", "right", "both", "world", "nothing")
WORD = re.compile(r"\w+|[^\w\s]")


class Need(NamedTuple):
    """The information needed to guess `text[start:end]`.

    elsewhere: whether only another sentence contains it.
    """

    start: int
    end: int
    label: str
    elsewhere: bool


class ShownWord(NamedTuple):
    """A word that shows a fact: its position and sentence, the fact (topic, variable), and the form shown."""

    start: int
    end: int
    sentence: int
    fact: tuple
    form: str


def shown_words(page: Page) -> list[ShownWord]:
    """Return every word of a document that shows a fact, in reading order."""
    text = " ".join(page.sentences)
    return [word for span in page.spans for word in _words(span, text)]


def _words(span: Span, text: str) -> list[ShownWord]:
    topic, slot = span.topic, span.slot
    if slot == "pronoun":
        slot = "he"  # all pronoun forms show the same fact
    if slot in topic.sort.slots and topic.certain(slot):
        return []
    if slot == "he":
        return [ShownWord(span.start, span.end, span.sentence, (topic, "gender"), "pronoun")]
    if slot == "name" and topic.label == "PER":
        names = text[span.start : span.end].split()
        slots = (
            ["first", "last"] if len(names) == 2 else ["last" if names == [topic.text("last")] else "first"]
        )
        parts = [((topic, slot), name) for slot, name in zip(slots, names, strict=True)]
    else:
        parts = [((owner, atom.variable), shown) for owner, atom, shown in topic.parts(slot)]
    found, at = [], span.start
    for fact, shown in parts:
        found += [
            ShownWord(
                at + word.start(), at + word.end(), span.sentence, fact, f"{shown.lower()} {word.start()}"
            )
            for word in WORD.finditer(shown)
        ]
        at += len(shown) + 1
    return found


def needs(page: Page) -> list[Need]:
    """Return a Need for each word and punctuation mark of a document, in reading order.

    Offsets count the characters of the sentences, joined by single spaces.
    """
    by_fact = defaultdict(list)
    for shown in shown_words(page):
        by_fact[shown.fact].append(shown)
    labels = {shown.start: _label(shown, shows) for shows in by_fact.values() for shown in shows}
    return [
        Need(word.start(), word.end(), *labels.get(word.start(), ("syntax", False)))
        for word in WORD.finditer(" ".join(page.sentences))
    ]


def _label(word: ShownWord, shows: list[ShownWord]) -> tuple[str, bool]:
    """Return (label, whether only another sentence helps) for a word. shows: all words that show its fact."""
    same = [other for other in shows if other.form == word.form]
    others = [other for other in shows if other.form.rsplit(" ", 1)[0] != word.form.rsplit(" ", 1)[0]]
    here = [other for other in same if other.sentence == word.sentence and other.start != word.start]
    if here:
        return "syntax", False
    if any(other.sentence == word.sentence for other in others):
        return "world", False
    before = any(other.sentence < word.sentence for other in same)
    after = any(other.sentence > word.sentence for other in same)
    if before or after:
        return ("both" if before and after else "left" if before else "right"), True
    return ("world", True) if others else ("nothing", False)
