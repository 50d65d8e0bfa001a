"""Orders are drawn evenly; their two visibilities see what is earlier, and the order of reading is causal."""

import numpy as np
import pytest
from tiny import B, T

from minibert.data.batch import visible_causal
from minibert.data.permutation import factorization_order, last_in_order, permutation_visible

REAL = np.arange(T) < np.array([11, 7, 9])[:, None]
CANDIDATES = REAL & (np.arange(T) != 0) & (np.arange(T) != 4)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_each_row_is_a_permutation_with_given_tokens_first_and_padding_last(rng):
    order = factorization_order(CANDIDATES, REAL, rng)
    assert np.array_equal(np.sort(order, axis=1), np.tile(np.arange(T), (B, 1)))
    assert (order[:, 0] == 0).all() and (order[:, 4] == 1).all()
    for row, size in zip(order, (11, 7, 9)):
        assert np.array_equal(row[size:], np.arange(size, T))


def test_every_order_of_the_candidates_is_equally_likely(rng):
    n = 12000
    candidates = np.tile([False, True, True, True], (n, 1))
    orders = factorization_order(candidates, np.ones_like(candidates), rng)[:, 1:]
    found, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(found) == 6 and np.abs(counts - n / 6).max() < 6 * np.sqrt(n / 6 * 5 / 6)


def test_the_order_of_reading_is_causal_and_a_query_sees_the_same_but_itself():
    order = np.tile(np.arange(T), (B, 1))
    content, query = permutation_visible(REAL, order)
    assert np.array_equal(content, visible_causal(REAL))
    assert np.array_equal(query, visible_causal(REAL) & ~np.eye(T, dtype=bool))


def test_a_query_sees_exactly_the_real_tokens_before_it_in_the_order(rng):
    order = factorization_order(CANDIDATES, REAL, rng)
    content, query = permutation_visible(REAL, order)
    for b in range(B):
        for t in range(T):
            earlier = {s for s in range(T) if REAL[b, s] and order[b, s] < order[b, t]}
            assert set(np.flatnonzero(query[b, t])) == earlier
            assert set(np.flatnonzero(content[b, t])) == earlier | ({t} if REAL[b, t] else set())


def test_both_visibilities_are_boolean_and_the_arguments_stay(rng):
    order, real = factorization_order(CANDIDATES, REAL, rng), REAL.copy()
    before = order.copy()
    for visible in permutation_visible(real, order):
        assert visible.shape == (B, T, T) and visible.dtype == bool
    assert np.array_equal(order, before) and np.array_equal(real, REAL)


def test_context_that_shares_a_low_place_is_seen_by_all(rng):
    order = rng.permuted(np.tile(np.arange(T), (B, 1)), axis=1)
    order = np.where(order < 6, -1, order)
    content, query = permutation_visible(np.ones((B, T), bool), order)
    context = np.broadcast_to((order == -1)[:, None, :], (B, T, T))
    assert content[context].all() and query[context & (order >= 0)[:, :, None]].all()


def test_an_order_of_another_shape_is_an_error():
    with pytest.raises(ValueError, match=r"order has shape \(3, 4\), but real has \(3, 11\): give each"):
        permutation_visible(REAL, np.zeros((3, 4)))


def test_the_last_of_the_order_are_predicted_one_in_k(rng):
    order = factorization_order(CANDIDATES, REAL, rng)
    predicted = last_in_order(order, CANDIDATES, 3)
    assert not (predicted & ~CANDIDATES).any()
    assert predicted.sum(1).tolist() == [3, 2, 2]  # of 9, 5 and 7 candidates
    for b in range(B):
        assert order[b, predicted[b]].min() > order[b, CANDIDATES[b] & ~predicted[b]].max()


def test_one_candidate_is_predicted_and_none_is_not(rng):
    candidates = np.array([[False, True, False], [False, False, False]])
    order = factorization_order(candidates, np.ones_like(candidates), rng)
    assert np.array_equal(last_in_order(order, candidates, 6), candidates)


def test_less_than_one_candidate_for_a_prediction_is_an_error(rng):
    with pytest.raises(ValueError, match="one_in=0.5 must be at least 1"):
        last_in_order(np.zeros((1, 2), int), np.ones((1, 2), bool), 0.5)
