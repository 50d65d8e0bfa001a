"""Heads that follow relations, and heads that are missed: small cases whose result is known."""

import numpy as np
import pytest
from scipy import stats

from minibert.analysis import heads

L, H, N = 3, 4, 10


def test_words_get_the_sum_over_their_tokens_and_give_the_mean():
    probs = np.random.default_rng(0).dirichlet(np.ones(6), size=(2, 6))
    word_of = np.array([-1, 0, 1, 1, 2, -1])
    found = heads.to_words(probs, word_of)
    for head, i, j in np.ndindex(2, 3, 3):
        rows, columns = np.flatnonzero(word_of == i), np.flatnonzero(word_of == j)
        assert found[head, i, j] == pytest.approx(np.mean([probs[head, r, columns].sum() for r in rows]))
    with pytest.raises(ValueError, match="word 1 has no token"):
        heads.to_words(probs[:, :2, :2], np.array([0, 2]))


def test_a_head_that_points_to_the_heads_of_words_follows_them():
    parents = np.array([1, 2, 5, 2, 3])
    pairs = np.stack([np.arange(5), parents], -1)
    attention = np.full((2, 6, 6), 0.1)
    attention[0, np.arange(5), parents] = 0.5
    attention[:, np.arange(6), np.arange(6)] = 0.9  # to itself: does not count
    found = heads.follows(attention, pairs)
    assert found[0].all() and found[1].sum() < 5


def test_the_best_offset_is_the_most_frequent_one():
    assert heads.best_offset([np.array([[0, 1], [1, 2]]), np.array([[3, 1], [4, 5], [0, 2]])]) == (1, 0.6)
    with pytest.raises(ValueError, match="no pairs"):
        heads.best_offset([np.empty((0, 2))])


def additive(worth):
    """A model whose score is the sum of what its heads are worth, the same for all examples."""
    return lambda gate: np.full(N, (gate * worth).sum())


def test_each_head_is_missed_as_much_as_it_is_worth():
    worth = np.random.default_rng(0).normal(size=(L, H))
    off = heads.scores_without_head(additive(worth), L, H)
    assert off.shape == (L, H, N) and worth.sum() - off.mean(-1) == pytest.approx(worth)
    left = heads.scores_with_one_head(additive(worth), L, H).mean(-1)
    assert left == pytest.approx(worth.sum() - worth.sum(1, keepdims=True) + worth)


def test_pruning_goes_from_the_least_important_head_and_asks_anew():
    worth, gates = np.arange(L * H).reshape(L, H).astype(float), []

    def importance(gate):
        gates.append(gate)
        return worth

    left, scores = heads.pruning_curve(additive(worth), importance, L, H, step=5)
    assert left.tolist() == [12, 7, 2, 0] and scores.tolist() == [66, 56, 21, 0]
    assert [gate.sum() for gate in gates] == [12, 7, 2] and worth[0, 0] == 0


def test_pruning_by_an_order_that_is_turned_round_is_worse_at_every_step():
    worth = np.random.default_rng(0).random((L, H))
    good, bad = (
        heads.pruning_curve(additive(worth), lambda gate, sign=sign: sign * worth, L, H)[1]
        for sign in (1, -1)
    )
    assert (good[1:-1] > bad[1:-1]).all() and good[-1] == bad[-1] == 0


def test_differences_are_tested_on_pairs():
    rng = np.random.default_rng(0)
    before, after = rng.random(40) < 0.8, rng.random(40) < 0.5
    better, worse = (~before & after).sum(), (before & ~after).sum()
    mean, p = heads.paired_difference(before, after)
    assert mean == pytest.approx((int(better) - int(worse)) / 40)
    assert p == pytest.approx(stats.binomtest(int(better), int(better + worse)).pvalue)
    losses = rng.normal(size=(2, 30)) + [[0], [0.5]]
    assert heads.paired_difference(*losses)[1] == pytest.approx(stats.ttest_rel(*losses).pvalue)
    assert heads.paired_difference(before, before) == (0, 1)
    assert heads.paired_difference(np.zeros(3), np.ones(3)) == (1, 0)
    with pytest.raises(ValueError, match="use the same examples"):
        heads.paired_difference(np.zeros(3), np.zeros(4))


def test_of_many_tests_by_chance_hardly_any_table_has_a_clear_one():
    rng = np.random.default_rng(0)
    false = np.mean([heads.significant_differences(rng.random((6, 12))).any() for _ in range(1000)])
    assert 0.03 < false < 0.07
    assert heads.significant_differences(np.array([0.02, 0.02, 0.001])).tolist() == [True, True, True]


def test_likeness_is_one_for_what_did_not_change():
    before = np.random.default_rng(0).normal(size=(L, H, 5, 5))
    after = before.copy()
    after[2, 1] *= -1
    assert heads.likeness(before, after, kept=2)[2] == pytest.approx([1, -1, 1, 1])
    by_layer = heads.likeness(before, 3 * after)
    assert by_layer[:2] == pytest.approx(1) and by_layer[2] < 1
