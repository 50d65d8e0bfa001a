"""Input formats: where rows end, what stands between documents, and that no token is lost."""

import numpy as np
import pytest
from tiny import documents

from minibert.data.formats import doc_sentences, full_sentences, pack_sentences, sentence_pairs
from minibert.data.packing import join

SEP = 3
DOCS = [[[10, 11, 12], [13, 14]], [[20, 21], [22, 23, 24], [25]], [[30]]]


def texts(result):
    rows, labels = result
    assert labels is None and all(b is None for _, b in rows)
    return [text for text, _ in rows]


def test_full_sentences_go_on_into_the_next_document_with_a_separator():
    assert texts(full_sentences(DOCS, 10, SEP)) == [
        [10, 11, 12, 13, 14, SEP, 20, 21],
        [22, 23, 24, 25, SEP, 30],
    ]


def test_packed_sentences_are_both_formats_without_their_special_tokens():
    docs = documents(count=20)
    assert pack_sentences(docs, 28, SEP, True) == texts(full_sentences(docs, 30, SEP))
    assert pack_sentences(docs, 28, SEP, False) == texts(doc_sentences(docs, 30))


def test_a_separator_stands_between_documents_only_and_neither_starts_nor_ends_a_row():
    for room in range(3, 30):
        for text in texts(full_sentences(documents(count=20), room + 2, SEP)):
            assert text[0] != SEP and text[-1] != SEP and len(text) <= room


def test_doc_sentences_end_with_their_document():
    assert texts(doc_sentences(DOCS, 9)) == [[10, 11, 12, 13, 14], [20, 21, 22, 23, 24, 25], [30]]


def test_a_sentence_longer_than_a_row_is_cut_into_several():
    docs = [[[1, 2], [3, 4, 5, 6, 7, 8, 9], [10]]]
    assert texts(doc_sentences(docs, 5)) == [[1, 2], [3, 4, 5], [6, 7, 8], [9, 10]]


@pytest.mark.parametrize(
    "rows",
    [
        lambda docs: full_sentences(docs, 9, SEP),
        lambda docs: doc_sentences(docs, 9),
    ],
)
def test_every_token_is_read_once_in_its_order(rows):
    docs = documents(count=20)
    assert [i for i in join(texts(rows(docs))) if i != SEP] == join(map(join, docs))
    assert docs == documents(count=20)


def test_sentence_pairs_are_single_sentences_that_follow_or_do_not():
    docs = [[[100 * d + 4 * s + i for i in range(4)] for s in range(7)] for d in range(1, 41)]
    rows, labels = sentence_pairs(docs, 20, np.random.default_rng(0))
    assert 0.4 < np.mean(labels) < 0.65
    for (a, b), label in zip(rows, labels):
        assert len(a) == len(b) == 4
        assert a[0] // 100 != b[0] // 100 if label else b[0] == a[-1] + 1


def test_a_pair_needs_two_documents():
    with pytest.raises(ValueError, match="documents with text is 1, but must be at least 2"):
        sentence_pairs(DOCS[:1], 20, np.random.default_rng(0))
