"""Particular checks of unit 12; test_units.py compares them with their bank."""

import numpy as np
from banks import load
from banks.trial import unit

from minibert.analysis import definitions
from minibert.analysis.probes import tree_distances
from minibert.course.unit12 import bug_hunt, effective_mistakes, sense_mistakes, versions

UNIT = unit("unit12")


def test_numbers_that_stand_in_both_are_the_same():
    assert (sense_mistakes.LAST, sense_mistakes.UNKNOWN) == (definitions.LAST_LAYERS, definitions.UNKNOWN)
    assert effective_mistakes.SHARE == definitions.SMALLEST


def test_the_probe_of_the_notebook_is_ours():
    theirs = load(UNIT.cells["probe"].source, "probe")
    for layers, tags, sentence in bug_hunt.cases(np.random.default_rng(0)):
        train = sentence % 5 < 3
        assert np.array_equal(
            theirs(layers[0][train], tags[train], layers[0]),
            definitions.linear_probe(layers[0][train], tags[train], layers[0]),
        )


def drawn(rng):
    """The heads of a random tree."""
    order = rng.permutation(int(rng.integers(2, 9)))
    parents = [0] * len(order)
    for n, word in enumerate(order):
        parents[word] = int(order[rng.integers(n)]) if n else -1
    return parents


def test_right_versions_are_the_packages_distances_and_wrong_ones_are_not():
    rng = np.random.default_rng(0)
    trees = [drawn(rng) for _ in range(100)]
    for version in versions.RIGHT + versions.WRONG + versions.MORE:
        alike = [
            np.array_equal(version.function(list(parents)), tree_distances(parents)) for parents in trees
        ]
        right = version in versions.RIGHT or version.function is versions.in_place
        assert all(alike) == right, version.words
    parents = [1, -1]
    versions.in_place(parents)
    assert parents == [1, 1]
