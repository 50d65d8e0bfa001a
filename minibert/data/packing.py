"""Labelled training sequences for sentence-level objectives, in NumPy.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2, and appendix A.2: a segment is a span of
sentences. Sentence order: Lan et al. (2020, arXiv 1909.11942), section 3.1; three classes: Wang et al. (2020,
arXiv 1908.04577), section 2.2; distance, reordering, relation: Sun et al. (2020, arXiv 1907.12412). In this
file `rows` are sequences before padding: pairs (A, B) of lists of ids, where B may be None.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from ..readers.wording import plural

Item = TypeVar("Item")
Docs = Sequence[Sequence[list[int]]]  # documents, which are lists of sentences, which are lists of ids
Pair = tuple[list[int], list[int]]  # a sequence before padding: segments A and B
Single = tuple[list[int], None]  # a sequence before padding: a single segment
NEXT, PREVIOUS, OTHER = 0, 1, 2  # the origin of segment B: after A, before A, or another document


def truncate_pair(a: Iterable[int], b: Iterable[int], max_tokens: int) -> tuple[list[int], list[int]]:
    """Drop tokens from the end of the longer segment until both fit in `max_tokens`; return new lists.

    >>> truncate_pair([1, 2, 3, 4], [5, 6], max_tokens=4)
    ([1, 2], [5, 6])
    """
    a, b = list(a), list(b)
    while len(a) + len(b) > max_tokens:
        (a if len(a) > len(b) else b).pop()
    return a, b


def join(sentences: Iterable[Iterable[Item]]) -> list[Item]:
    return [token for sentence in sentences for token in sentence]


def with_text(docs: Docs, least: int = 1) -> list[list[list[int]]]:
    """Return `docs` without empty sentences or documents. Raises ValueError if fewer than `least` remain."""
    texts = [[sentence for sentence in doc if sentence] for doc in docs]
    texts = [doc for doc in texts if doc]
    if len(texts) < least:
        raise ValueError(f"the number of documents with text is {len(texts)}, but must be at least {least}")
    return texts


def available_tokens(max_length: int, segments: int) -> int:
    """Return the number of tokens that fit in a sequence with [CLS] and a [SEP] after each segment.

    Raises ValueError if there is less than one token for each segment.

    >>> available_tokens(128, segments=2)
    125
    """
    room = max_length - 1 - segments
    if room < segments:
        raise ValueError(
            f"max_length={max_length} is too short: {segments + 1} special tokens and "
            f"{plural(segments, 'segment')} need at least {2 * segments + 1}"
        )
    return room


def text_from_other_document(docs: Docs, d: int, rng: np.random.Generator) -> list[list[int]]:
    """Return the end of a random document other than docs[d], starting at a random sentence."""
    other = docs[(d + 1 + int(rng.random() * (len(docs) - 1))) % len(docs)]
    return list(other[int(rng.random() * len(other)) :])


def filling(sentences: list[list[int]], size: int) -> list[list[int]]:
    """Return just enough of the first sentences for `size` tokens, or all sentences if they have fewer.

    >>> filling([[5, 6], [7, 8], [9]], 3)
    [[5, 6], [7, 8]]
    """
    count, total = 1, len(sentences[0])
    while total < size and count < len(sentences):
        total, count = total + len(sentences[count]), count + 1
    return sentences[:count]


def pair_examples(
    docs: Docs, max_length: int, rng: np.random.Generator, kinds: Sequence[int]
) -> tuple[list[Pair], list[int]]:
    """Make segment pairs (A, B) that fill a sequence, and return them with the origin (kind) of each B.

    docs: documents, which are lists of sentences, which are lists of ids. max_length: the maximum length of a
    sequence, including its three special tokens. kinds: the possible origins of B (NEXT, PREVIOUS, OTHER),
    all equally likely. Sentences are collected until they fill a sequence, then split at a random sentence
    boundary into two segments, and truncated if they are too long. A B from another document is about as long
    as the true B, so that the length reveals little; the sentences of the true B start the next sequence. A
    single sentence left at the end of a document can only become an A with a B from another document; without
    OTHER it is dropped. Raises ValueError if OTHER is included and there are fewer than two documents, or if
    max_length is too small for two tokens.
    """
    # paper's code: B is collected until the sequence is full, in short documents too
    docs = with_text(docs, least=2 if OTHER in kinds else 1)
    room = available_tokens(max_length, segments=2)
    rows, labels = [], []
    for d, doc in enumerate(docs):
        i = 0
        while i < len(doc) - (OTHER not in kinds):  # a single last sentence needs a B from another document
            j, size = i, 0
            while j < len(doc) and (j < i + 2 or size < room):
                size += len(doc[j])
                j += 1
            cut = i + 1 if j - i < 2 else i + 1 + int(rng.random() * (j - i - 1))
            kind = OTHER if j - i < 2 else kinds[int(rng.random() * len(kinds))]
            a = join(doc[i:cut])
            b = join(
                filling(text_from_other_document(docs, d, rng), min(size, room) - len(a))
                if kind == OTHER
                else doc[cut:j]
            )
            first, second = (b, a) if kind == PREVIOUS else (a, b)
            rows.append(
                truncate_pair(first, second, room)
            )  # after the swap, so that lengths do not reveal it
            labels.append(kind)
            i = cut if kind == OTHER else j
    return rows, labels


def nsp_examples(docs: Docs, max_length: int, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make examples for next sentence prediction: 0 = B follows A, 1 = B comes from another document.

    Returns (rows, labels). For the arguments, see `pair_examples`.
    """
    rows, kinds = pair_examples(docs, max_length, rng, (OTHER, NEXT))
    return rows, [int(kind == OTHER) for kind in kinds]


def sop_examples(docs: Docs, max_length: int, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make examples for sentence order prediction: 0 = in order, 1 = the same two segments swapped.

    Returns (rows, labels). For the arguments, see `pair_examples`.
    """
    return pair_examples(docs, max_length, rng, (NEXT, PREVIOUS))


def structural_examples(
    docs: Docs, max_length: int, rng: np.random.Generator
) -> tuple[list[Pair], list[int]]:
    """Make examples of three classes: 0 = B follows A, 1 = B precedes A, 2 = B comes from another document.

    Returns (rows, labels). For the arguments, see `pair_examples`.
    """
    return pair_examples(docs, max_length, rng, (NEXT, PREVIOUS, OTHER))


def structbert_examples(docs: Docs, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make a pair for each sentence A: 0 = B follows A, 1 = B precedes A, 2 = B comes from another document.

    docs: at least two documents, each with at least one sentence. Unlike in `structural_examples`, a segment
    is a single sentence (Wang et al. 2020, section 2.2). All labels that are possible for a sentence are
    equally likely; the first and last sentence of a document lack a neighbour. Returns (rows, labels).

    >>> structbert_examples([[[5], [6], [7]], [[8]]], np.random.default_rng(10))
    ([([5], [8]), ([6], [7]), ([7], [6]), ([8], [7])], [2, 0, 1, 2])
    """
    rows, labels = [], []
    for d, doc in enumerate(docs):
        for i, a in enumerate(doc):
            offers = {
                NEXT: doc[i + 1 : i + 2],
                PREVIOUS: doc[max(0, i - 1) : i],
                OTHER: text_from_other_document(docs, d, rng),
            }
            possible = [kind for kind, sentences in offers.items() if sentences]
            kind = possible[int(rng.random() * len(possible))]
            rows.append((a, offers[kind][0]))
            labels.append(kind)
    return rows, labels


def distance_examples(docs: Docs, max_length: int, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make sentence pairs: 0 = B follows A, 1 = B is elsewhere in A's document, 2 = B is in another document.

    Every sentence is A once, and the three labels are equally likely. If a label is impossible, such as 0 for
    the last sentence of a document, the next label is used. Returns (rows, labels). Raises ValueError if
    there are fewer than two documents, or if max_length is too small for two tokens.
    """
    docs, room = with_text(docs, least=2), available_tokens(max_length, segments=2)
    rows, labels = [], []
    for d, doc in enumerate(docs):
        for i, sentence in enumerate(doc):
            offers = [
                doc[i + 1 : i + 2],
                doc[: max(0, i - 1)] + doc[i + 2 :],
                text_from_other_document(docs, d, rng),
            ]
            label = next(kind for kind in range(int(rng.random() * 3), 3) if offers[kind])
            rows.append(truncate_pair(sentence, offers[label][int(rng.random() * len(offers[label]))], room))
            labels.append(label)
    return rows, labels


def nth_order(n: int, rank: int) -> list[int]:
    """Return permutation number `rank` (0 to n! - 1) of 0 ... n - 1, in lexicographic order.

    >>> [nth_order(3, rank) for rank in (0, 1, 5)]
    [[0, 1, 2], [0, 2, 1], [2, 1, 0]]
    """
    left, order = list(range(n)), []
    for size in range(n, 0, -1):
        index, rank = divmod(rank, math.factorial(size - 1))
        order.append(left.pop(index))
    return order


def reordering_classes(most: int) -> int:
    """Return the number of possible orders of 1 to `most` segments: the sum of n!."""
    return sum(math.factorial(n) for n in range(1, most + 1))


def reordering_examples(
    docs: Docs, max_length: int, rng: np.random.Generator, most: int = 3
) -> tuple[list[Single], list[int]]:
    """Split paragraphs into 1 to `most` segments of whole sentences and shuffle them; the label is the order.

    Labels count the orders of one segment first, then those of two segments, and so on. The number of
    segments is drawn before their order, so that unsplit text (label 0) is not rare. Returns (rows (text,
    None), labels).
    """
    room = available_tokens(max_length, segments=1)
    rows, labels = [], []
    for doc in with_text(docs):
        i = 0
        while i < len(doc):
            j, size = i, 0
            while j < len(doc) and (j == i or size + len(doc[j]) <= room):
                size += len(doc[j])
                j += 1
            n = 1 + int(rng.random() * min(most, j - i))
            cuts = [
                i,
                *sorted(rng.choice(range(i + 1, j), n - 1, replace=False).tolist() if n > 1 else []),
                j,
            ]
            rank = int(rng.random() * math.factorial(n))
            rows.append(
                (
                    join(sentence for k in nth_order(n, rank) for sentence in doc[cuts[k] : cuts[k + 1]])[
                        :room
                    ],
                    None,
                )
            )
            labels.append(reordering_classes(n - 1) + rank)
            i = j
    return rows, labels


def relation_examples(docs: Docs, max_length: int) -> tuple[list[Single], list[list[int]]]:
    """Label each token with 1 if it also occurs in another sequence of its document, and with 0 otherwise.

    Returns (rows (text, None), a list of labels for each row).
    """
    room = available_tokens(max_length, segments=1)
    rows, labels = [], []
    for text in (join(doc) for doc in with_text(docs)):
        parts = [text[i : i + room] for i in range(0, len(text), room)]
        for k, part in enumerate(parts):
            elsewhere = set(join(parts[:k] + parts[k + 1 :]))
            rows.append((part, None))
            labels.append([int(token in elsewhere) for token in part])
    return rows, labels
