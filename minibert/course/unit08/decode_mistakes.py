"""Known mistakes about `decode_entities`."""

from collections.abc import Callable
from typing import Any

from minibert.data import tagging

from ..checks.exercise import Mistake, pairs


def decoded(
    opens: Callable = lambda edge, kind, before: edge == "B" or kind != before,
    last: Callable = lambda end: end,
    kind_of: Callable = lambda tag: tag[2:],
    finish: bool = True,
    stray: bool = True,
    order: Callable = lambda start, end, kind: (kind, start, end),
    outside: bool = False,
) -> Callable:
    """Build `decode_entities` with some of its steps replaced.

    opens: whether a tag other than O opens an entity; stray: whether an I- may open one; finish: whether the
    last word may end one; outside: whether words outside are entities, too.
    """

    def wrong(tags):
        found, start, before = [], None, None
        for i, tag in enumerate([*tags, "O"]):
            edge, kind = ("O", None) if tag == "O" else (tag[0], kind_of(tag))
            if before is not None and (edge == "O" or opens(edge, kind, before)):
                if finish or i < len(tags):
                    found.append(order(start, last(i - 1), before))
                before = None
            if outside and tag == "O" and i < len(tags):
                found.append(order(i, last(i), "O"))
            if edge != "O" and before is None and (stray or edge == "B"):
                start, before = i, kind
        return found

    return wrong


def one_word_each(tags: list[str]) -> list[tuple[str, int, int]]:
    return [(tag[2:], i, i) for i, tag in enumerate(tags) if tag != "O"]


def strays_are_glued(tags: list[str]) -> list[tuple[str, int, int]]:
    """Decode with an I- that continues the entity before it, whatever its type."""
    return decoded(opens=lambda edge, kind, before: edge == "B")(tags)


def stray_ends(tags: list[str]) -> list[tuple[str, int, int]]:
    """Decode with a stray I- that opens no entity, but ends one of another type."""
    return decoded(stray=False)(tags)


def in_pieces(cut: Callable[[list[str], int, int], list[int]]) -> Callable:
    """Build `decode_entities` that cuts each entity: cut(tags, first, last) gives where its parts begin."""

    def wrong(tags):
        found = []
        for kind, first, last in tagging.decode_entities(tags):
            begins = cut(tags, first, last)
            found += [(kind, begin, end - 1) for begin, end in zip(begins, [*begins[1:], last + 1])]
        return found

    return wrong


def by_twos(tags: list[str], first: int, last: int) -> list[int]:
    return list(range(first, last + 1, 2))


def after_b(tags: list[str], first: int, last: int) -> list[int]:
    """Where parts begin if an I- goes on only right after a B-."""
    return [i for i in range(first, last + 1) if i == first or tags[i - 1][0] != "B"]


def sorted_by_type(tags: list[str]) -> list[tuple[str, int, int]]:
    return sorted(tagging.decode_entities(tags))


SWITCHES: tuple[tuple[dict[str, Any], str], ...] = (
    (
        dict(last=lambda end: end + 1),
        "the last number is one too large: it is that of the entity's last word",
    ),
    (dict(stray=False), "a stray I- opens no entity in your answer; here it does"),
    (dict(finish=False), "an entity that ends with the sentence is lost"),
    (
        dict(opens=lambda edge, kind, before: kind != before),
        "B- after a word of the same type must open a new entity",
    ),
)


def two_parts(tags: list[str]) -> None:
    edge, kind = next(tag for tag in tags if tag.count("-") > 1).split("-")


def always_two_parts(tags: list[str]) -> None:
    for tag in tags:
        edge, kind = tag.split("-")


DECODE = (
    Mistake(
        'a type may hold hyphens itself. Cut at the first one only: tag.split("-", 1), or tag[2:].', two_parts
    ),
    Mistake("O has no hyphen, and so no second part. Look for O first.", always_two_parts),
    Mistake(
        "an I- of another type goes on with the entity before it. Where the type changes, a new entity "
        "begins.",
        strays_are_glued,
    ),
    Mistake(
        "a stray I- (after O, at the start, or of another type) opens no entity in your answer. Here it "
        "does.",
        stray_ends,
    ),
    Mistake(
        "an I- after O opens no entity in your answer, but one after another type does. Both do, as for "
        "conlleval.",
        lambda tags: decoded()(
            [
                tag if tag == "O" or tag[0] == "B" or before != "O" else "O"
                for before, tag in zip(["O", *tags], tags)
            ]
        ),
    ),
    Mistake(
        "B- after a word of the same type is read as going on. B- always opens a new entity.",
        decoded(**SWITCHES[3][0]),
    ),
    Mistake(
        "an entity that ends with the sentence is lost. When the loop is over, one may still be open.",
        decoded(finish=False),
    ),
    Mistake(
        "the last number is one too large: it is the word after the entity. Give the number of its last "
        "word.",
        decoded(last=lambda end: end + 1),
    ),
    Mistake("every word is an entity of its own. B-PER I-PER is one entity of two words.", one_word_each),
    Mistake(
        "the type still has B- or I- in front. Cut the two characters off: tag[2:].",
        decoded(
            kind_of=lambda tag: tag, opens=lambda edge, kind, before: edge == "B" or kind[2:] != before[2:]
        ),
    ),
    Mistake(
        "the type is cut at its last hyphen. Only what stands before the first one is cut off: tag[2:].",
        decoded(kind_of=lambda tag: tag.split("-")[-1]),
    ),
    *(
        Mistake(
            f"types are compared {how}, so that one goes on with another. Compare them whole.",
            decoded(opens=lambda edge, kind, before, alike=alike: edge == "B" or not alike(kind, before)),
        )
        for how, alike in (
            ("by its end", str.endswith),
            ("by its beginning", str.startswith),
            ("by a part", lambda kind, before: before in f"I-{kind}"),
        )
    ),
    *(
        Mistake(
            "a name ends after two words in your answer. It goes on as long as its I- do.", in_pieces(cut)
        )
        for cut in (by_twos, after_b)
    ),
    Mistake(
        "the letters B, I and - are stripped from the type, too. Cut two characters off: tag[2:].",
        decoded(kind_of=lambda tag: tag.lstrip("BI-")),
    ),
    Mistake(
        "B- and I- are taken out of the tag everywhere, also out of the type. Cut two characters off: "
        "tag[2:].",
        decoded(kind_of=lambda tag: tag.replace("B-", "").replace("I-", "")),
    ),
    Mistake(
        'an O anywhere in a tag counts as outside. Only the tag O is: ask whether tag == "O".',
        lambda tags: decoded()(["O" if "O" in tag else tag for tag in tags]),
    ),
    Mistake(
        "each type once: a later entity takes the place of one before. Keep a list of all.",
        lambda tags: [*{entity[0]: entity for entity in tagging.decode_entities(tags)}.values()],
    ),
    Mistake(
        "only the first entity is there. Go on to the end of the sentence.",
        lambda tags: tagging.decode_entities(tags)[:1],
    ),
    Mistake(
        "an I- at the very start opens no entity in your answer. Like any stray I-, it does.",
        lambda tags: decoded()(["O" if i == 0 and tag[0] == "I" else tag for i, tag in enumerate(tags)]),
    ),
    Mistake(
        "the entities stand in reverse. Return them in the order of the sentence.",
        lambda tags: tagging.decode_entities(tags)[::-1],
    ),
    Mistake("the entities are sorted by type. Return them in the order of the sentence.", sorted_by_type),
    Mistake(
        "the order in a tuple is (first, last, type). It should be (type, first, last).",
        decoded(order=lambda start, end, kind: (start, end, kind)),
    ),
    Mistake(
        "words are counted from 1. The first word is number 0.",
        decoded(order=lambda start, end, kind: (kind, start + 1, end + 1)),
    ),
    Mistake(
        "the third number is the length. It should be the number of the last word.",
        decoded(order=lambda start, end, kind: (kind, start, end - start + 1)),
    ),
    Mistake(
        "words tagged O are entities in your answer. O means: outside of all entities.", decoded(outside=True)
    ),
    *pairs(decoded, *SWITCHES),
)
