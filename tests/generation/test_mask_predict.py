"""Mask-Predict masks the least certain tokens again, fewer in each iteration."""

from functools import partial

import numpy as np
import pytest
from exact import MASK, conditionals, joint

from minibert.generation.mask_predict import best_length, mask_predict, number_masked
from minibert.generation.sampling import sample


def certain(certainty, seen=None):
    """Return a model that is sure of token 1 at each position by a fixed log probability."""

    def log_probs(ids):
        if seen is not None:
            seen.append(ids.copy())
        first = np.log(certainty) + np.zeros(ids.shape)
        return np.stack([np.log1p(-np.exp(first)), first], -1)

    return log_probs


@pytest.mark.parametrize("n, iterations", [(12, 3), (10, 10), (7, 4), (3, 5), (1, 1)])
def test_the_number_of_masks_decays_linearly_from_all(n, iterations):
    numbers = [number_masked(n, t, iterations) for t in range(iterations + 1)]
    assert numbers[0] == n and numbers[-1] == 0
    assert numbers == [int(n * (iterations - t) / iterations + 1e-9) for t in range(iterations + 1)]


def test_the_least_certain_tokens_are_masked_again():
    certainty, seen = np.array([0.9, 0.6, 0.8, 0.7, 0.99, 0.55]), []
    ids = np.full((2, 6), MASK)
    found = mask_predict(ids, np.ones(6, bool), certain(certainty, seen), MASK, 3)
    assert [one.masked[1].nonzero()[0].tolist() for one in found] == [
        [0, 1, 2, 3, 4, 5],
        [1, 2, 3, 5],
        [1, 5],
    ]
    assert all(((one == MASK) == step.masked).all() for one, step in zip(seen, found))
    assert (found[-1].ids == 1).all()
    np.testing.assert_allclose(np.exp(found[-1].certainty[0]), certainty)


def test_tokens_that_stay_keep_their_certainty_and_given_tokens_are_never_masked():
    ids, free = np.array([[MASK, 2, MASK]]), np.array([True, False, True])
    found = mask_predict(ids, free, conditionals(joint()), MASK, 2)
    assert (ids == [[MASK, 2, MASK]]).all() and found[1].masked.sum() == 1
    for step in found:
        assert step.ids[0, 1] == 2 and not step.masked[0, 1]
    (kept,) = np.flatnonzero(free & ~found[1].masked[0])
    assert found[0].certainty[0, kept] == found[1].certainty[0, kept]
    assert found[0].certainty[0, found[1].masked[0]] <= found[0].certainty[0, kept]


def test_one_iteration_is_independent_per_position_and_more_reach_an_agreement():
    probs = np.zeros(27)
    probs[[0, 13, 26]] = 0.34, 0.33, 0.33  # 000, 111 and 222: the tokens agree
    draw = partial(sample, rng=np.random.default_rng(0))
    ids, free = np.full((2000, 3), MASK), np.ones(3, bool)

    def agree(iterations):
        final = mask_predict(ids, free, conditionals(probs), MASK, iterations, draw)[-1].ids
        return (final == final[:, :1]).all(1).mean()

    assert abs(agree(1) - 1 / 9) < 0.03 and agree(1) + 0.2 < agree(3)


def test_the_length_with_the_highest_mean_certainty_is_chosen():
    lengths = {2: 0.6, 3: 0.9}
    free = [np.ones(n, bool) for n in lengths]
    last = [
        mask_predict(np.full((4, n), MASK), f, certain(p), MASK, 2)[-1]
        for (n, p), f in zip(lengths.items(), free)
    ]
    assert best_length(last, free).tolist() == [1] * 4
