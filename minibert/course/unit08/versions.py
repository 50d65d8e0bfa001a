"""Correct and wrong versions of `decode_entities`, which the student's test must tell apart."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from minibert.data import tagging

from ..checks.edits import named
from ..checks.student_tests import Version
from .decode_mistakes import DECODE

slip = partial(named, DECODE)


def two_passes(tags: list[str]) -> list[tuple[str, int, int]]:
    """Return the entities found in two passes: first repair stray tags, then join I- tags to B- tags."""
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
    """Return the entities found by giving each word an entity number and grouping words by number."""
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


RIGHT = (
    Version("one that repairs stray tags first, then extends each B- by the I- tags after it", two_passes),
    Version("one that numbers the words by entity and groups them", by_groups),
)
WRONG = (
    Version("makes every word a separate entity", slip("every word is a separate entity")),
    Version("loses an entity that ends with the sentence", slip("When the loop is over")),
    Version("continues an entity at a B- of the same type", slip("B- always begins a new entity")),
    Version(
        "returns the number of the word after the entity instead of its last word",
        slip("it is the word after the entity"),
    ),
    Version("begins no entity at a stray I-", slip("a stray I- (")),
    Version("continues an entity at an I- of another type", slip("an I- of another type")),
    Version("treats words outside of all entities as entities", slip("words tagged O as entities")),
)
MORE = (
    Version("stops after the first entity", slip("only the first entity")),
    Version(
        "begins no entity at an I- after O, but begins one at an I- after another type",
        slip("an I- after O does not begin an entity"),
    ),
    Version("takes only what comes after the last hyphen as the type", slip("the tag at its last hyphen")),
    Version("sorts the entities by type", slip("you sort the entities by type")),
    Version("changes its input list", in_place),
)
