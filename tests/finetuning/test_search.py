"""BM25 against its formula, and indexes that rank texts."""

import math

import numpy as np
import pytest

from minibert.finetuning.search import BM25, VectorIndex, best, combined, unit

TEXTS = ["the cat sat on the mat", "a dog", "The CAT, the cat and the dog!", "nothing else here at all"]


def test_bm25_is_its_formula():
    lengths = [6, 2, 7, 5]
    found = BM25(TEXTS, k1=1.5, b=0.6).scores("Cat dog cat zebra")

    def part(tf, n, length):
        norm = 1.5 * (1 - 0.6 + 0.6 * length / (sum(lengths) / 4))
        return math.log(1 + (4 - n + 0.5) / (n + 0.5)) * tf * 2.5 / (tf + norm)

    by_hand = [2 * part(1, 2, 6), part(1, 2, 2), 2 * part(2, 2, 7) + part(1, 2, 7), 0]
    np.testing.assert_allclose(found, by_hand)


def test_rare_words_count_more_and_repetitions_less_each_time():
    index = BM25(["one two", "one one one one two", "one three"])
    assert index.scores("three").max() > index.scores("two").max() > index.scores("one").max()
    single, many = BM25(["x y", "x x x x"], b=0).scores("x")
    assert single < many < 4 * single


def test_vectors_are_compared_by_direction():
    table = {"a": [3.0, 0.0], "b": [0.1, 0.1], "c": [0.0, 9.0], "query": [5.0, 4.0]}
    index = VectorIndex(["a", "b", "c"], lambda texts: np.array([table[text] for text in texts]))
    np.testing.assert_allclose(np.linalg.norm(index.vectors, axis=1), 1)
    assert [i for i, _ in best(index.scores("query"), 3)] == [1, 0, 2]
    assert best(index.scores("query"), 1)[0][1] == pytest.approx(9 / math.sqrt(2 * 41))
    assert unit(np.array([3.0, 4.0])).tolist() == [0.6, 0.8]


def test_a_combination_depends_on_ranks_alone():
    one, two = np.array([0.9, 0.5, 0.1]), np.array([1.0, 3.0, 2.0])
    np.testing.assert_allclose(combined(one, two), [1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62])
    np.testing.assert_allclose(combined(one, 100 * two**3), combined(one, two))
    np.testing.assert_allclose(combined(np.zeros(3)), 1 / 62)  # equal scores: no text gains
