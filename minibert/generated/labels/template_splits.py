"""Split sentences by template, so that the wordings of dev and test never occur in training."""

from collections.abc import Iterator
from typing import TypeVar

from ..writer.documents import World
from ..writer.grammar import Page

# position in each list, from the last but one template (0) to the last (1); the others are for training
HELD_OUT = {"dev": 0, "test": 1}
Example = TypeVar("Example")  # an object with a label of 0 or 1


def split_of(world: World, family: str, key: str, template: str) -> str:
    """Return the split (train, dev or test) of a template in the list (family, key) of the language."""
    templates = world.language.families[family][key]
    number = templates.index(template)
    held_out = {len(templates) - 2 + place: split for split, place in HELD_OUT.items()}
    return held_out.get(number, "train")


def sentences_of_splits(
    world: World, seed: int, split: str, stream: str, splits: tuple[str, ...]
) -> Iterator[tuple[Page, int]]:
    """Yield (document, sentence index) endlessly, for sentences whose template belongs to one of `splits`.

    The documents belong to `split`; `stream` names their stream of random numbers.
    """
    for page in world.pages(10**12, seed, split, stream):
        for number, (source, template) in enumerate(zip(page.lists, page.templates, strict=True)):
            if split_of(world, *source, template) in splits:
                yield page, number


def half_of_each(examples: Iterator[Example], count: int) -> Iterator[Example]:
    """Yield `count` examples, half with each label; if `count` is odd, one label has one example more."""
    if count < 0:
        raise ValueError(f"count={count} must not be negative")
    given = {0: 0, 1: 0}
    while sum(given.values()) < count:
        example = next(examples)
        label = int(example.label)  # type: ignore[attr-defined]  # see Example
        if given[label] < (count + 1) // 2:
            given[label] += 1
            yield example
