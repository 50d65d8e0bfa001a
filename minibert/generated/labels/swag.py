"""Make texts with four endings, of which one is correct, in the format of SWAG.

Zellers et al. (2018, arXiv 1808.05326). SWAG's wrong endings were written by a language model and filtered
for difficulty. Ours differ from the correct ending only in facts, and each is correct for some other text, so
nobody can choose without the text.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from minibert.readers.writing import writing

from ..sentences.sorts import POOLS
from ..writer.documents import World
from ..writer.draws import Draws
from ..writer.grammar import Page, Span, Topic, article
from .balanced_examples import TEXT_PARTS, belongs

ENDINGS = 4
KNOWN = ("trade", "animal")  # values from common knowledge: a baker bakes, a hen lays eggs
VAGUE = "stuff"  # too weak a clue by itself: the dust on a baker's sleeves could be somebody else's
HINTS = (
    ("again", "trade"),
    ("again", "pet"),
    ("letter again", "trade"),
    ("letter again", "pet"),
    ("day work", ""),
    ("local", ""),
)
UNSURE = re.compile("dream|wanted|smell")  # anybody may dream of bread or want it
CLOSE = {  # values that a reader could mistake for one another
    "trade": (
        "gardener farmer potter",
        "gardener farmer beekeeper",
        "cook baker miller fisher brewer cheesemaker",
        "soapmaker pharmacist cook brewer",
        "soapmaker candlemaker beekeeper",
        "painter printer photographer writer mapmaker",
        "printer writer mapmaker bookbinder",
        "bookbinder shoemaker tailor",
        "tailor weaver shoemaker ropemaker",
        "ropemaker fisher",
        "smith clockmaker carpenter",
        "smith clockmaker locksmith mechanic",
        "carpenter roofer toymaker",
        "potter glassblower mason",
        "smith mason glassblower",
        "clockmaker photographer",
        "printer cheesemaker",
        "baker potter",
    ),
    "animal": (
        "hen goose owl pigeon parrot magpie duck peacock swan tortoise frog",
        "cow goat horse sheep deer goose rabbit tortoise",
        "cow goat horse pig sheep deer",
        "dog goose pig rabbit magpie goat fox swan",
        "cat owl dog pig rabbit magpie goose fox squirrel",
        "dog fox otter hedgehog squirrel rabbit",
        "duck goose swan frog otter",
        "hedgehog frog owl hen duck",
        "rabbit frog deer horse dog goat squirrel",
        "fox hedgehog magpie parrot deer pig squirrel",
        "cat otter fox",
        "owl deer squirrel hedgehog fox rabbit",
        "horse deer dog rabbit fox tortoise",
    ),
}


def _apart(pool: str) -> list[set[int]]:
    """Return, for each value of a pool, the indices of the other values that nobody could mistake for it.

    pool: a list of possible values of a fact, "trade" or "animal".
    """
    names = [row[POOLS[pool].forms.index(pool)] for row in POOLS[pool].rows]
    close = [set(group.split()) for group in CLOSE[pool]]
    return [
        {
            row
            for row, other in enumerate(names)
            if other != name and not any({name, other} <= group for group in close)
        }
        for name in names
    ]


APART = {pool: _apart(pool) for pool in CLOSE}
STEM = 4  # letters: after "baker", "bakes" would give the answer away; so would "binds" after "bookbinder"


@dataclass(frozen=True)
class Continuation:
    """A text, the start of its next sentence, and four endings; `label` is the index of the correct one."""

    kind: str
    sent1: str
    sent2: str
    endings: tuple[str, ...]
    label: int


def swag_examples(world: World, count: int, seed: int, split: str = "train") -> Iterator[Continuation]:
    """Yield `count` examples that need common knowledge about a person's trade or animal.

    The correct ending repeats no word or stem that the text used for the trade or animal. The wrong endings
    fit other trades or animals, preferably of other people in the text. Raises ValueError for an unknown
    split.
    """
    draws = world.draws(seed, split, "swag labels")
    pages = world.pages(10**12, seed, split, stream="swag")
    found = (example for page in pages for example in _continuations(page, draws))
    return islice(
        (example for example in found if belongs(split, f"{example.sent1} {example.sent2}", TEXT_PARTS)),
        count,
    )


def _continuations(page: Page, draws: Draws) -> Iterator[Continuation]:
    starts = [sum(len(text) + 1 for text in page.sentences[:number]) for number in range(len(page.sentences))]
    for number in range(1, len(page.sentences)):
        if page.lists[number] not in HINTS or UNSURE.search(page.sentences[number]):
            continue
        spans = [span for span in page.spans if span.sentence == number]
        for topic, pool in dict.fromkeys(
            (span.topic, pool) for span in spans for pool in KNOWN if _shows(span, pool)
        ):
            shown = [span for span in spans if span.topic is topic and _shows(span, pool)]
            first = _context(page, topic, pool, number)
            rows, share = _wrong_rows(page, topic, pool, number, shown)
            if (
                first is None
                or len(rows) < ENDINGS - 1
                or {span.slot for span in shown} == {VAGUE}
                or not draws.chance(share)
            ):
                continue
            theirs = {other.row(pool, pool) for other in page.cast.values() if (other, pool) in page.told}
            wrong = sorted(draws.sample(rows, len(rows)), key=lambda row: row not in theirs)[: ENDINGS - 1]
            place = draws.index(ENDINGS)
            wrong.insert(place, topic.row(pool, pool))
            texts = [_with_row(page.sentences[number], starts[number], shown, pool, row) for row in wrong]
            cut = shown[0].start - starts[number]
            begin = page.sentences[number][:cut]
            begin = begin.removesuffix(" a ").removesuffix(" an ").rstrip()
            if begin and begin not in ("A", "An"):
                yield Continuation(
                    page.kind,
                    " ".join(page.sentences[first:number]),
                    begin,
                    tuple(text[len(begin) + 1 :] for text in texts),
                    place,
                )


def _shows(span: Span, pool: str) -> bool:
    """Return True if a span shows its topic's trade or animal (`pool`), such as "oven" for a baker."""
    atoms = getattr(span.topic.sort.slots.get(span.slot), "atoms", ())
    return any((atom.variable, atom.pool) == (pool, pool) for atom in atoms)


def _context(page: Page, topic: Topic, pool: str, number: int) -> int | None:
    """Return the index of the first sentence that a reader needs in order to complete sentence `number`.

    Return None if no earlier sentence reveals the topic's trade or animal (`pool`).
    """
    told = [
        span.sentence
        for span in page.spans
        if span.topic is topic and _shows(span, pool) and span.slot == pool
    ]
    if not told or told[0] >= number:
        return None
    named = [sentence for sentence, _, _ in page.mentions.get(topic, []) if sentence <= told[0]]
    return named[-1] if named else 0


def _wrong_rows(
    page: Page, topic: Topic, pool: str, number: int, shown: list[Span]
) -> tuple[list[int], float]:
    """Return the indices of trades or animals for wrong endings, and how often to use the sentence.

    The list is empty if the correct ending repeats words of the text. Each value must be correct as often as
    wrong, or the endings alone would be a clue. So a value whose ending would repeat its name is never used.
    A value that is similar to few others appears in more wrong endings, so it must be correct more often, in
    proportion to the number of values with which it can be combined.
    """
    told = {
        span.slot
        for span in page.spans
        if span.topic is topic and _shows(span, pool) and span.sentence < number
    }
    forms, rows, right = POOLS[pool].forms, POOLS[pool].rows, topic.row(pool, pool)

    def repeats(row: tuple[str, ...]) -> bool:
        before = " ".join(row[forms.index(slot)] for slot in told)
        return any(word[:STEM] in before for span in shown for word in row[forms.index(span.slot)].split())

    able = [row for row in range(len(rows)) if not repeats(rows[row])]
    rivals = {row: [other for other in able if other in APART[pool][row]] for row in able}
    return (
        (rivals[right], len(rivals[right]) / max(map(len, rivals.values()))) if right in rivals else ([], 0.0)
    )


def _with_row(sentence: str, start: int, shown: list[Span], pool: str, row: int) -> str:
    """Return a sentence in which the spans `shown` show value number `row` of a pool instead.

    start: the position in the document at which the sentence begins.
    """
    for span in reversed(shown):
        value = POOLS[pool].rows[row][POOLS[pool].forms.index(span.slot)]
        before, after = sentence[: span.start - start], sentence[span.end - start :]
        words = before.split(" ")
        if len(words) > 1 and words[-2] in ("a", "an"):
            before = " ".join([*words[:-2], article(value), ""])
        sentence = before + value + after
    return sentence


def write_swag(examples: Iterable[Continuation], path: str | Path) -> None:
    """Write a CSV file in SWAG's format: labels count from 0, and the first column has no name."""
    with writing(path) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(
            [
                "",
                "video-id",
                "fold-ind",
                "startphrase",
                "sent1",
                "sent2",
                "gold-source",
                *(f"ending{number}" for number in range(ENDINGS)),
                "label",
            ]
        )
        for number, example in enumerate(examples):
            rows.writerow(
                [
                    number,
                    f"world_{example.kind}-{number}",
                    number,
                    f"{example.sent1} {example.sent2}",
                    example.sent1,
                    example.sent2,
                    "gold",
                    *example.endings,
                    example.label,
                ]
            )
