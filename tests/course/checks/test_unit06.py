"""Particular checks of unit 06; test_units.py compares them with their bank."""

import math

import numpy as np

from minibert.course import unit06 as check


def test_the_large_test_set_is_large_enough_to_overflow():
    gold, predicted = check.matthews_cases(np.random.default_rng(0))[-1]
    sides = [int((side == label).sum()) for side in (gold, predicted) for label in (0, 1)]
    assert math.prod(sides) > np.iinfo(np.int64).max
