"""Word-level tagging: labels for the first subword of each word, entities from BIO tags, and their F1.

Devlin et al. (2019, arXiv 1810.04805), section 5.3; Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050),
section 2; constrained decoding: Lester et al. (2020, arXiv 2010.04362).
"""

from collections.abc import Iterable, Sequence

import numpy as np

from .batch import IGNORE


def align_labels(word_ids: Sequence[int | None], labels: Sequence[int]) -> list[int]:
    """Return a label for each token: the word's label for its first subword, IGNORE for all other tokens.

    word_ids: the word index of each of T tokens, None for special tokens and padding. labels: one int for
    each word. Returns a list of T ints.

    >>> align_labels([None, 0, 1, 1, None], [3, 5])
    [-100, 3, 5, -100, -100]
    """
    return [
        IGNORE if word is None or word == before else labels[word]
        for before, word in zip([None, *word_ids], word_ids)
    ]


def decode_entities(tags: Iterable[str]) -> list[tuple[str, int, int]]:
    """Return the entities marked by BIO tags as a list of (type, first word, last word), from left to right.

    A tag B-X starts an entity of type X; any other tag except O continues an entity of its type. As in
    conlleval, an I-X also starts an entity if it follows an O or another type.

    >>> decode_entities(["B-PER", "I-PER", "O", "B-LOC", "I-ORG"])
    [('PER', 0, 1), ('LOC', 3, 3), ('ORG', 4, 4)]
    """
    found, start, inside = [], 0, None
    for i, tag in enumerate([*tags, "O"]):
        edge, _, kind = tag.partition("-")
        if inside is not None and (edge in ("B", "O") or kind != inside):
            found.append((inside, start, i - 1))
            inside = None
        if edge != "O" and inside is None:
            start, inside = i, kind
    return found


def is_legal(before: str, tag: str) -> bool:
    """Return whether `tag` may follow the tag `before`: I-X needs B-X or I-X before it.

    >>> is_legal("B-PER", "I-PER"), is_legal("O", "I-PER"), is_legal("B-LOC", "I-PER"), is_legal("O", "B-PER")
    (True, False, False, True)
    """
    return not tag.startswith("I-") or before[2:] == tag[2:]


def legal_tags(scores: np.ndarray, tags: Sequence[str]) -> list[str]:
    """Return the legal sequence of tags with the highest total score.

    scores: (N, C), a logit for each of N words and C tags. tags: the names of the C tags, at least one of
    them without I-. In a legal sequence, each I-X follows B-X or I-X. This is constrained decoding with the
    Viterbi algorithm, which keeps only the best path to each tag of a word.

    >>> legal_tags(np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 4.0]]), ["O", "B-LOC", "I-LOC"])
    ['B-LOC', 'I-LOC']
    """
    if not len(scores):
        return []
    price = np.array(
        [[0.0 if is_legal(before, tag) else -np.inf for tag in tags] for before in tags]
    )  # (C, C)
    best = scores[0] + [0.0 if is_legal("O", tag) else -np.inf for tag in tags]  # (C,)
    came_from = []
    for row in scores[1:]:
        ways = best[:, None] + price  # (C, C): from the tag of a row to the tag of a column
        came_from.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    path = [int(best.argmax())]
    for places in reversed(came_from):
        path.append(int(places[path[-1]]))
    return [tags[i] for i in reversed(path)]


def entity_f1(
    gold: Iterable[Sequence[str]], predicted: Iterable[Sequence[str]]
) -> tuple[float, float, float]:
    """Return (precision, recall, F1), each 0 to 100, over the entities of all sentences.

    gold, predicted: the tags of each sentence. An entity is correct if its type and boundaries are correct.

    >>> entity_f1([["B-PER", "O", "B-LOC"]], [["B-PER", "O", "O"]])
    (100.0, 50.0, 66.66666666666667)
    """
    pairs = [
        (set(decode_entities(wanted)), set(decode_entities(given)))
        for wanted, given in zip(gold, predicted, strict=True)
    ]
    return precision_recall_f1(*(sum(map(len, group)) for group in zip(*((a & b, b, a) for a, b in pairs))))


def precision_recall_f1(right: int = 0, found: int = 0, wanted: int = 0) -> tuple[float, float, float]:
    """Return (precision, recall, F1), 0 to 100, from the numbers of correct, predicted and gold entities.

    If no entity is correct, all three are 0.
    """
    precision, recall = 100 * right / max(found, 1), 100 * right / max(wanted, 1)
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0
