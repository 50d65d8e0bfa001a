"""Six measures of what is inside a model: each equals a definition that is written out in loops."""

import itertools
import math

import numpy as np
import pytest

from minibert import reference
from minibert.analysis import definitions

N, D, L, B, H, T, S, K = 9, 4, 6, 3, 2, 5, 7, 3


def cosine(a, b):
    return sum(p * q for p, q in zip(a, b)) / math.sqrt(sum(p * p for p in a) * sum(q * q for q in b))


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return rng, rng.normal(size=(N, D)) + 0.5, np.array([3, 8, 3, 3, 8, 1, 1, 5, 3])


@pytest.mark.parametrize("seed", [0, 1])
def test_self_similarity_is_the_mean_over_pairs_minus_that_over_all(seed):
    _, x, words = drawn(seed)
    every = {(i, j): cosine(x[i], x[j]) for i, j in itertools.combinations(range(N), 2)}
    found = definitions.self_similarity(x, words)
    assert found.keys() == {1, 3, 8}
    for word, value in found.items():
        own = [c for (i, j), c in every.items() if words[i] == words[j] == word]
        assert value == pytest.approx(np.mean(own) - np.mean(list(every.values())))


def heads(seed=0):
    rng = np.random.default_rng(seed)
    return reference.softmax(rng.normal(size=(H, T, S))), rng.normal(size=(H, S, K))


def test_effective_attention_is_the_smallest_attention_with_the_same_output():
    """Of all rows with the output a T, the one of least norm: that is the pseudo-inverse's."""
    probs, values = heads()
    found = definitions.effective_attention(probs, values)
    for h, t in itertools.product(range(H), range(T)):
        assert found[h, t] == pytest.approx(
            np.linalg.lstsq(values[h].T, probs[h, t] @ values[h], rcond=1e-8)[0]
        )


def test_head_importance_is_what_a_little_less_of_a_head_costs():
    """The derivative for a factor on a head, by finite differences of a loss that is no sum of heads."""
    rng = np.random.default_rng(0)
    contexts, weights = rng.normal(size=(L, B, H, T, K)), rng.normal(size=(L, H, T, K))

    def losses(gate):
        return np.sin((gate[:, None, :, None, None] * contexts * weights[:, None]).sum((0, 2, 3, 4)))

    inner = (contexts * weights[:, None]).sum((0, 2, 3, 4))
    gradients = np.cos(inner)[None, :, None, None, None] * weights[:, None]
    scores = np.zeros((L, H))
    for layer, head in np.ndindex(L, H):
        gate = np.ones((2, L, H))
        gate[:, layer, head] += 1e-6, -1e-6
        scores[layer, head] = np.abs(losses(gate[0]) - losses(gate[1])).mean() / 2e-6
    scores /= np.linalg.norm(scores, axis=1, keepdims=True)
    assert definitions.head_importance(contexts, gradients) == pytest.approx(scores, rel=1e-5)


def test_a_layer_without_gradient_has_no_importance():
    contexts = np.ones((2, B, H, T, K))
    gradients = np.stack([np.zeros(contexts.shape[1:]), np.ones(contexts.shape[1:])])
    assert definitions.head_importance(contexts, gradients)[0].tolist() == [0, 0]


def test_nearest_sense_looks_at_each_other_occurrence_of_the_word():
    rng = np.random.default_rng(0)
    layers, words, senses = rng.normal(size=(L, N, D)), drawn()[2], rng.integers(9, size=N)
    found = definitions.nearest_sense(layers, words, senses)
    x = [
        np.concatenate([layers[layer, n] for layer in range(L - definitions.LAST_LAYERS, L)])
        for n in range(N)
    ]
    for n in range(N):
        others = [m for m in range(N) if m != n and words[m] == words[n]]
        best = max(others, key=lambda m: cosine(x[n], x[m]), default=None)
        assert found[n] == (definitions.UNKNOWN if best is None else senses[best])


def test_token_attribution_is_the_share_of_the_norms():
    jacobian = np.random.default_rng(0).normal(size=(T, D, T, K))
    share, by_distance = definitions.token_attribution(jacobian)
    norms = [[np.linalg.norm(jacobian[t, :, s]) for s in range(T)] for t in range(T)]
    for t, s in np.ndindex(T, T):
        assert share[t, s] == pytest.approx(norms[t][s] / sum(norms[t]))
    for d in range(T):
        assert by_distance[d] == pytest.approx(
            np.mean([share[t, s] for t, s in np.ndindex(T, T) if abs(t - s) == d])
        )


def test_a_linear_probe_learns_what_is_there_and_nothing_else():
    rng = np.random.default_rng(0)
    labels, x = np.arange(300) % 3 + 5, rng.normal(size=(300, 6))
    plain = (definitions.linear_probe(x[:200], labels[:200], x[200:]) == labels[200:]).mean()
    told = x + 3 * np.eye(6)[labels - 5]
    assert plain < 0.5
    assert (definitions.linear_probe(told[:200], labels[:200], told[200:]) == labels[200:]).mean() > 0.9


def test_selectivity_is_high_where_words_do_not_give_the_label_away():
    """Vectors that hold the label alone are selective; vectors that hold the word alone are not."""
    rng = np.random.default_rng(0)
    words, labels = rng.integers(20, size=2000), rng.integers(3, size=2000)
    behaviour, trained = rng.integers(3, size=20), np.arange(2000) < 1000
    right, control, selectivity = definitions.control_selectivity(
        3 * np.eye(3)[labels] + rng.normal(size=(2000, 3)) / 2, words, labels, behaviour, trained
    )
    assert right > 0.95 and control < 0.5 and selectivity == right - control
    right, control, selectivity = definitions.control_selectivity(
        3 * np.eye(20)[words], words, labels, behaviour, trained
    )
    assert control == 1 and selectivity < -0.5


def test_a_word_that_is_not_trained_on_is_left_out():
    x, words = np.array([[1.0], [-1.0], [1.0], [5.0]]), np.array([0, 1, 0, 2])
    trained = np.array([True, True, False, False])
    assert definitions.control_selectivity(
        x, words, np.array([0, 1, 0, 9]), np.array([0, 1, 0]), trained
    ) == (1, 1, 0)
    with pytest.raises(ValueError, match="none of the 2 tokens is a held-out token whose word"):
        definitions.control_selectivity(
            x[:2], words[:2], words[:2], np.zeros(2, int), np.array([True, False])
        )
