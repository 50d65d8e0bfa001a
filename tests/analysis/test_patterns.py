"""Patterns of attention heads: made by hand, each is recognised, and uniform attention is none."""

import numpy as np
import pytest

from minibert.analysis import patterns
from minibert.reference import softmax

T = 12
SPECIAL = np.zeros(T, bool)
SPECIAL[[0, 5, 11]] = True
SEGMENTS = (np.arange(T) > 5).astype(int)


def made(**weights):
    """Attention (T, T) mixed of parts, by name and share; the rest is uniform."""
    t = np.arange(T)
    near = np.abs(np.subtract.outer(t, t)) <= 1
    own = np.equal.outer(SEGMENTS, SEGMENTS)
    parts = {
        "cls": np.eye(T)[0][None].repeat(T, 0),
        "sep": np.tile(SPECIAL * (t > 0) / 2, (T, 1)),
        "near": near / near.sum(1, keepdims=True),
        "own": own / own.sum(1, keepdims=True),
    }
    return sum(share * parts[name] for name, share in weights.items()) + (1 - sum(weights.values())) / T


@pytest.mark.parametrize(
    "weights, name",
    [
        (dict(cls=0.9), "vertical"),
        (dict(sep=0.8), "vertical"),
        (dict(near=0.9), "diagonal"),
        (dict(near=0.5, sep=0.5), "vertical + diagonal"),
        (dict(own=0.95), "block"),
        ({}, "heterogeneous"),
        (dict(own=0.2), "heterogeneous"),
    ],
)
def test_a_pattern_made_by_hand_is_recognised(weights, name):
    assert patterns.classify(made(**weights), SPECIAL, SEGMENTS).item() == name


@pytest.mark.parametrize("size", [4, 6, 30])
def test_uniform_attention_has_no_pattern_however_short_the_text(size):
    special = np.isin(np.arange(size), (0, size - 1))
    uniform = np.full((size, size), 1 / size)
    assert patterns.classify(uniform, special, np.arange(size) > size // 2).item() == "heterogeneous"
    wanted = np.tile(special, (size, 1))
    assert patterns.above_uniform(uniform, wanted, ~special) == pytest.approx(0)


def test_one_segment_has_no_block():
    assert patterns.classify(made(own=0.95), SPECIAL, np.zeros(T)).item() == "heterogeneous"
    with pytest.raises(ValueError, match="all 3 tokens are special"):
        patterns.classify(np.eye(3), np.ones(3, bool), np.zeros(3))


def test_attention_to_chosen_tokens_counts_the_rows_that_are_wanted():
    probs = np.array([[0.2, 0.8], [1.0, 0.0]])
    to = patterns.attention_to
    assert to(probs, [False, True]) == pytest.approx(0.4) and to(probs, [True, False], [False, True]) == 1


def test_entropy_is_between_none_and_that_of_equal_weights():
    assert patterns.entropy(np.stack([np.eye(4), np.full((4, 4), 0.25)])) == pytest.approx([0, np.log(4)])


def test_the_distance_of_heads_is_the_divergence_from_their_mean():
    probs = softmax(np.random.default_rng(0).normal(size=(2, 3, 4, 5)))
    found = patterns.head_distances(probs)
    heads = probs.reshape(6, 4, 5)
    for i, j in np.ndindex(6, 6):
        mean = (heads[i] + heads[j]) / 2
        wanted = sum((p * np.log(p / mean)).sum() / 2 for p in (heads[i], heads[j]))
        assert found[i, j] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    "name, row",
    [
        ("current", [0, 0, 1, 0, 0]),
        ("previous", [0, 1, 0, 0, 0]),
        ("next", [0, 0, 0, 1, 0]),
        ("left", [1, 0, 0, 0, 0]),
        ("right", [0, 0, 0, 0, 1]),
    ],
)
def test_a_fixed_pattern_looks_where_its_name_says(name, row):
    pattern = patterns.fixed_pattern(name, 5)
    assert pattern[2].tolist() == row and pattern.sum(1) == pytest.approx(1)


def test_larger_context_has_equal_weights_and_another_name_is_refused():
    assert patterns.fixed_pattern("left", 5)[4].round(3).tolist() == [0.333, 0.333, 0.333, 0, 0]
    assert set(patterns.FIXED) == {"current", "previous", "next", "left", "right"}
    with pytest.raises(
        ValueError, match="'up' is not a fixed pattern; the fixed patterns are current, previous"
    ):
        patterns.fixed_pattern("up", 3)
