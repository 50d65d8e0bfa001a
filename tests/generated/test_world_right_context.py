"""Names that only the words after them decide: up to the name, every type is equally likely."""

from collections import Counter, defaultdict

from minibert.generated import World
from minibert.generated.labels.right_context import OPENINGS, names_in_right_context

WORLD = World(seed=0)


def read(document):
    """(text up to the end of the name, text after it, entity type) of a document."""
    (entity,) = document.entities
    return document.text[: entity.end], document.text[entity.end :], entity.label


def test_up_to_the_name_every_type_is_as_frequent_and_after_it_none_is_in_doubt():
    before, after = defaultdict(Counter), defaultdict(set)
    for document in names_in_right_context(WORLD, 900, seed=1):
        left, right, label = read(document)
        before[left][label] += 1
        after[right].add(label)
    assert all(counts["PER"] == counts["LOC"] == counts["ORG"] > 0 for counts in before.values())
    assert len(before) > 100 and all(len(labels) == 1 for labels in after.values())
    assert {label for types in OPENINGS.values() for label in types} == {"PER", "LOC", "ORG"}


def test_no_ending_stands_under_two_types_and_names_are_names():
    for types in OPENINGS.values():
        endings = [ending for endings in types.values() for ending in endings]
        assert len(set(endings)) == len(endings)
    for split in ("train", "dev", "test"):
        bases = set(WORLD.names[split].bases)
        lefts = [read(document)[0] for document in names_in_right_context(WORLD, 30, 1, split)]
        assert all(left.split()[-1] in bases for left in lefts)
