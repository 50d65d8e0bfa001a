"""Particular checks of unit 01; test_units.py compares them with their bank."""

import numpy as np
import pytest
from banks import load
from banks.trial import unit
from definitions import definition

from minibert.course import unit01 as check

UNIT = unit("unit01")


@pytest.mark.parametrize("name", [name for name in UNIT.checks if definition(name)])
def test_the_packages_own_function_is_right(name):
    ours = definition(name)
    for invariant in UNIT.checks[name].invariants:
        assert invariant.holds(ours, np.random.default_rng(7)) is True, invariant.sentence


def test_the_colleague_has_the_shares_that_the_check_expects():
    colleague = load(UNIT.cells["colleague"].source, "corrupt_by_colleague")
    ids, chosen, ordinary = np.full((1000, 1000), 5), np.ones((1000, 1000), bool), np.arange(10, 10**6)
    got = colleague(ids, chosen, 4, ordinary, np.random.default_rng(0))
    shares = (got == 4).mean(), (got >= 10).mean(), (got == 5).mean()
    assert np.allclose(shares, check.colleague_shares.reference(), atol=0.002)
