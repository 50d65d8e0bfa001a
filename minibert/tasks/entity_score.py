"""Entity-level scores of tag sequences, computed like the CoNLL shared tasks' script, conlleval.

Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050), section 2: an entity is correct if its type and both
ends are correct. The package `seqeval` reads only the first letter of a tag, whereas conlleval reads
everything before the hyphen, so it is not used here.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ..data.tagging import decode_entities, precision_recall_f1
from ..readers.wording import plural


def entities(tags: Iterable[str]) -> set[tuple[str, int, int]]:
    """Return the entities of a tag sequence as a set of (type, first word, last word), like conlleval.

    >>> sorted(entities(["B-PER", "I-PER", "O", "B-LOC", "I-ORG"]))
    [('LOC', 3, 3), ('ORG', 4, 4), ('PER', 0, 1)]
    """
    return set(decode_entities(tags))


def entity_f1(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return precision, recall and F1 over all entities, and accuracy over all words, each 0 to 100.

    gold, predicted: the tags of each sentence. Raises ValueError if their lengths differ.
    """
    counts = entity_counts(gold, predicted).values()
    return {**scores(*np.sum([*counts, (0, 0, 0)], axis=0)), "accuracy": accuracy(gold, predicted)}


def entity_counts(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Return a dict that maps each entity type to the numbers of [correct, predicted, true] entities."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for number, (wanted, found) in enumerate(zip(gold, predicted, strict=True)):
        if len(wanted) != len(found):
            raise ValueError(
                f"sentence {number} has {plural(len(wanted), 'word')} but "
                f"{plural(len(found), 'predicted tag')}; give one tag for each word"
            )
        expected, given = entities(wanted), entities(found)
        for column, group in enumerate((expected & given, given, expected)):
            for kind, *_ in group:
                counts[kind][column] += 1
    return counts


def scores(right: int, found: int, wanted: int) -> dict[str, float]:
    """Return precision, recall and F1 by name, 0 to 100; all are 0 if no entity is correct.

    right, found, wanted: the numbers of correct, predicted and true entities.
    """
    return dict(zip(("precision", "recall", "F1"), precision_recall_f1(right, found, wanted)))


def accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """Return the percentage of words with the correct tag, or 0 if there are no words."""
    right = [
        a == b
        for wanted, found in zip(gold, predicted, strict=True)
        for a, b in zip(wanted, found, strict=True)
    ]
    return 100 * float(np.mean(right)) if right else 0.0
