"""What a row of text is, beside the pairs of `packing`: the input formats that RoBERTa compared, and XLM's
streams, in NumPy.

Liu et al. (2019, arXiv 1907.11692), section 4.2 and table 2; its SEGMENT-PAIR is `packing.nsp_examples`. Text
streams: Conneau and Lample (2019, arXiv 1901.07291), section 3.3. Each returns (rows, sequence labels or None), as
`Objective.build` does.
"""
from .packing import foreign_text, join, room_for, truncate_pair, with_text


def sentence_pairs(docs, max_length, rng):
    """SENTENCE-PAIR: single sentences; 0 = B follows A, 1 = B comes from another document, half each on
    average.

    The rows are much shorter than max_length: the paper takes more of them into a batch. Returns (rows (A,
    B), labels); raises ValueError for fewer than two documents or no room for two tokens.
    """
    docs, room = with_text(docs, least=2), room_for(max_length, segments=2)
    rows, labels = [], []
    for d, doc in enumerate(docs):
        i = 0
        while i < len(doc):
            foreign = i + 1 == len(doc) or rng.random() < 0.5
            b = foreign_text(docs, d, rng)[0] if foreign else doc[i + 1]
            rows.append(truncate_pair(doc[i], b, room))
            labels.append(int(foreign))
            i += 1 if foreign else 2
    return rows, labels


def full_sentences(docs, max_length, sep):
    """FULL-SENTENCES: whole sentences until the next would not fit, on into the next document, `sep` (an id)
    between two.

    A sentence longer than a row is cut into several. Returns (rows (text, None), None).
    """
    room = room_for(max_length, segments=1)
    rows, row = [], []
    for doc in with_text(docs):
        for s, sentence in enumerate(doc):
            border = [sep] if row and s == 0 else []
            if row and len(row) + len(border) + len(sentence) > room:
                rows.append(row)
                row, border = [], []
            row = row + border + sentence
            while len(row) > room:
                rows.append(row[:room])
                row = row[room:]
    return [(row, None) for row in rows + [row] if row], None


def doc_sentences(docs, max_length):
    """DOC-SENTENCES: as full_sentences, but a row ends with its document. Returns (rows (text, None), None).

    Rows at the end of a document are shorter: the paper takes more of them into a batch.
    """
    return join(full_sentences([doc], max_length, sep=None)[0] for doc in with_text(docs)), None


def text_streams(docs, max_length, sep):
    """Text streams: all sentences one after another, `sep` (an id) between two, cut wherever a row is full.

    Rows end inside sentences and run across documents; none but the last is shorter than the room. Returns
    (rows, None).
    """
    room = room_for(max_length, segments=1)
    stream = join([sep, *sentence] for sentence in join(with_text(docs)))[1:]
    return [(stream[i:i + room], None) for i in range(0, len(stream), room)], None
