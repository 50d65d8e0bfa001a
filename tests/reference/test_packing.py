"""Rows for next sentence prediction: true continuations, foreign ones, and what fits."""
import numpy as np
import pytest
from tiny import documents

from minibert.reference.packing import join, nsp_examples, truncate_pair


def numbered(count=12, sentences=7):
    """Documents whose ids tell document and order: 1000 d + running number."""
    return [[[1000 * (d + 1) + 4 * s + i for i in range(4)] for s in range(sentences)] for d in range(count)]


def test_label_0_continues_a_and_label_1_is_another_document():
    rows, labels = nsp_examples(numbered(), 35, np.random.default_rng(0))
    assert {0, 1} == set(labels)
    for (a, b), label in zip(rows, labels):
        if label == 0:
            assert b[0] == a[-1] + 1
        else:
            assert b[0] // 1000 != a[0] // 1000


def test_no_row_is_longer_than_asked_and_no_segment_empty():
    rows, _ = nsp_examples(documents(count=30), 20, np.random.default_rng(0))
    assert all(a and b and len(a) + len(b) + 3 <= 20 for a, b in rows)


def test_every_sentence_is_read_as_an_a_or_a_true_b():
    docs = numbered()
    rows, labels = nsp_examples(docs, 2 * 28 + 3, np.random.default_rng(0))      # room for two whole documents
    seen = {i for (a, b), label in zip(rows, labels) for i in (a if label else a + b)}
    assert seen == {i for doc in docs for i in join(doc)}


def test_one_document_is_an_error():
    with pytest.raises(ValueError, match="1 document"):
        nsp_examples([[[5, 6]]], 20, np.random.default_rng(0))


def test_a_length_without_room_is_an_error():
    with pytest.raises(ValueError, match="max_length=4 leaves no room"):
        nsp_examples(documents(), 4, np.random.default_rng(0))


def test_truncation_shortens_the_longer_and_leaves_its_arguments():
    a, b = [1, 2, 3, 4, 5], [6, 7]
    assert truncate_pair(a, b, 4) == ([1, 2], [6, 7])
    assert (a, b) == ([1, 2, 3, 4, 5], [6, 7])


def test_short_rows_hold_both_labels_alike():
    _, labels = nsp_examples(numbered(60), 12, np.random.default_rng(0))
    assert 0.35 < np.mean(labels) < 0.65
