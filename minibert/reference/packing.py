"""Documents to rows and sequence labels for objectives about sentences, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2, and appendix A.2: a segment is a span of
sentences. Order: Lan et al. (2020, arXiv 1909.11942), section 3.1; three ways: Wang et al. (2020, arXiv
1908.04577), section 2; the others: Sun et al. (2020, arXiv 1907.12412). What a model reads without a sentence
objective is in `formats`.
"""
import math

NEXT, PREVIOUS, OTHER = 0, 1, 2     # where segment B comes from: after A, before A, another document


def truncate_pair(a, b, max_tokens):
    """Drop tokens from the end of the longer segment until both fit in `max_tokens` together. Returns new
    lists.
    """
    a, b = list(a), list(b)
    while len(a) + len(b) > max_tokens:
        (a if len(a) > len(b) else b).pop()
    return a, b


def join(sentences):
    """One list of ids from several."""
    return [token for sentence in sentences for token in sentence]


def with_text(docs, least=1):
    """The documents without empty sentences and without empty documents. Raises ValueError for fewer than
    `least`.
    """
    docs = [[sentence for sentence in doc if sentence] for doc in docs]
    docs = [doc for doc in docs if doc]
    if len(docs) < least:
        raise ValueError(
            f"{len(docs)} document(s) with text: a sentence from another document needs at least {least}")
    return docs


def room_for(max_length, segments):
    """Tokens left in a row beside [CLS] and a [SEP] after each segment. Raises ValueError for less than one a
    segment.
    """
    room = max_length - 1 - segments
    if room < segments:
        raise ValueError(f"max_length={max_length} leaves no room: {segments + 1} special tokens and "
                         f"{segments} segment(s) "
                         f"need {2 * segments + 1}")
    return room


def foreign_text(docs, d, rng):
    """The sentences of a random other document than docs[d], from a random one on."""
    other = docs[(d + 1 + int(rng.random() * (len(docs) - 1))) % len(docs)]
    return other[int(rng.random() * len(other)):]


def filling(sentences, size):
    """The first sentences, at least one, that together hold `size` tokens; all of them where they hold fewer.

    >>> filling([[5, 6], [7, 8], [9]], 3)
    [[5, 6], [7, 8]]
    """
    count, total = 1, len(sentences[0])
    while total < size and count < len(sentences):
        total, count = total + len(sentences[count]), count + 1
    return sentences[:count]


def pair_examples(docs, max_length, rng, kinds):
    """Rows (A, B) and their kinds, drawn from `kinds` (of NEXT, PREVIOUS, OTHER), all alike on average.

    docs: documents, each a list of sentences, each a list of ids. max_length: of the whole row, with its
    three special tokens. Sentences are gathered until they fill a row, then cut at a random sentence into two
    segments; what is too long is cut off. Where B comes from elsewhere, it is gathered until it is as long as
    the true one, so that its length does not tell; the sentences that would have been B go back and start the
    next row. A document's last single sentence can only become an A with a foreign B; without OTHER it is
    left out. Raises ValueError for fewer than two documents where OTHER needs them, or no room for two
    tokens.  # paper's code: until the row is full, in short documents too
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
            b = join(filling(foreign_text(docs, d, rng), min(size, room) - len(a)) if kind == OTHER
                     else doc[cut:j])
            first, second = (b, a) if kind == PREVIOUS else (a, b)
            rows.append(truncate_pair(first, second, room))  # after the swap, so that no length tells
            labels.append(kind)
            i = cut if kind == OTHER else j
    return rows, labels


def nsp_examples(docs, max_length, rng):
    """Next sentence prediction: rows (A, B) as in `pair_examples`, and labels, 0 = B follows A, 1 = B from
    another document.
    """
    rows, kinds = pair_examples(docs, max_length, rng, (OTHER, NEXT))
    return rows, [int(kind == OTHER) for kind in kinds]


def sop_examples(docs, max_length, rng):
    """Sentence order: rows (A, B) as in `pair_examples`, and labels, 0 = in order, 1 = the same two segments
    swapped.
    """
    return pair_examples(docs, max_length, rng, (NEXT, PREVIOUS))


def structural_examples(docs, max_length, rng):
    """Three ways: rows (A, B) as in `pair_examples`, and labels, 0 = B follows A, 1 = B precedes A, 2 =
    another document.
    """
    return pair_examples(docs, max_length, rng, (NEXT, PREVIOUS, OTHER))


def distance_examples(docs, max_length, rng):
    """Pairs of sentences: 0 = B follows A, 1 = elsewhere in the same document, 2 = in another document; a
    third each.

    Every sentence is an A once. A class that the document does not offer gives way to the next one: the last
    sentence has no follower, a short document no sentence elsewhere. Returns (rows, labels); raises
    ValueError as `pair_examples`.
    """
    docs, room = with_text(docs, least=2), room_for(max_length, segments=2)
    rows, labels = [], []
    for d, doc in enumerate(docs):
        for i, sentence in enumerate(doc):
            offers = [doc[i + 1:i + 2], doc[:max(0, i - 1)] + doc[i + 2:], foreign_text(docs, d, rng)]
            label = next(kind for kind in range(int(rng.random() * 3), 3) if offers[kind])
            rows.append(truncate_pair(sentence, offers[label][int(rng.random() * len(offers[label]))], room))
            labels.append(label)
    return rows, labels


def nth_order(n, rank):
    """The order number `rank` (0 to n! - 1) of n things, in the order of a dictionary.

    >>> [nth_order(3, rank) for rank in (0, 1, 5)]
    [[0, 1, 2], [0, 2, 1], [2, 1, 0]]
    """
    left, order = list(range(n)), []
    for size in range(n, 0, -1):
        index, rank = divmod(rank, math.factorial(size - 1))
        order.append(left.pop(index))
    return order


def reordering_classes(most):
    """How many orders 1 to `most` segments have together: the sum of n!."""
    return sum(math.factorial(n) for n in range(1, most + 1))


def reordering_examples(docs, max_length, rng, most=3):
    """Paragraphs of whole sentences, split into 1 to `most` segments and shuffled: rows (text, None), labels
    the order.

    The label counts the orders of one segment, then those of two, and so on; n is drawn first, then its
    order, so that the text in its right order (label 0) is no rare case. A sentence longer than a row is cut.
    Returns (rows, labels).
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
            cuts = [i, *sorted(rng.choice(range(i + 1, j), n - 1, replace=False).tolist() if n > 1 else []),
                    j]
            rank = int(rng.random() * math.factorial(n))
            rows.append((join(sentence for k in nth_order(n, rank)
                              for sentence in doc[cuts[k]:cuts[k + 1]])[:room], None))
            labels.append(reordering_classes(n - 1) + rank)
            i = j
    return rows, labels


def relation_examples(docs, max_length):
    """Rows (text, None) and, for each token, 1 where it occurs in another row of its document, else 0: a list
    a row.
    """
    room = room_for(max_length, segments=1)
    rows, labels = [], []
    for text in (join(doc) for doc in with_text(docs)):
        parts = [text[i:i + room] for i in range(0, len(text), room)]
        for k, part in enumerate(parts):
            elsewhere = set(join(parts[:k] + parts[k + 1:]))
            rows.append((part, None))
            labels.append([int(token in elsewhere) for token in part])
    return rows, labels
