"""Rows for next sentence prediction: true continuations, foreign ones, and what fits."""

import numpy as np
import pytest
from tiny import documents

from minibert.data.packing import (
    distance_examples,
    join,
    nsp_examples,
    nth_order,
    relation_examples,
    reordering_classes,
    reordering_examples,
    sop_examples,
    structbert_examples,
    structural_examples,
    truncate_pair,
)


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
    rows, labels = nsp_examples(docs, 2 * 28 + 3, np.random.default_rng(0))  # room for two whole documents
    seen = {i for (a, b), label in zip(rows, labels) for i in (a if label else a + b)}
    assert seen == {i for doc in docs for i in join(doc)}


def test_one_document_is_an_error():
    with pytest.raises(ValueError, match="documents with text is 1, but must be at least 2"):
        nsp_examples([[[5, 6]]], 20, np.random.default_rng(0))


def test_a_length_without_room_is_an_error():
    with pytest.raises(ValueError, match="max_length=4 is too short"):
        nsp_examples(documents(), 4, np.random.default_rng(0))


def test_truncation_shortens_the_longer_and_leaves_its_arguments():
    a, b = [1, 2, 3, 4, 5], [6, 7]
    assert truncate_pair(a, b, 4) == ([1, 2], [6, 7])
    assert (a, b) == ([1, 2, 3, 4, 5], [6, 7])


def test_short_rows_hold_both_labels_alike():
    _, labels = nsp_examples(numbered(60), 12, np.random.default_rng(0))
    assert 0.35 < np.mean(labels) < 0.65


def test_swapped_segments_are_the_same_two_in_the_other_order():
    rows, labels = sop_examples(numbered(60), 23, np.random.default_rng(0))
    assert 0.4 < np.mean(labels) < 0.6
    for (a, b), label in zip(rows, labels):
        first, second = (b, a) if label else (a, b)
        assert first[0] // 1000 == second[0] // 1000 and first[0] < second[0]
        assert len(a) + len(b) + 3 <= 23


def test_truncation_tells_nothing_about_the_order():
    """The cut leaves the earlier segment its start; the later one starts where the earlier ended uncut."""
    rows, labels = sop_examples(numbered(60), 9, np.random.default_rng(0))
    assert {0, 1} == set(labels)
    assert all(len(a) == len(b) == 3 and b[0] == a[0] + 4 for a, b in map(sorted, rows))


def test_the_lengths_of_the_segments_tell_nothing_about_the_kind():
    rng = np.random.default_rng(0)
    docs = [[[5] * int(size) for size in rng.integers(3, 9, 600)] for _ in range(12)]
    rows, labels = nsp_examples(docs, 64, rng)
    lengths, labels = np.array([[len(a), len(b)] for a, b in rows]), np.array(labels)
    for quarter in (lengths[:, 0] <= 15, lengths[:, 0] > 45, lengths[:, 1] <= 15, lengths[:, 1] > 45):
        n = quarter.sum()
        assert n > 150 and abs(labels[quarter].mean() - labels.mean()) < 5 * np.sqrt(0.25 / n)


def test_beside_a_short_document_foreign_text_is_no_longer_than_its_own():
    rows, labels = nsp_examples(numbered(60, sentences=8), 131, np.random.default_rng(0))
    assert {0, 1} == set(labels) and max(len(a) + len(b) for a, b in rows) == 8 * 4


@pytest.mark.parametrize("room", [6, 7])
@pytest.mark.parametrize("examples", [sop_examples, structural_examples])
def test_the_lengths_of_two_long_segments_are_the_same_in_either_order(examples, room):
    docs = [[list(range(5, 25))] * 40 for _ in range(3)]  # each segment is longer than half a row
    rows, labels = examples(docs, room + 3, np.random.default_rng(0))
    lengths = {
        label: {(len(a), len(b)) for (a, b), of in zip(rows, labels) if of == label} for label in (0, 1)
    }
    # of an odd room the first has one more
    assert lengths[0] == lengths[1] == {(room - room // 2, room // 2)}


def test_sentence_order_needs_one_document_and_passes_over_lone_sentences():
    for docs in ([[[7, 8], [9]]], [[[5, 6]], [[7, 8], [9]]]):
        assert sop_examples(docs, 20, np.random.default_rng(3))[0] in ([([7, 8], [9])], [([9], [7, 8])])


def test_three_ways_are_a_third_each():
    rows, labels = structural_examples(numbered(150), 23, np.random.default_rng(0))
    lone = 1 / 7  # at most: a last sentence alone takes a foreign B
    shares = np.bincount(labels) / len(labels)
    assert len(shares) == 3 and np.abs(shares - 1 / 3).max() < lone
    for (a, b), label in zip(rows, labels):
        if label == 2:
            assert a[0] // 1000 != b[0] // 1000
        else:
            assert a[0] // 1000 == b[0] // 1000 and (a[0] < b[0]) == (label == 0)


def test_sentence_distance_is_that_in_the_document():
    rows, labels = distance_examples(numbered(60), 23, np.random.default_rng(0))
    assert len(rows) == 60 * 7 and np.bincount(labels).min() > 0.25 * len(rows)
    for (a, b), label in zip(rows, labels):
        (document, place), (other, there) = divmod(a[0], 1000), divmod(b[0], 1000)
        assert label == (2 if document != other else 0 if there == place + 4 else 1)
        assert label != 1 or abs(there - place) > 4


def test_a_document_of_one_sentence_has_only_foreign_partners():
    assert distance_examples([[[5]], [[6]]], 20, np.random.default_rng(0))[1] == [2, 2]


def test_orders_are_counted_like_words_in_a_dictionary():
    orders = [nth_order(4, rank) for rank in range(24)]
    assert orders == sorted(orders) and len(set(map(tuple, orders))) == 24
    assert [reordering_classes(most) for most in range(5)] == [0, 1, 3, 9, 33]


def test_a_reordered_paragraph_holds_its_sentences_in_the_order_of_its_label():
    rows, labels = reordering_examples(numbered(200), 2 + 5 * 4, np.random.default_rng(0))
    assert set(labels) == set(range(9))
    for (text, b), label in zip(rows, labels):
        steps = [
            place for place in range(4, len(text), 4) if text[place] != text[place - 1] + 1
        ]  # where segments meet
        firsts = [text[place] for place in (0, *steps)]
        assert b is None and len(text) <= 20 and sorted(text) == list(range(min(text), min(text) + len(text)))
        n = next(n for n in range(1, 4) if label < reordering_classes(n))
        order = nth_order(n, label - reordering_classes(n - 1))
        seen = [
            k for before, k in zip([None, *order], order) if before is None or k != before + 1
        ]  # neighbours melt
        assert np.argsort(np.argsort(firsts)).tolist() == np.argsort(np.argsort(seen)).tolist()
    right = np.isin(labels, [0, 1, 3]).mean()
    assert abs(right - (1 + 1 / 2 + 1 / 6) / 3) < 0.12


def test_a_token_is_related_where_another_row_of_its_document_holds_it():
    rows, labels = relation_examples([[[5, 6, 7], [7, 8]], [[8, 5]]], 5)
    assert rows == [([5, 6, 7], None), ([7, 8], None), ([8, 5], None)]
    assert labels == [[0, 0, 1], [1, 0], [0, 0]]


def test_a_row_without_room_for_one_segment_is_an_error():
    with pytest.raises(ValueError, match="max_length=2 is too short: 2 special tokens and 1 segment need"):
        relation_examples(documents(), 2)


def test_each_sentence_is_an_a_once_with_the_labels_that_are_possible_there():
    docs, rng = [*numbered(2, 3), [[9]]], np.random.default_rng(0)
    seen = set()
    for _ in range(200):
        rows, labels = structbert_examples(docs, rng)
        assert [a for a, _ in rows] == join(docs)
        for (a, b), label in zip(rows, labels, strict=True):
            d, i = next((d, doc.index(a)) for d, doc in enumerate(docs) if a in doc)
            assert (
                b
                in ([*docs[d][i + 1 : i + 2]], docs[d][max(0, i - 1) : i], join(docs[:d] + docs[d + 1 :]))[
                    label
                ]
            )
            seen.add((d, i, label))
    edges = {(0, 0, 1), (0, 2, 0), (1, 0, 1), (1, 2, 0), (2, 0, 0), (2, 0, 1)}
    assert (
        seen
        == {(d, i, label) for d, doc in enumerate(docs) for i in range(len(doc)) for label in range(3)}
        - edges
    )


def test_three_labels_have_a_third_each_inside_a_document():
    rng = np.random.default_rng(0)
    labels = np.array([structbert_examples(numbered(2, 22), rng)[1] for _ in range(100)])  # (100, 2 * 22)
    inner = labels.reshape(-1, 22)[:, 1:-1]
    assert np.allclose(np.bincount(inner.ravel()) / inner.size, 1 / 3, atol=0.03)
