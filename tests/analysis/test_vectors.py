"""Contextuality, identifiability, attribution and senses: arrays whose answer is known."""

import itertools

import numpy as np
import pytest

from minibert.analysis import attribution, contextuality, identifiability, senses
from minibert.analysis.definitions import effective_attention, nearest_sense, self_similarity
from minibert.reference import softmax

N, D, L, H, T, S, K = 12, 5, 6, 2, 4, 9, 3
WORDS = np.array([3, 1, 3, 4, 1, 3, 1, 9, 3, 4, 4, 1])


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return rng, rng.normal(size=(N, D)) + 0.3


def cosine(a, b):
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


def test_anisotropy_is_the_mean_over_all_pairs():
    _, x = drawn()
    pairs = [cosine(a, b) for a, b in itertools.combinations(x, 2)]
    assert contextuality.anisotropy(x) == pytest.approx(np.mean(pairs))
    with pytest.raises(ValueError, match="a pair needs at least two vectors, but got 1"):
        contextuality.anisotropy(x[:1])


def test_intra_sentence_similarity_is_with_the_mean_of_the_sentence():
    _, x = drawn()
    sentence = np.repeat([4, 7, 2], [3, 4, 5])
    wanted = [
        np.mean([cosine(row, x[sentence == one].mean(0)) for row in x[sentence == one]]) for one in (4, 7, 2)
    ]
    assert contextuality.intra_sentence_similarity(x, sentence) == pytest.approx(np.mean(wanted))


def test_explainable_variance_is_what_the_best_direction_explains():
    _, x = drawn()
    found = contextuality.explainable_variance(x)
    _, _, v = np.linalg.svd(x)
    assert found == pytest.approx(((x @ v[0]) ** 2).sum() / (x**2).sum()) and 1 / D < found < 1


def test_a_static_table_of_words_has_no_context_and_vectors_of_sentences_have():
    rng, _ = drawn()
    table, sentence = rng.normal(size=(10, 40)), np.repeat([0, 1, 2], 4)
    static, mixed = table[WORDS], rng.normal(size=(N, 40))
    alike, unlike = (np.mean(list(self_similarity(x, WORDS).values())) for x in (static, mixed))
    assert alike > 0.7 and abs(unlike) < 0.15
    constant, changing = (contextuality.word_variances(x, WORDS).mean() for x in (static, mixed))
    assert constant > 0.3 and abs(changing) < 0.15
    own = rng.normal(size=(3, 40))[sentence]
    assert contextuality.intra_sentence_similarity(own, sentence) - contextuality.anisotropy(own) > 0.5


def test_the_most_contextual_words_come_first_and_rare_ones_are_left_out():
    rng, x = drawn()
    x[WORDS == 1] = x[1]  # word 1 has one vector
    found = contextuality.most_contextual(x, WORDS, least=4)
    assert {word for word, _ in found} == {1, 3} and found[-1][0] == 1


def heads(S=S):
    rng = np.random.default_rng(0)
    return softmax(rng.normal(size=(H, T, S))), rng.normal(size=(H, S, K))


@pytest.mark.parametrize("length", [2, 3, 4, 9])
def test_the_null_space_begins_where_the_text_is_longer_than_a_head_is_wide(length):
    probs, values = heads(length)
    assert identifiability.null_dimension(values).tolist() == [max(0, length - K)] * H
    assert (probs - effective_attention(probs, values)) @ values == pytest.approx(0)
    assert (identifiability.raw_and_effective(probs, values) > 1 - 1e-9).all() == (length <= K)


def test_the_correlation_is_pearsons_and_nan_of_constants():
    probs, values = heads()
    found = identifiability.raw_and_effective(probs, values)
    effective = effective_attention(probs, values)
    assert found == pytest.approx([np.corrcoef(a.ravel(), e.ravel())[0, 1] for a, e in zip(probs, effective)])
    assert np.isnan(identifiability.raw_and_effective(np.full((1, T, S), 1 / S), values[:1]))


def test_a_token_is_identified_among_its_own_sentence():
    rng, x = drawn()
    sentence = np.repeat([5, 6, 7], 4)
    hidden = x + rng.normal(size=x.shape) / 100
    assert identifiability.identified(hidden, x, sentence).all()
    swapped = hidden[[1, 0, *range(2, N)]]
    assert identifiability.identified(swapped, x, sentence).tolist() == [False, False] + [True] * (N - 2)


def test_a_linear_map_undoes_a_linear_layer():
    rng = np.random.default_rng(0)
    x, sentence = rng.normal(size=(400, D)), np.arange(400) // 8
    turned = x @ rng.normal(size=(D, D))
    held = sentence >= 30
    assert identifiability.identified(turned, x, sentence)[held].mean() < 0.9
    mapped = identifiability.linear_map(turned, x, ~held)
    assert identifiability.identified(mapped, x, sentence)[held].mean() > 0.97
    with pytest.raises(ValueError, match="none of the 3 tokens is a training token"):
        identifiability.linear_map(x[:3], x[:3], np.zeros(3, bool))


def test_what_a_head_adds_is_the_sum_of_its_weighted_values():
    probs, values = heads()
    out = np.random.default_rng(1).normal(size=(D, H * K))
    transformed = attribution.transformed_values(values, out)
    context = np.concatenate(list(probs @ values), -1)  # (T, H K)
    assert np.einsum("hts,hsd->td", probs, transformed) == pytest.approx(context @ out.T)
    norms = attribution.weighted_norms(probs, transformed)
    assert norms[1, 2, 3] == pytest.approx(np.linalg.norm(probs[1, 2, 3] * transformed[1, 3]))
    with pytest.raises(ValueError, match="6 inputs, but there are 3 heads of size 3"):
        attribution.transformed_values(np.ones((3, S, K)), out)


def test_a_head_that_rests_on_a_small_value_does_nothing():
    probs, transformed = np.array([[[0.9, 0.1]]]), np.array([[[0.01, 0.0], [3.0, 4.0]]])
    weight, moved = attribution.no_op(probs, transformed, np.array([True, False]))
    assert weight[0] == pytest.approx(0.9) and moved[0] == pytest.approx(0.009 / 0.509)


def test_the_gradient_for_attention_is_a_mean_size():
    gradients = np.array([[[1.0, -3.0], [2.0, 5.0]]])
    assert attribution.attention_gradient(gradients, [False, True]) == pytest.approx([4])
    with pytest.raises(ValueError, match="chosen is False for all 2 tokens"):
        attribution.attention_gradient(gradients, [False, False])


def test_contributions_by_distance_are_means_over_sentences_of_any_length():
    rng = np.random.default_rng(0)
    equal = [np.ones((n, 2, n, 2)) * rng.random() for n in (2, 4)]
    mean, spread = attribution.own_and_neighbours(equal, farthest=4)
    assert mean[:4] == pytest.approx([0.375, 0.375, 0.25, 0.25]) and np.isnan(mean[4])
    assert spread[:4] == pytest.approx([0.125, 0.125, 0, 0])


def test_nearest_senses_with_a_training_set_are_those_of_leaving_one_out():
    rng = np.random.default_rng(0)
    layers, sense = rng.normal(size=(L, N, D)), rng.integers(5, size=N)
    x, left_out = senses.last_layers(layers), nearest_sense(layers, WORDS, sense)
    for n in range(N):
        rest = np.arange(N) != n
        (found,) = senses.knn_senses(x[rest], WORDS[rest], sense[rest], x[n : n + 1], WORDS[n : n + 1])
        assert found == (None if WORDS[n] == 9 else left_out[n])
    with pytest.raises(ValueError, match="count=4 must be at most the number of layers, which is 3"):
        senses.last_layers(layers[:3])


def test_more_neighbours_outvote_one():
    x, y = np.array([[1.0, 0.0], [0.9, 0.2], [0.9, 0.3]]), np.array([0, 1, 1])
    for k, sense in ((1, 0), (3, 1), (9, 1)):
        assert senses.knn_senses(x, np.full(3, 2), y, np.array([[1.0, 0.01]]), np.array([2]), k) == [sense]
    assert senses.frequent_senses(np.array([2, 2, 2, 7]), np.array([0, 1, 1, 3])) == {2: 1, 7: 3}


def test_the_best_threshold_has_the_most_right_pairs():
    rng = np.random.default_rng(0)
    same = rng.random(60) < 0.5
    similar = rng.normal(size=60) + same
    cut, accuracy = senses.best_threshold(similar, same)
    tried = [((similar > c) == same).mean() for c in np.linspace(-4, 5, 2000)]
    assert accuracy == max(tried) == ((similar > cut) == same).mean()


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_two_groups_are_apart_in_the_plane(method):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 8)) + 20 * (np.arange(30) < 15)[:, None]
    plane = senses.project_to_plane(x, method)
    first, second = plane[:15], plane[15:]
    inside = np.linalg.norm(first - first.mean(0), axis=1).max()
    assert plane.shape == (30, 2) and np.linalg.norm(first.mean(0) - second.mean(0)) > inside
    assert np.array_equal(plane, senses.project_to_plane(x, method))


def test_a_plane_needs_a_known_method_and_three_vectors():
    with pytest.raises(ValueError, match="unknown method 'umap'; known methods: pca, tsne"):
        senses.project_to_plane(np.eye(4), "umap")
    with pytest.raises(ValueError, match="a plane needs at least three vectors, but got 2"):
        senses.project_to_plane(np.eye(2))
