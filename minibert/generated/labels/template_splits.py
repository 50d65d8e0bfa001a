"""Sentences whose template belongs to one split: each split has wordings that training never showed."""

from collections.abc import Iterator
from typing import TypeVar

from ..writer.documents import World
from ..writer.grammar import Page

# of five templates of a list, the last but one and the last; the rest are for training
HELD_OUT = {"dev": 0, "test": 1}
Example = TypeVar("Example")  # with a label that is 0 or 1


def split_of(world: World, family: str, key: str, template: str) -> str:
    """Return the split that a template belongs to."""
    templates = world.language.families[family][key]
    number = templates.index(template)
    held_out = {len(templates) - 2 + place: split for split, place in HELD_OUT.items()}
    return held_out.get(number, "train")


def sentences_of_splits(
    world: World, seed: int, split: str, stream: str, splits: tuple[str, ...]
) -> Iterator[tuple[Page, int]]:
    """Yield (page, sentence number) for the sentences whose template belongs to one of `splits`, without end.

    The pages are documents of `split`.
    """
    for page in world.pages(10**12, seed, split, stream):
        for number, (source, template) in enumerate(zip(page.lists, page.templates, strict=True)):
            if split_of(world, *source, template) in splits:
                yield page, number


def half_of_each(examples: Iterator[Example], count: int) -> Iterator[Example]:
    """Yield the first `count` examples with equally many of both labels (one more of one if odd)."""
    if count < 0:
        raise ValueError(f"count {count} must not be negative")
    given = {0: 0, 1: 0}
    while sum(given.values()) < count:
        example = next(examples)
        label = int(example.label)  # type: ignore[attr-defined]  # see Example
        if given[label] < (count + 1) // 2:
            given[label] += 1
            yield example
