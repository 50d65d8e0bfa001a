"""Training sequences from documents, with labels, for objectives about sentences, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2, and appendix A.2: a segment is a span of
sentences. Sentence order: Lan et al. (2020, arXiv 1909.11942), section 3.1; three classes: Wang et al. (2020,
arXiv 1908.04577), section 2.2; distance, reordering, relation: Sun et al. (2020, arXiv 1907.12412). Sequences
without a sentence objective are in `formats`. In this file `rows` are sequences before padding: pairs (A, B)
of lists of ids, where B may be None.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
Docs = Sequence[Sequence[list[int]]]  # documents of sentences of ids
Pair = tuple[list[int], list[int]]  # a sequence before padding: segments A and B
Single = tuple[list[int], None]  # a sequence before padding: one segment
NEXT, PREVIOUS, OTHER = 0, 1, 2  # where segment B comes from: after A, before A, another document


def truncate_pair(a: Iterable[int], b: Iterable[int], max_tokens: int) -> tuple[list[int], list[int]]:
    """Drop tokens from the end of the longer segment until both together fit; returns new lists.

    >>> truncate_pair([1, 2, 3, 4], [5, 6], max_tokens=4)
    ([1, 2], [5, 6])
    """
    a, b = list(a), list(b)
    while len(a) + len(b) > max_tokens:
        (a if len(a) > len(b) else b).pop()
    return a, b


def join(sentences: Iterable[Iterable[Item]]) -> list[Item]:
    """Concatenate several lists into one."""
    return [token for sentence in sentences for token in sentence]


def with_text(docs: Docs, least: int = 1) -> list[list[list[int]]]:
    """Return the documents without empty sentences and without empty documents.

    Raises ValueError for fewer than `least` that are left.
    """
    texts = [[sentence for sentence in doc if sentence] for doc in docs]
    texts = [doc for doc in texts if doc]
    if len(texts) < least:
        raise ValueError(
            f"{len(texts)} document(s) with text: a sentence from another document needs at least {least}"
        )
    return texts


def room_for(max_length: int, segments: int) -> int:
    """Return how many tokens fit in a sequence beside [CLS] and a [SEP] after each segment.

    Raises ValueError for less than one token for each segment.

    >>> room_for(128, segments=2)
    125
    """
    room = max_length - 1 - segments
    if room < segments:
        raise ValueError(
            f"max_length={max_length} leaves no room: {segments + 1} special tokens and "
            f"{segments} segment(s) need {2 * segments + 1}"
        )
    return room


def foreign_text(docs: Docs, d: int, rng: np.random.Generator) -> list[list[int]]:
    """Return the sentences of a random document other than docs[d], from a random sentence to its end."""
    other = docs[(d + 1 + int(rng.random() * (len(docs) - 1))) % len(docs)]
    return list(other[int(rng.random() * len(other)) :])


def filling(sentences: list[list[int]], size: int) -> list[list[int]]:
    """Return the first sentences (at least one) that together hold `size` tokens, or all of a shorter list.

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
    """Make segment pairs (A, B) that fill a sequence, and for each where B comes from: one of `kinds`.

    docs: documents, each a list of sentences, each a list of ids. max_length: of the whole sequence, with its
    three special tokens. kinds: of NEXT, PREVIOUS, OTHER; all are equally likely. Sentences are gathered
    until they fill a sequence, then cut at a random sentence into two segments; what is too long is cut off.
    Where B comes from elsewhere, it is gathered until it is as long as the true one, or its document ends, so
    that its length gives little away; the sentences that would have been B go back and start the next
    sequence. A document's last single sentence can only become an A with a foreign B; without OTHER it is
    left out. Returns (rows, kinds). Raises ValueError for fewer than two documents where OTHER needs them, or
    no room for two tokens.
    # paper's code: until the sequence is full, in short documents too
    """
    docs = with_text(docs, least=2 if OTHER in kinds else 1)
    room = room_for(max_length, segments=2)
    rows, labels = [], []
    for d, doc in enumerate(docs):
        i = 0
        while i < len(doc) - (OTHER not in kinds):  # a last sentence alone needs a foreign B
            j, size = i, 0
            while j < len(doc) and (j < i + 2 or size < room):
                size += len(doc[j])
                j += 1
            cut = i + 1 if j - i < 2 else i + 1 + int(rng.random() * (j - i - 1))
            kind = OTHER if j - i < 2 else kinds[int(rng.random() * len(kinds))]
            a = join(doc[i:cut])
            b = join(
                filling(foreign_text(docs, d, rng), min(size, room) - len(a)) if kind == OTHER else doc[cut:j]
            )
            first, second = (b, a) if kind == PREVIOUS else (a, b)
            rows.append(truncate_pair(first, second, room))  # after the swap: no length gives it away
            labels.append(kind)
            i = cut if kind == OTHER else j
    return rows, labels


def nsp_examples(docs: Docs, max_length: int, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make the examples of next sentence prediction: 0 = B follows A, 1 = B comes from another document.

    Returns (rows (A, B), labels), see `pair_examples`.
    """
    rows, kinds = pair_examples(docs, max_length, rng, (OTHER, NEXT))
    return rows, [int(kind == OTHER) for kind in kinds]


def sop_examples(docs: Docs, max_length: int, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make the examples of sentence order prediction: 0 = in order, 1 = the same two segments swapped.

    Returns (rows (A, B), labels), see `pair_examples`.
    """
    return pair_examples(docs, max_length, rng, (NEXT, PREVIOUS))


def structural_examples(
    docs: Docs, max_length: int, rng: np.random.Generator
) -> tuple[list[Pair], list[int]]:
    """Make examples of three classes: 0 = B follows A, 1 = B precedes A, 2 = B comes from another document.

    Returns (rows (A, B), labels), see `pair_examples`.
    """
    return pair_examples(docs, max_length, rng, (NEXT, PREVIOUS, OTHER))


def structbert_examples(docs: Docs, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make a pair for each sentence A: 0 = B follows A, 1 = B precedes A, 2 = B comes from another document.

    docs: at least two documents, each of at least one sentence. `structural_examples` fills sequences with
    segments; here a segment is one sentence (Wang et al. 2020, section 2.2). Inside a document each label has
    a third; at its first and last sentence the labels that are possible are equally likely. Returns (rows,
    labels).

    >>> structbert_examples([[[5], [6], [7]], [[8]]], np.random.default_rng(10))
    ([([5], [8]), ([6], [7]), ([7], [6]), ([8], [7])], [2, 0, 1, 2])
    """
    rows, labels = [], []
    for d, doc in enumerate(docs):
        for i, a in enumerate(doc):
            offers = {
                NEXT: doc[i + 1 : i + 2],
                PREVIOUS: doc[max(0, i - 1) : i],
                OTHER: foreign_text(docs, d, rng),
            }
            possible = [kind for kind, sentences in offers.items() if sentences]
            kind = possible[int(rng.random() * len(possible))]
            rows.append((a, offers[kind][0]))
            labels.append(kind)
    return rows, labels


def distance_examples(docs: Docs, max_length: int, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make sentence pairs: 0 = B follows A, 1 = elsewhere in the same document, 2 = in another document.

    Each class has a third, and every sentence is an A once. A class that the document does not offer is
    replaced by the next one: the last sentence has no follower, a short document no sentence elsewhere.
    Returns (rows, labels); raises ValueError as `pair_examples` does.
    """
    docs, room = with_text(docs, least=2), room_for(max_length, segments=2)
    rows, labels = [], []
    for d, doc in enumerate(docs):
        for i, sentence in enumerate(doc):
            offers = [doc[i + 1 : i + 2], doc[: max(0, i - 1)] + doc[i + 2 :], foreign_text(docs, d, rng)]
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
    """Return how many orders there are of 1 to `most` segments together: the sum of n!."""
    return sum(math.factorial(n) for n in range(1, most + 1))


def reordering_examples(
    docs: Docs, max_length: int, rng: np.random.Generator, most: int = 3
) -> tuple[list[Single], list[int]]:
    """Split paragraphs into 1 to `most` segments of whole sentences and shuffle them; the label is the order.

    Labels count the orders of one segment first, then those of two, and so on. The number of segments n is
    drawn first, then their order, so that the text in its original order (label 0) is not rare. A sentence
    longer than a sequence is cut. Returns (rows (text, None), labels).
    """
    room = room_for(max_length, segments=1)
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
    """Label each token 1 where it also occurs in another sequence of its document, else 0.

    Returns (rows (text, None), a list of labels for each row).
    """
    room = room_for(max_length, segments=1)
    rows, labels = [], []
    for text in (join(doc) for doc in with_text(docs)):
        parts = [text[i : i + room] for i in range(0, len(text), room)]
        for k, part in enumerate(parts):
            elsewhere = set(join(parts[:k] + parts[k + 1 :]))
            rows.append((part, None))
            labels.append([int(token in elsewhere) for token in part])
    return rows, labels
