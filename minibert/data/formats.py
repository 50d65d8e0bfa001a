"""Input formats that Liu et al. compared with BERT's pairs of segments.

Liu et al. (2019, arXiv 1907.11692, RoBERTa), section 4.2 and table 2. Most functions return (sequences,
sequence-level labels or None).
"""

import numpy as np

from .packing import (
    Docs,
    Pair,
    Single,
    available_tokens,
    join,
    text_from_other_document,
    truncate_pair,
    with_text,
)


def sentence_pairs(docs: Docs, max_length: int, rng: np.random.Generator) -> tuple[list[Pair], list[int]]:
    """Make pairs of single sentences (A, B) in RoBERTa's format SENTENCE-PAIR; return (pairs, labels).

    Label 0 means that B follows A, and 1 that B comes from another document. Both labels are equally likely,
    except that the last sentence of a document has no successor. Raises ValueError if there are fewer than
    two documents, or if max_length is too small for two tokens.
    """
    docs, room = with_text(docs, least=2), available_tokens(max_length, segments=2)
    rows, labels = [], []
    for d, doc in enumerate(docs):
        i = 0
        while i < len(doc):
            foreign = i + 1 == len(doc) or rng.random() < 0.5
            b = text_from_other_document(docs, d, rng)[0] if foreign else doc[i + 1]
            rows.append(truncate_pair(doc[i], b, room))
            labels.append(int(foreign))
            i += 1 if foreign else 2
    return rows, labels


def full_sentences(docs: Docs, max_length: int, sep: int | None) -> tuple[list[Single], None]:
    """Fill sequences with full sentences, across document boundaries (RoBERTa's format FULL-SENTENCES).

    sep: an id to insert between two documents, or None. A sentence longer than a sequence is split. Returns
    (sequences (text, None), None).
    """
    room = available_tokens(max_length, segments=1)
    rows: list[list[int]] = []
    row: list[int] = []
    for doc in with_text(docs):
        for s, sentence in enumerate(doc):
            border = [sep] if sep is not None and row and s == 0 else []
            if row and len(row) + len(border) + len(sentence) > room:
                rows.append(row)
                row, border = [], []
            row = row + border + sentence
            while len(row) > room:
                rows.append(row[:room])
                row = row[room:]
    return [(row, None) for row in rows + [row] if row], None


def doc_sentences(docs: Docs, max_length: int) -> tuple[list[Single], None]:
    """Fill each sequence with full sentences of one document (RoBERTa's format DOC-SENTENCES).

    Returns (sequences (text, None), None).
    """
    return join(full_sentences([doc], max_length, sep=None)[0] for doc in with_text(docs)), None


def pack_sentences(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """Pack full sentences into sequences, and return these as lists of ids.

    cross: whether sequences may cross document boundaries (FULL-SENTENCES) or not (DOC-SENTENCES). room: the
    maximum number of tokens in a sequence, at least the length of the longest sentence. sep: the id between
    two documents in a sequence, which counts as a token. [CLS] and the final [SEP] are not included.

    >>> docs = [[[5, 6], [7]], [[8, 9]]]
    >>> pack_sentences(docs, 6, 3, True), pack_sentences(docs, 6, 3, False)
    ([[5, 6, 7, 3, 8, 9]], [[5, 6, 7], [8, 9]])
    """
    special = 2  # [CLS] and [SEP]
    packed = full_sentences(docs, room + special, sep) if cross else doc_sentences(docs, room + special)
    return [text for text, _ in packed[0]]
