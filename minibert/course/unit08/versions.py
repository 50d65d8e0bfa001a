"""Versions of `decode_entities`, right and wrong, that the student's test has to tell apart."""

from collections.abc import Iterator
from itertools import groupby

from minibert.data import tagging

from ..checks.student_tests import Version
from . import decode_mistakes as wrongly


def two_passes(tags: list[str]) -> list[tuple[str, int, int]]:
    """Repair the stray tags first, then let each B- collect its I-."""
    tags = [
        "B" + tag[1:] if tag[0] == "I" and before[2:] != tag[2:] else tag
        for before, tag in zip(["O", *tags], tags)
    ]
    starts = [i for i, tag in enumerate(tags) if tag[0] == "B"]
    return [(tags[i][2:], i, i + sum(1 for _ in take_inside(tags[i + 1 :]))) for i in starts]


def take_inside(tags: list[str]) -> Iterator[str]:
    for tag in tags:
        if tag[0] != "I":
            return
        yield tag


def by_groups(tags: list[str]) -> list[tuple[str, int, int]]:
    """Give each word the number of its entity, and group the words by number."""
    number, numbers = 0, []
    for before, tag in zip(["O", *tags], tags):
        number += tag == "O" or tag[0] == "B" or before[2:] != tag[2:]
        numbers.append(number)
    groups = [[i for i, _ in group] for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1])]
    return [(tags[group[0]][2:], group[0], group[-1]) for group in groups if tags[group[0]] != "O"]


def in_place(tags: list[str]) -> list[tuple[str, int, int]]:
    found = tagging.decode_entities(tags)
    tags.append("O")
    return found


def first_only(tags: list[str]) -> list[tuple[str, int, int]]:
    return tagging.decode_entities(tags)[:1]


RIGHT = (
    Version("one that repairs stray tags first, then lets each B- collect what follows", two_passes),
    Version("one that numbers the words by entity and groups them", by_groups),
)
WRONG = (
    Version("makes every word an entity of its own", wrongly.one_word_each),
    Version("loses an entity that ends with the sentence", wrongly.decoded(finish=False)),
    Version("reads B- after a word of the same type as going on", wrongly.decoded(**wrongly.SWITCHES[3][0])),
    Version(
        "gives the number of the word after the entity as its last", wrongly.decoded(last=lambda end: end + 1)
    ),
    Version("opens no entity at a stray I-", wrongly.stray_ends),
    Version("lets an I- of another type go on with the entity before it", wrongly.strays_are_glued),
    Version("takes words outside for entities", wrongly.decoded(outside=True)),
)
MORE = (
    Version("stops after the first entity", first_only),
    Version(
        "opens no entity at an I- after O, but opens one at an I- after another type",
        next(m.function for m in wrongly.DECODE if m.hint.startswith("an I- after O opens")),
    ),
    Version("sorts the entities by type", wrongly.sorted_by_type),
    Version("changes the list that it is given", in_place),
)
