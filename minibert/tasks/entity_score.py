"""Scores of tag sequences: which entities they mark, and how many are right, as conlleval of the CoNLL shared
tasks counts.

Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050), section 2: an entity counts when its type and both its
ends are right. The package `seqeval` gives the same on IOB1 and BIO2, but takes the first letter of a tag for
all that stands before the hyphen; the reference's `decode_entities` is what a student writes and gets every
file of conlleval's right, so it is used.
"""
from collections import defaultdict

import numpy as np

from ..reference.tagging import decode_entities, precision_recall_f1


def entities(tags):
    """The entities of a tag sequence, a set of (type, first word, last word), as conlleval finds them.

    >>> sorted(entities(["B-PER", "I-PER", "O", "B-LOC", "I-ORG"]))
    [('LOC', 3, 3), ('ORG', 4, 4), ('PER', 0, 1)]
    """
    return set(decode_entities(tags))


def entity_f1(gold, predicted):
    """Precision, recall and F1 over the entities of all sentences, and accuracy over the words, each 0 to
    100.

    gold, predicted: lists of tag sequences. Raises ValueError for sequences of different lengths.
    """
    counts = entity_counts(gold, predicted).values()
    return {**scores(*np.sum([*counts, (0, 0, 0)], axis=0)), "accuracy": accuracy(gold, predicted)}


def entity_f1_by_type(gold, predicted):
    """{type: precision, recall, F1, 0 to 100, and the number of entities found}, types sorted, as conlleval's
    table.
    """
    counts = entity_counts(gold, predicted)
    return {kind: {**scores(*counts[kind]), "found": counts[kind][1]} for kind in sorted(counts)}


def entity_counts(gold, predicted):
    """{type: [entities that are right, found, wanted]}."""
    counts = defaultdict(lambda: [0, 0, 0])
    for number, (wanted, found) in enumerate(zip(gold, predicted, strict=True)):
        if len(wanted) != len(found):
            raise ValueError(f"sentence {number}: {len(found)} tags for {len(wanted)} words")
        wanted, found = entities(wanted), entities(found)
        for column, group in enumerate((wanted & found, found, wanted)):
            for kind, *_ in group:
                counts[kind][column] += 1
    return counts


def scores(right, found, wanted):
    """Precision, recall and their harmonic mean, 0 to 100; 0 where nothing is right."""
    return dict(zip(("precision", "recall", "F1"), precision_recall_f1(right, found, wanted)))


def accuracy(gold, predicted):
    """Share of the words with the right tag, 0 to 100; 0 where there are no words."""
    right = [a == b for wanted, found in zip(gold, predicted, strict=True)
             for a, b in zip(wanted, found, strict=True)]
    return 100 * float(np.mean(right)) if right else 0.0
