"""Probes find what was put in, control tasks find what was learned by heart, and erased labels are gone."""

import numpy as np
import pytest

from minibert.analysis import probes
from minibert.analysis.definitions import linear_probe
from minibert.course.unit12.versions import by_meeting

PARENTS = [2, 0, -1, 2, 3, 3, 5]


def random_tree(rng, T):
    order, parents = rng.permutation(T), [0] * T
    for n, word in enumerate(order):
        parents[word] = int(order[rng.integers(n)]) if n else -1
    return parents


@pytest.mark.parametrize("T", [1, 2, 7, 15])
def test_distances_are_those_of_walking_up_from_both_words(T):
    rng = np.random.default_rng(T)
    for _ in range(5):
        parents = random_tree(rng, T)
        found = probes.tree_distances(parents)
        assert np.array_equal(found, by_meeting(parents)) and found.shape == (T, T)
        assert np.array_equal(probes.depths(parents), found[parents.index(-1)])


def test_heads_that_run_in_a_circle_are_refused():
    with pytest.raises(ValueError, match="above word 0 form a cycle"):
        probes.depths([1, 2, 0])


def test_a_random_label_belongs_to_a_word_and_is_as_frequent_as_the_real_ones():
    rng = np.random.default_rng(0)
    words, labels = np.arange(9000) % 3000, np.repeat([4, 7], [6000, 3000])
    behaviour = probes.control_labels(words, labels, rng)
    assert behaviour.shape == (3000,) and (behaviour == 4).mean() == pytest.approx(2 / 3, abs=0.03)
    assert not np.array_equal(behaviour, probes.control_labels(words, labels, rng))


def test_a_layer_with_labels_is_selective_and_one_with_words_is_not():
    rng = np.random.default_rng(0)
    words, labels = rng.integers(12, size=900), rng.integers(3, size=900)
    layers = [4 * np.eye(12)[words], 4 * np.eye(12)[labels]]
    found = probes.probe_layers(
        [x + rng.normal(size=x.shape) / 4 for x in layers], words, labels, np.arange(900) < 450, rng
    )
    assert found.shape == (2, 3) and found[0, 2] < -0.3 and found[1, 2] > 0.3
    assert found[:, 0] - found[:, 1] == pytest.approx(found[:, 2])


def test_depth_can_be_read_where_it_is_a_direction():
    rng = np.random.default_rng(0)
    depth, trained = rng.integers(5, size=300), np.arange(300) < 200
    noise = rng.normal(size=(300, 6))
    told = noise + depth[:, None] * rng.normal(size=6)
    assert (
        probes.depth_correlation(told, depth, trained)
        > 0.8
        > 0.3
        > probes.depth_correlation(noise, depth, trained)
    )
    with pytest.raises(ValueError, match="a correlation needs at least two held-out tokens, but got 1"):
        probes.depth_correlation(told[:3], depth[:3], np.array([True, True, False]))


def along_edges(parents, directions):
    """Vectors whose squared distances are the tree's: each edge has a direction of its own."""
    return np.stack(
        [
            sum((directions[w] for w in way(parents, word)), np.zeros(directions.shape[1]))
            for word in range(len(parents))
        ]
    )


def way(parents, word):
    return [word, *way(parents, parents[word])] if parents[word] >= 0 else []


def test_a_structural_probe_finds_trees_that_a_linear_map_hides():
    rng = np.random.default_rng(0)
    T, D = 6, 8
    trees = [random_tree(rng, T) for _ in range(12)]
    vectors = [along_edges(parents, np.eye(D)) for parents in trees]
    assert all(
        probes.squared_distances(x) == pytest.approx(probes.tree_distances(p)) for x, p in zip(vectors, trees)
    )
    mixed = np.linalg.inv(rng.normal(size=(D, D)) + 2 * np.eye(D))
    hidden = [x @ mixed for x in vectors]
    B = probes.structural_probe(hidden[:9], trees[:9], D, rng, steps=400)
    for x, parents in zip(hidden[9:], trees[9:]):
        distances = probes.squared_distances(x @ B)
        assert probes.edges_found(distances, parents).sum() >= T - 2
        assert distances == pytest.approx(probes.tree_distances(parents), abs=0.6)


def test_the_shortest_tree_of_true_distances_is_the_tree():
    rng = np.random.default_rng(0)
    for T in (2, 5, 11):
        parents = random_tree(rng, T)
        assert probes.edges_found(probes.tree_distances(parents), parents).tolist() == [True] * (T - 1)


def test_sentences_of_any_length_count_alike_in_the_structural_probe():
    rng = np.random.default_rng(0)
    trees = [random_tree(rng, T) for T in (3, 9)]
    x = [along_edges(parents, np.eye(9)) for parents in trees]
    B = probes.structural_probe(x, trees, 9, rng, steps=300)
    assert all(
        probes.squared_distances(v @ B) == pytest.approx(probes.tree_distances(p), abs=0.1)
        for v, p in zip(x, trees)
    )


@pytest.mark.parametrize(
    "text, chunks",
    [
        ("The/DET/2/det old/ADJ/2/amod clock/NOUN/3/nsubj stopped/VERB/-1/root", "BIIO"),
        ("Ada/PROPN/2/nsubj Lane/PROPN/0/flat saw/VERB/-1/root her/PRON/4/nmod:poss cat/NOUN/2/obj", "BIOBI"),
        ("Ada/PROPN/2/nmod:poss 's/PART/0/case cat/NOUN/3/nsubj sat/VERB/-1/root", "BOBO"),
        ("the/DET/1/det top/NOUN/-1/root of/ADP/4/case a/DET/4/det hill/NOUN/1/nmod", "BIOBI"),
        ("very/ADV/1/advmod tall/ADJ/2/amod trees/NOUN/-1/root here/ADV/4/advmod grow/VERB/2/acl", "BIIOO"),
    ],
)
def test_base_chunks_hold_what_depends_on_their_noun_and_stands_beside_it(text, chunks):
    rows = [word.split("/") for word in text.split()]
    assert (
        "".join(
            probes.base_chunks(
                [int(row[2]) for row in rows], [row[3] for row in rows], [row[1] for row in rows]
            )
        )
        == chunks
    )


def test_erased_labels_cannot_be_read_any_more_and_other_things_can():
    rng = np.random.default_rng(0)
    labels, other = rng.integers(3, size=900), rng.integers(2, size=900)
    x = (
        rng.normal(size=(900, 10))
        + 2 * rng.normal(size=(3, 10))[labels]
        + 2 * rng.normal(size=(2, 10))[other]
    )
    P = probes.erasing_projection(x, labels)
    assert P @ P == pytest.approx(P) and P.T == pytest.approx(P)

    def accuracy(vectors, wanted):
        return (linear_probe(vectors[:600], wanted[:600], vectors[600:]) == wanted[600:]).mean()

    assert accuracy(x, labels) > 0.9 and accuracy(x @ P, labels) < 0.45
    R = probes.random_projection(10, 2, rng)
    assert np.linalg.matrix_rank(R) == 8 and accuracy(x @ R, labels) > 0.7
    assert np.linalg.matrix_rank(P) == 8 and accuracy(x @ P, other) > 0.7
