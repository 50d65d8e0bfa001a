"""Make coreference data: clusters of mentions (CoNLL-2012 columns, JSON), and pairs in WNLI's format.

Pradhan et al. (2012, CoNLL shared task) for the columns, Lee et al. (2017, arXiv 1707.07045) for the JSON;
WNLI is the GLUE task (Wang et al. 2018, arXiv 1804.07461) made from Winograd schemas. The generator knows
what each name and pronoun refers to, so the labels are exact. A cluster contains the names of a person,
place, firm or animal, the singular pronouns of a person, place or firm (including "I" and "you" in letters,
interviews and quotations), and "the baker" for a person. Plurals, and "it" for animals and things, are left
out.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from minibert.readers.writing import writing

from ..sentences.plans import KINDS
from ..writer.documents import World
from ..writer.grammar import Page, Span, Topic
from .balanced_examples import TEXT_PARTS, belongs
from .syntax import PRONOUNS, TaggedWord, tagged
from .tsv import write_tsv

Key = Topic | tuple[Topic, str]  # a topic, or the place, firm or animal that is one of its facts
SPEAKERS = {  # list of sentences -> who says "I" and who is "you"; a witness in the news addresses nobody
    "letter": ("A", "B"),
    "talk question": ("B", "A"),
    "talk reply": ("A", "B"),
    "news quote": ("A",),
}
FIRST, SECOND = ("i", "me", "my"), ("you", "your")
# In these lists, "it" and "its" mean the topic with this letter.
OWN_IT = {"place tell": "T", "firm tell": "F"}
# In the other lists, "it" means a town or house that opens the sentence.
OPENING = re.compile(r"\{([TV])\} ")


@dataclass(frozen=True)
class Clustered:
    """A document with part-of-speech tags and clusters of mentions that refer to the same thing.

    A mention is (first token, last token), counted from 0 in the document.
    """

    kind: str
    sentences: tuple[tuple[TaggedWord, ...], ...]
    clusters: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class Resolved:
    """A text whose last sentence contains a pronoun, and this sentence with a name instead of the pronoun.

    label: 1 if the pronoun refers to the named person, else 0.
    """

    sentence1: str
    sentence2: str
    label: int


def mentions(page: Page) -> list[tuple[int, int, Key]]:
    """Return each mention in a document as (start, end, referent), in characters, including "'s"."""
    text = " ".join(page.sentences)
    found = []
    for span in page.spans:
        key, start = _meant(page, span), span.start
        if key is None and _stands_alone(text, span):
            key, start = span.topic, span.start - len("the ")
        if key is not None:
            found.append((start, span.end + 2 * text.startswith("'s", span.end), key))
    return sorted(found + list(_literal(page)), key=lambda mention: mention[:2])


def _meant(page: Page, span: Span) -> Key | None:
    """Return the referent of a span if it is a name or pronoun, else None."""
    if span.slot == "name" or span.slot in PRONOUNS:
        return span.topic
    if span.slot == "pet" or span.topic.sort.entity_type(span.slot) in ("LOC", "ORG"):
        letter = next(letter for letter, topic in page.cast.items() if topic is span.topic)
        other, slot = KINDS[page.kind].links.get((letter, span.slot), (letter, span.slot))
        return page.cast[other] if slot == "name" else (page.cast[other], slot)
    return None


def _stands_alone(text: str, span: Span) -> bool:
    """Return True if a description such as "the baker" is a mention of a person, not an apposition to a name.

    It must open a sentence or follow a lowercase word, with no "of" or comma after it.
    """
    alone = re.search(r"(^|[.?!] |\b[a-z]+ )[Tt]he $", text[: span.start]) and not re.match(
        r" of\b|,", text[span.end :]
    )
    return span.slot == span.topic.alias and bool(alone)


def _literal(page: Page) -> Iterator[tuple[int, int, Key]]:
    """Yield (start, end, referent) for pronouns in templates: a speaker's "I" or "you", a town's "it"."""
    covered = {span.start for span in page.spans}
    start = 0
    for (family, key), template, sentence in zip(page.lists, page.templates, page.sentences):
        opening = OPENING.match(template)
        own = opening[1] if opening else OWN_IT.get(family)
        letters = next(
            (letters for beginning, letters in SPEAKERS.items() if family.startswith(beginning)), None
        )
        for match in re.finditer(r"\w+", sentence):
            word, at = match[0].lower(), start + match.start()
            if at in covered:
                continue
            if letters and word in FIRST + SECOND:
                yield at, at + len(word), page.cast[letters[word in SECOND]]
            elif match[0] in ("it", "its") and own:
                yield at, at + len(word), page.cast[own]
            elif word == "its" and key == "work":
                before = [span for span in page.spans if span.slot == "firm" and span.start < at]
                yield at, at + len(word), (before[-1].topic, "firm")
        start += len(sentence) + 1


def coreference_documents(world: World, count: int, seed: int, split: str = "train") -> Iterator[Clustered]:
    """Yield `count` documents with clusters of at least two mentions, as in CoNLL-2012."""
    for page in world.pages(count, seed, split, stream="coreference"):
        sentences = tuple(tuple(tagged(page, number)) for number in range(len(page.sentences)))
        firsts, lasts, start, number = {}, {}, 0, 0
        for text, words in zip(page.sentences, sentences):
            for word in words:
                firsts[start + word.start] = lasts[start + word.start + len(word.form)] = number
                number += 1
            start += len(text) + 1
        clusters: dict[Key, list[tuple[int, int]]] = {}
        for first, end, key in mentions(page):
            clusters.setdefault(key, []).append((firsts[first], lasts[end]))
        yield Clustered(
            page.kind, sentences, tuple(tuple(spans) for spans in clusters.values() if len(spans) > 1)
        )


def winograd_examples(world: World, count: int, seed: int, split: str = "train") -> Iterator[Resolved]:
    """Yield `count` texts with a pronoun and a name; in about half, both refer to the same person.

    Two people are named before the pronoun. The previous sentence names only the referent or (in a quarter of
    the texts) both people, and then an earlier pronoun shows that the other has a different gender. The
    referent is the first person in about half of the texts. How often and where a name occurs is still a weak
    clue, because in a short text the referent is often newly introduced. Raises ValueError for an unknown
    split.
    """
    return islice(_resolved(world, seed, split), count)


def _resolved(world: World, seed: int, split: str) -> Iterator[Resolved]:
    draws = world.draws(seed, split, "winograd labels")
    first, far, right = (draws.chance(0.5) for _ in range(3))
    for page in world.pages(10**12, seed, split, stream="winograd"):
        for span in (span for span in page.spans if span.slot == "pronoun" and span.topic.label == "PER"):
            text, other = (
                " ".join(page.sentences[: span.sentence + 1]),
                _other(page, span, far and not first, first),
            )
            if other is not None and '"' not in text and belongs(split, text, TEXT_PARTS):
                yield Resolved(text, _with_name(page, span, span.topic if right else other), int(right))
                first, far, right = (draws.chance(0.5) for _ in range(3))
                break  # one pair per document


def _other(page: Page, span: Span, far: bool, first: bool) -> Topic | None:
    """Return the other person of the document, or None if a reader might take the pronoun for that person.

    Also returns None if the document does not match `far` and `first`. far: True if the previous sentence
    names both people. first: True if the referent was named first.
    """
    number, topic = span.sentence, span.topic
    # in the order of their first mentions
    people = [person for person in page.mentions if person.label == "PER"]
    named = {person: [sentence for sentence, _, _ in page.mentions[person]] for person in people}
    if len(people) != 2 or (people[0] is topic) != first:
        return None
    other = people[first]
    if (
        (number - 1 in named[other]) != far
        or number - 1 not in named[topic]
        or number in named[other]
        or named[other][0] > number
    ):
        return None
    if not far:
        return other
    shown = any(
        each.topic is other
        and each.slot in PRONOUNS
        and each.sentence < number
        and each.sentence not in named[topic]
        for each in page.spans
    )
    return other if shown and topic.text("he") != other.text("he") else None


def _with_name(page: Page, span: Span, person: Topic) -> str:
    """Return the sentence that contains the pronoun `span`, with the person's name instead of it."""
    sentence, before = (
        page.sentences[span.sentence],
        sum(len(text) + 1 for text in page.sentences[: span.sentence]),
    )
    start, end = span.start - before, span.end - before
    possessive = sentence[start:end].lower() == span.topic.text("his")
    return sentence[:start] + person.short + "'s" * possessive + sentence[end:]


def write_conll2012(documents: Iterable[Clustered], path: str | Path, name: str = "world") -> None:
    """Write documents in the format of CoNLL-2012, in columns separated by spaces.

    The columns are document, part, token number, token, universal part-of-speech tag, seven empty columns,
    and coreference, where a cluster's number has "(" at a mention's first token and ")" at its last. name:
    the first part of the documents' names.
    """
    with writing(path) as file:
        for number, document in enumerate(documents):
            id_, token = f"{name}/{document.kind}_{number:06d}", 0
            file.write(f"#begin document ({id_}); part 000\n")
            for words in document.sentences:
                for place, word in enumerate(words):
                    file.write(
                        " ".join(
                            [
                                id_,
                                "0",
                                str(place),
                                word.form,
                                word.upos,
                                "*",
                                "-",
                                "-",
                                "-",
                                "-",
                                "*",
                                _brackets(document, token),
                            ]
                        )
                        + "\n"
                    )
                    token += 1
                file.write("\n")
            file.write("#end document\n")


def _brackets(document: Clustered, token: int) -> str:
    """Return a token's coreference column, such as "(3" if a mention of cluster 3 begins there."""
    parts = [
        f"{'(' * (first == token)}{number}{')' * (last == token)}"
        for number, spans in enumerate(document.clusters)
        for first, last in spans
        if token in (first, last)
    ]
    return "|".join(parts) or "-"


def write_coreference_json(documents: Iterable[Clustered], path: str | Path, name: str = "world") -> None:
    """Write one line of JSON per document, with the keys `doc_key`, `sentences` and `clusters`.

    A sentence is a list of tokens, and a cluster a list of mentions [first token, last token].
    """
    with writing(path) as file:
        for number, document in enumerate(documents):
            file.write(
                json.dumps(
                    {
                        "doc_key": f"{name}/{document.kind}_{number:06d}",
                        "sentences": [[word.form for word in words] for words in document.sentences],
                        "clusters": document.clusters,
                    }
                )
                + "\n"
            )


def write_wnli(examples: Iterable[Resolved], path: str | Path) -> None:
    """Write a table in WNLI's format, with the columns index, sentence1, sentence2 and label."""
    header = [("index", "sentence1", "sentence2", "label")]
    rows = (
        (number, example.sentence1, example.sentence2, example.label)
        for number, example in enumerate(examples)
    )
    write_tsv(chain(header, rows), path)
