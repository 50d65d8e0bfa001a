"""Properties of attention that hold whatever the numbers."""

import numpy as np
import pytest
from tiny import B, D, H, K, T

from minibert.reference import (
    attention,
    merge_heads,
    multi_head_attention,
    positional_encoding,
    softmax,
    split_heads,
)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_softmax_survives_large_numbers():
    assert np.allclose(softmax(np.array([1e4, 1e4])), 0.5)


def test_softmax_sums_to_one_along_the_axis_asked_for(rng):
    assert np.allclose(softmax(rng.normal(size=(3, 5)), axis=0).sum(0), 1)


def test_a_hidden_key_gets_no_weight_and_a_blind_query_no_nan(rng):
    q, k, v = (rng.normal(size=(B, T, K)) for _ in range(3))
    visible = np.ones((B, T, T), bool)
    visible[0, :, 3] = visible[1, 2, :] = False
    context, probs = attention(q, k, v, visible)
    assert probs[0, :, 3].max() == 0 and np.isfinite(context).all()
    assert np.allclose(context[1, 2], v[1].mean(0))


def test_heads_split_and_merge_back(rng):
    x = rng.normal(size=(B, T, D))
    assert split_heads(x, H).shape == (B, H, T, K)
    assert np.array_equal(merge_heads(split_heads(x, H)), x)
    assert np.array_equal(split_heads(x, H)[0, 1, 2], x[0, 2, K : 2 * K])


def test_heads_that_do_not_divide_the_width_are_an_error():
    with pytest.raises(ValueError, match="hidden size 10 is not a multiple of 4 heads"):
        split_heads(np.zeros((1, 2, 10)), 4)


def test_without_positions_attention_follows_a_permutation(rng):
    p = {
        f"{name}.{kind}": rng.normal(size=(D, D) if kind == "weight" else D)
        for name in ("query", "key", "value", "out")
        for kind in ("weight", "bias")
    }
    x, order = rng.normal(size=(B, T, D)), rng.permutation(T)
    assert np.allclose(multi_head_attention(x[:, order], p, H)[0], multi_head_attention(x, p, H)[0][:, order])


def test_position_dot_products_depend_on_distance_only():
    pe = positional_encoding(30, 16)
    products = pe @ pe.T
    for distance in (0, 1, 7):
        assert np.ptp(np.diagonal(products, distance)) < 1e-10


def test_an_odd_width_of_positions_is_an_error():
    with pytest.raises(ValueError, match="hidden_size=7 must be even"):
        positional_encoding(3, 7)
