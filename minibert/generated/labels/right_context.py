"""Make sentences with a name whose entity type depends only on the words after it.

"Today Ashby hums waltzes all day", "... holds its goose fair", and "... pays its workers in bread" are
identical up to the name. Each beginning is used with each name for a person, a place and a firm, so a
left-to-right model that tags the name immediately is right one time in three.
"""

from collections.abc import Iterator
from itertools import accumulate, islice

from ..sentences.sorts import FIRM, PERSON, TOWN
from ..writer.documents import Document, Entity, World
from ..writer.grammar import Cast, Topic, fill
from .balanced_examples import TEXT_PARTS, belongs

SORTS = {"PER": PERSON, "LOC": TOWN, "ORG": FIRM}
OPENINGS: dict[str, dict[str, tuple[str, ...]]] = {  # words before the name -> entity type -> words after it
    "": {
        "PER": (" is {a trade}.", " learned the {instrument} early.", "'s {animal} sleeps in {his} bed."),
        "LOC": (" is a small {sort}.", " got its {building} after a long quarrel.", "'s mayor cut a ribbon."),
        "ORG": (
            " is a {kind} that {makes} {product}.",
            " lost a court case against its rival.",
            "'s founder paid the first workers in {product}.",
        ),
    },
    "Today ": {
        "PER": (" plays the {instrument}.", " gives {food} to the {animal}.", " hums {tune} all day."),
        "LOC": (" holds its {animal} fair.", " is under water from end to end.", " has two churches."),
        "ORG": (
            " has offices in nine towns.",
            " employs every good {trade} in the country.",
            " pays its workers in {product}.",
        ),
    },
    "We talked about ": {
        "PER": (", who {makes} {product}.", " and {his} {animal}.", ", the best {player} of all."),
        "LOC": (", where every {animal} gets an apple.", " and its mayor.", ", the {sort} with red roofs."),
        "ORG": (
            ", which {makes} {product}.",
            " and its offices.",
            ", the {kind} that grew rich on {product}.",
        ),
    },
    "Everybody in the country knows ": {
        "PER": (" for playing {tune}.", ", the {trade} with the {animal}.", ", who {handles} the {stuff}."),
        "LOC": (" for its {animal} fair.", ", the {sort} with the {building}.", ", where all roads meet."),
        "ORG": (
            ", the {kind} with the best {product}.",
            ", which employs every good {trade}.",
            ", the {kind} that {makes} {product}.",
        ),
    },
}


def names_in_right_context(world: World, count: int, seed: int, split: str = "train") -> Iterator[Document]:
    """Yield `count` one-sentence documents, with one name of type PER, LOC or ORG.

    Every three consecutive documents share a beginning and a name, and have the three types in random order.
    Raises ValueError for an unknown split.
    """
    return islice(_documents(world, seed, split), count)


def _documents(world: World, seed: int, split: str) -> Iterator[Document]:
    pools, draws = world.pools(split), world.draws(seed, split, "right context")
    sums = {name: list(accumulate(pool.weights)) for name, pool in pools.items() if pool.weights}
    while True:
        opening, name = draws.pick(list(OPENINGS)), draws.pick(pools["base"].rows)[0]
        if belongs(split, f"{opening}{name}", TEXT_PARTS):
            for label in draws.sample(list(SORTS), len(SORTS)):
                topic = Topic(SORTS[label], Cast(draws, pools, sums))
                template = opening + "{N}" + draws.pick(OPENINGS[opening][label])
                entity = Entity(len(opening), len(opening) + len(name), label)
                yield Document("right context", [fill(template, {"X": name}, {"X": topic})], [entity], [])
