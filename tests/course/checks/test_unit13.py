"""Particular checks of unit 13; test_units.py compares them with their bank."""

import numpy as np
from banks.trial import unit

from minibert.analysis import significance
from minibert.course import unit13 as check
from minibert.course.checks.compare import close
from minibert.course.unit13 import adapter_mistakes, bug_hunt, definitions, significance_mistakes, versions

UNIT = unit("unit13")


def test_the_adapter_is_the_packages():
    for hidden, bottleneck, seed, weights in adapter_mistakes.cases(np.random.default_rng(3)):
        expected = check.Adapter.reference(hidden, bottleneck, seed, weights)[0]
        assert close(definitions.adapter(hidden, weights), expected)


def test_a_right_adapter_is_near_the_identity_and_its_spread_is_that_of_few_draws():
    for seed in range(300):
        sizes = adapter_mistakes.D, adapter_mistakes.M
        drawn = adapter_mistakes.matrices(definitions.adapter_weights(*sizes, np.random.default_rng(seed)))
        assert all(0.85 < x.std() / adapter_mistakes.STD < 1.15 for x in drawn.values())
        assert all(abs(x.mean()) < 0.2 * adapter_mistakes.STD for x in drawn.values())


def test_no_p_of_an_input_is_close_to_its_level():
    for seed in range(100):
        for a, b, level, comparisons in significance_mistakes.cases(np.random.default_rng(seed)):
            p, _ = significance.is_significant(a, b, level, comparisons)
            assert not 0.95 < p * comparisons / level < 1.05, (p, level, comparisons)


def test_the_bugs_flatter():
    validation, test = np.random.default_rng(0).normal(80, 2, size=(2, 200, 10))
    honest = bug_hunt.version(frozenset())(validation, test)
    twice, chosen = (bug_hunt.version(frozenset(left))(validation, test) for left in ({2}, {1}))
    assert twice["mean"] > honest["mean"] + 2 and chosen["best"] > honest["best"]


def test_right_versions_are_the_packages_learning_rates_and_wrong_ones_are_not():
    sizes = [
        (layers, peak, decay)
        for layers in (1, 2, 5, 12)
        for peak in (2e-5, 3e-3, 2.0)
        for decay in (0.6, 0.95)
    ]
    for version in versions.RIGHT + versions.WRONG + versions.MORE:
        pairs = [(version.function(*size), definitions.layer_rates(*size)) for size in sizes]
        alike = [
            len(got) == len(right) and np.allclose(got, right, rtol=1e-9, atol=0) for got, right in pairs
        ]
        assert all(alike) == (version in versions.RIGHT), version.words


def test_a_class_whose_methods_are_stubs_is_said_not_to_be_written():
    said = UNIT.message("Adapter", UNIT.answer("Adapter", UNIT.stub("Adapter")))
    assert "Adapter: not written yet" in said
