"""Documents to rows of two segments for next sentence prediction, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2, and appendix A.2: a segment is a span of sentences.
"""


def truncate_pair(a, b, max_tokens):
    """Drop tokens from the end of the longer segment until both fit in `max_tokens` together. Returns new lists."""
    a, b = list(a), list(b)
    while len(a) + len(b) > max_tokens:
        (a if len(a) > len(b) else b).pop()
    return a, b


def join(sentences):
    """One list of ids from several."""
    return [token for sentence in sentences for token in sentence]


def nsp_examples(docs, max_length, rng):
    """Rows (A, B) and labels, 0 = B follows A, 1 = B comes from another document, half each on average.

    docs: documents, each a list of sentences, each a list of ids. max_length: of the whole row, with its three special
    tokens. Sentences are gathered until they fill a row, then cut at a random sentence into A and B; what is too long is
    cut off. Where B is replaced, the sentences that would have been B go back and start the next row. A document's last
    single sentence can only become an A with a foreign B. Raises ValueError for fewer than two documents or no room for
    two tokens.
    """
    docs = [[sentence for sentence in doc if sentence] for doc in docs]
    docs = [doc for doc in docs if doc]
    if len(docs) < 2:
        raise ValueError(f"{len(docs)} document(s) with text: a sentence from another document needs at least 2")
    room = max_length - 3                                                       # [CLS] A [SEP] B [SEP]
    if room < 2:
        raise ValueError(f"max_length={max_length} leaves no room: three special tokens and two segments need 5")
    rows, labels = [], []
    for d, doc in enumerate(docs):
        i = 0
        while i < len(doc):
            j, size = i, 0
            while j < len(doc) and (j < i + 2 or size < room):
                size += len(doc[j])
                j += 1
            cut = i + 1 if j - i < 2 else i + 1 + int(rng.random() * (j - i - 1))
            foreign = j - i < 2 or rng.random() < 0.5
            if foreign:
                other = docs[(d + 1 + int(rng.random() * (len(docs) - 1))) % len(docs)]
                b, following = join(other[int(rng.random() * len(other)):]), cut
            else:
                b, following = join(doc[cut:j]), j
            rows.append(truncate_pair(join(doc[i:cut]), b[:room], room))
            labels.append(int(foreign))
            i = following
    return rows, labels
