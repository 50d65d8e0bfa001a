"""Known mistakes in `entity_f1`: which entities count as right, and how the scores are averaged."""

from collections.abc import Sequence

import numpy as np

from minibert.data.tagging import decode_entities

from ..checks.edits import edits
from ..checks.records import Mistake

Tags = Sequence[Sequence[str]]  # the tags of each sentence


def entity_f1(gold: Tags, predicted: Tags) -> tuple[float, float, float]:
    """Return (precision, recall, F1), each 0 to 100, over the entities of all sentences."""
    right = found = wanted = 0
    for sides in zip(gold, predicted):
        there, said = (set(decode_entities(tags)) for tags in sides)
        right += len(there & said)
        found += len(said)
        wanted += len(there)
    precision, recall = 100 * right / max(found, 1), 100 * right / max(wanted, 1)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return precision, recall, f1


def over_types(gold: Tags, predicted: Tags) -> tuple[float, ...]:
    """Return the mean of the three scores over the types of entities."""

    def only(kind, side):
        return [[tag if tag[2:] == kind else "O" for tag in tags] for tags in side]

    kinds = {tag[2:] for tags in [*gold, *predicted] for tag in tags if tag != "O"}
    rows = [entity_f1(only(kind, gold), only(kind, predicted)) for kind in kinds]
    return tuple(np.mean(rows, axis=0)) if rows else (0.0, 0.0, 0.0)


F1 = edits(
    entity_f1,
    """
    $entities = set(decode_entities(tags))
    $overlaps = any(a[0] == b[0] and a[1] <= b[2] and b[1] <= a[2] for b in there)
    $f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    $means = np.mean([right([a], [b]) for a, b in zip(gold, predicted)], axis=0)

    you do not compare the types. An entity is right only if its type is right too.
        $entities => {entity[1:] for entity in decode_entities(tags)}
    you do not compare the ends. An entity is right only if its start and end are both right.
        $entities => {entity[:2] for entity in decode_entities(tags)}
    an entity counts as right in your answer if it overlaps with a right one. Start,
    end and type must be the same.
        len(there & said) => sum($overlaps for a in said)
    you mix entities of different sentences: two at the same place count once. Compare sentence by
    sentence, and add up the counts.
        zip(gold, predicted) => [(gold, predicted)]
        $entities => {entity for row in tags for entity in decode_entities(row)}
    you take the mean over sentences. Add up the counts of all sentences first, then divide once.
        return tuple($means)
        or
        return (p := $means[0]), (r := $means[1]), 2 * p * r / (p + r) if p + r else 0.0
    you compare words. Compare entities: B-PER I-PER is right only as a whole.
        $entities => {(i, tag) for i, tag in enumerate(tags) if tag != "O"}
    you return the share of words with the right tag. Words outside of all entities must not count.
        return (100 * np.mean([a == b for sides in zip(gold, predicted) for a, b in zip(*sides)]),) * 3
    you swapped precision and recall. Precision divides by the number of entities
    found, recall by the number wanted.
        precision, recall, f1 => recall, precision, f1
    your scores range from 0 to 1. Return percentages, 0 to 100.
        100 * right =>> right
    your F1 is the arithmetic mean. It should be the harmonic mean, 2 P R / (P + R).
        $f1 => (precision + recall) / 2
    your F1 is the geometric mean. It should be the harmonic mean, 2 P R / (P + R).
        $f1 => (precision * recall) ** 0.5
    the factor 2 is missing in F1, which is 2 P R / (P + R).
        2 * precision => precision
    if no entity is found, or none is wanted, you return 100. Nothing is right in this case: return 0.
        max(found, 1) => found if found else 100.0
        max(wanted, 1) => wanted if wanted else 100.0
    if no entity is found, or none is right, you divide by 0. All three scores should be 0.0 in this case.
        max(found, 1) => found
        max(wanted, 1) => wanted
        $f1 => 2 * precision * recall / (precision + recall)
    you leave out sentences without gold entities, or without predicted ones. Count them:
    their entities are wrong or missed.
        found += len(said) => found += len(said) if there else 0
        or
        wanted += len(there) => wanted += len(there) if said else 0
    you count entities only if the whole sentence is right. Count each entity separately.
        len(there & said) => len(there) * (there == said)
    you compare only one of the ends. An entity is right only if its start and end are both right.
        $entities => {entity[::2] for entity in decode_entities(tags)}
    an entity that overlaps with a right one counts half in your answer. It is wrong:
    start and end must be the same.
        len(there & said) => len(there & said) + sum($overlaps for a in said - there) / 2
    you treat a stray I- differently from a B-. decode_entities treats both the same, so compare its results.
        $entities => {(*entity, tags[entity[1]][0]) for entity in decode_entities(tags)}
        or
        $entities => {entity for entity in decode_entities(tags) if tags[entity[1]][0] == "B"}
    you use only the first sentence. Add up the counts of all sentences before you divide.
        zip(gold, predicted) => [*zip(gold, predicted)][:1]
    the scores are rounded. Return them as they are.
        return tuple(round(score) for score in result)
        or
        return tuple(round(score, 1) for score in result)
        or
        return tuple(round(score, 2) for score in result)
    your F1 is the smaller of precision and recall. It should be their harmonic mean, 2 P R / (P + R).
        $f1 => min(precision, recall)
    your F1 ranges from 0 to 1. Like the other two scores, it should be a percentage, 0 to 100.
        $f1 => precision * recall / (precision + recall) / 50 if right else 0.0
    you use only the last sentence. Add up the counts of all sentences before you divide.
        zip(gold, predicted) => [*zip(gold, predicted)][-1:]
    """,
) + (
    Mistake(
        "you take the mean over the types. Add up the counts of all entities, whatever their type.",
        over_types,
    ),
)
