"""Particular checks of unit 12; test_units.py compares them with their bank."""

import itertools

import numpy as np
import pytest
from banks import load
from banks.trial import unit
from definitions import definition

from minibert.analysis import definitions
from minibert.analysis.probes import tree_distances
from minibert.course import unit12 as check
from minibert.course.checks.compare import agree, close
from minibert.course.checks.known_mistakes import result
from minibert.course.unit12 import bug_hunt, effective_mistakes, sense_mistakes, versions

UNIT = unit("unit12")
MEASURES = [
    "self_similarity",
    "effective_attention",
    "head_importance",
    "nearest_sense",
    "token_attribution",
    "control_selectivity",
]


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("seed", [3, 4])
def test_the_check_expects_what_the_package_gives(name, seed):
    exercise = UNIT.checks[name]
    for case in exercise.cases(np.random.default_rng(seed)):
        assert close(definition(name)(*case), exercise.reference(*case))


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


def test_the_broken_probe_of_the_notebook_has_all_three_leaks():
    theirs = load(
        UNIT.cells["broken-probe_layers"].source, "broken_probe_layers", probe=definitions.linear_probe
    )
    assert check.probe_layers.left(theirs, np.random.default_rng(0)) == frozenset({1, 2, 3})


@pytest.mark.parametrize("seed", range(5))
def test_each_leak_breaks_its_own_invariant_whichever_others_are_left(seed):
    for size in range(4):
        for left in itertools.combinations((1, 2, 3), size):
            version = bug_hunt.version(frozenset(left))
            holds = [
                i.holds(version, np.random.default_rng(seed)) for i in (*bug_hunt.BROKEN, *bug_hunt.KEPT)
            ]
            assert holds == [n not in left for n in (1, 2, 3)] + [True] * len(bug_hunt.KEPT), left


@pytest.mark.parametrize("name", [*MEASURES, "probe_layers"])
def test_no_two_known_mistakes_give_the_same_results_on_all_inputs(name):
    exercise = UNIT.checks[name]
    cases = exercise.cases(np.random.default_rng(0))
    results = [[result(mistake.function, case) for case in cases] for mistake in exercise.mistakes]
    for (one, a), (other, b) in itertools.combinations(zip(exercise.mistakes, results), 2):
        assert not all(map(agree, a, b)), f"{one.hint} {other.hint}"


@pytest.mark.parametrize("name", [*MEASURES, "probe_layers"])
@pytest.mark.parametrize("seed", range(5, 12))
def test_every_known_mistake_shows_on_many_seeds(name, seed):
    exercise = UNIT.checks[name]
    cases = exercise.cases(np.random.default_rng(seed))
    right = [result(exercise.reference, case) for case in cases]
    for mistake in exercise.mistakes:
        assert not all(map(agree, [result(mistake.function, case) for case in cases], right)), mistake.hint


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


def test_a_version_in_place_changes_its_heads():
    parents = [1, -1]
    versions.in_place(parents)
    assert parents == [1, 1]
