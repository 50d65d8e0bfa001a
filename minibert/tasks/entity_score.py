"""Entity-level scores of tag sequences, as conlleval of the CoNLL shared tasks counts them.

Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050), section 2: an entity is right when its type and both
its ends are. The package `seqeval` agrees on IOB1 and BIO2, but reads only the first letter of a tag where
conlleval reads all before the hyphen; the reference's `decode_entities`, which students write too, agrees
with conlleval on every file, so it is used here.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ..data.tagging import decode_entities, precision_recall_f1


def entities(tags: Iterable[str]) -> set[tuple[str, int, int]]:
    """Return the entities of a tag sequence, a set of (type, first word, last word), as conlleval finds them.

    >>> sorted(entities(["B-PER", "I-PER", "O", "B-LOC", "I-ORG"]))
    [('LOC', 3, 3), ('ORG', 4, 4), ('PER', 0, 1)]
    """
    return set(decode_entities(tags))


def entity_f1(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return precision, recall and F1 over all entities, and accuracy over the words, each 0 to 100.

    gold, predicted: the tags of each sentence. Raises ValueError for sequences of different lengths.
    """
    counts = entity_counts(gold, predicted).values()
    return {**scores(*np.sum([*counts, (0, 0, 0)], axis=0)), "accuracy": accuracy(gold, predicted)}


def entity_f1_by_type(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Return precision, recall, F1 (0 to 100) and the number of entities found, by type, types sorted."""
    counts = entity_counts(gold, predicted)
    return {kind: {**scores(*counts[kind]), "found": counts[kind][1]} for kind in sorted(counts)}


def entity_counts(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Return {type: [entities that are right, found, wanted]}."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for number, (wanted, found) in enumerate(zip(gold, predicted, strict=True)):
        if len(wanted) != len(found):
            raise ValueError(f"sentence {number}: {len(found)} tags for {len(wanted)} words")
        expected, given = entities(wanted), entities(found)
        for column, group in enumerate((expected & given, given, expected)):
            for kind, *_ in group:
                counts[kind][column] += 1
    return counts


def scores(right: int, found: int, wanted: int) -> dict[str, float]:
    """Return precision, recall and their harmonic mean by name, 0 to 100; all are 0 where none is right."""
    return dict(zip(("precision", "recall", "F1"), precision_recall_f1(right, found, wanted)))


def accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """Return the share of the words with the right tag, 0 to 100; 0 where there are no words."""
    right = [
        a == b
        for wanted, found in zip(gold, predicted, strict=True)
        for a, b in zip(wanted, found, strict=True)
    ]
    return 100 * float(np.mean(right)) if right else 0.0
