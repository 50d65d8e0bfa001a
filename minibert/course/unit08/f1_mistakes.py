"""Students' common mistakes in `entity_f1`: which entities count as correct, and how scores are averaged."""

from collections.abc import Sequence

import numpy as np

from minibert.data.tagging import decode_entities

from ..checks.edits import edits
from ..checks.records import Mistake

Tags = Sequence[Sequence[str]]  # the tags of each sentence


def entity_f1(gold: Tags, predicted: Tags) -> tuple[float, float, float]:
    """Return precision, recall and F1 over the entities of all sentences, in percent."""
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
    """Return precision, recall and F1 in percent, each averaged over the types of entities."""

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

    you do not compare the types. An entity is correct only if its type is correct too.
        $entities => {entity[1:] for entity in decode_entities(tags)}
    you do not compare the last words. An entity is correct only if its first and last word are both correct.
        $entities => {entity[:2] for entity in decode_entities(tags)}
    you count an entity as correct if it overlaps with a gold entity. Its first word, last word and type must
    all be the same.
        len(there & said) => sum($overlaps for a in said)
    you put the entities of all sentences into one set, in which equal ones count once. Compare each sentence
    separately, and add up the counts.
        zip(gold, predicted) => [(gold, predicted)]
        $entities => {entity for row in tags for entity in decode_entities(row)}
    you take the mean over the sentences. Add up the counts of all sentences first, then divide once.
        return tuple($means)
        or
        return (p := $means[0]), (r := $means[1]), 2 * p * r / (p + r) if p + r else 0.0
    you compare the tags of words. Compare whole entities: B-PER I-PER is correct only if both words are.
        $entities => {(i, tag) for i, tag in enumerate(tags) if tag != "O"}
    you return the share of words with the correct tag. Compare entities, and ignore all other words.
        return (100 * np.mean([a == b for sides in zip(gold, predicted) for a, b in zip(*sides)]),) * 3
    you swapped precision and recall. Precision is a share of the predicted entities, recall of the gold
    entities.
        precision, recall, f1 => recall, precision, f1
    your scores range from 0 to 1. Return percentages, from 0 to 100.
        100 * right =>> right
    your F1 is the arithmetic mean of precision and recall. Use their harmonic mean.
        $f1 => (precision + recall) / 2
    your F1 is the geometric mean of precision and recall. Use their harmonic mean.
        $f1 => (precision * recall) ** 0.5
    the factor 2 is missing from F1, the harmonic mean of precision and recall.
        2 * precision => precision
    if there are no predicted or no gold entities, you return 100. Return 0, because nothing is correct.
        max(found, 1) => found if found else 100.0
        max(wanted, 1) => wanted if wanted else 100.0
    if there are no predicted entities, or if all are wrong, you divide by 0. Return 0.0 in this case.
        max(found, 1) => found
        max(wanted, 1) => wanted
        $f1 => 2 * precision * recall / (precision + recall)
    you leave out sentences without gold or predicted entities. Include them, because entities are missed or
    wrong there.
        found += len(said) => found += len(said) if there else 0
        or
        wanted += len(there) => wanted += len(there) if said else 0
    you count entities only if the whole sentence is correct. Count each entity separately.
        len(there & said) => len(there) * (there == said)
    you compare only the type and the last word. An entity is correct only if its first and last word are both
    correct.
        $entities => {entity[::2] for entity in decode_entities(tags)}
    you give half a point for an entity that overlaps with a gold entity. Count it as wrong: its first and
    last word must be the same.
        len(there & said) => len(there & said) + sum($overlaps for a in said - there) / 2
    you treat a stray I- differently from a B-. Compare the results of decode_entities, which treats them
    alike.
        $entities => {(*entity, tags[entity[1]][0]) for entity in decode_entities(tags)}
        or
        $entities => {entity for entity in decode_entities(tags) if tags[entity[1]][0] == "B"}
    you use only the first sentence. Add up the counts of all sentences first, then divide once.
        zip(gold, predicted) => [*zip(gold, predicted)][:1]
    you round the scores. Return them as they are.
        return tuple(round(score) for score in result)
        or
        return tuple(round(score, 1) for score in result)
        or
        return tuple(round(score, 2) for score in result)
    your F1 is the smaller of precision and recall. Use their harmonic mean.
        $f1 => min(precision, recall)
    your F1 ranges from 0 to 1. Return a percentage, from 0 to 100, as for the other two scores.
        $f1 => precision * recall / (precision + recall) / 50 if right else 0.0
    you use only the last sentence. Add up the counts of all sentences first, then divide once.
        zip(gold, predicted) => [*zip(gold, predicted)][-1:]
    """,
) + (
    Mistake(
        "you take the mean over the types. Add up the counts of all types first, then divide once.",
        over_types,
    ),
)
