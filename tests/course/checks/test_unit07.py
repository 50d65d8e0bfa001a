"""Particular checks of unit 07; test_units.py compares them with their bank."""

import numpy as np

from minibert.course import unit07 as check
from minibert.course.unit07 import versions


def test_all_right_versions_of_the_search_agree():
    rng = np.random.default_rng(5)
    for _ in range(30):
        T = int(rng.integers(1, 9))
        case = (*rng.integers(-3, 4, (2, T)).astype(float), int(rng.integers(1, 9)))
        wanted = check.best_span.reference(*case)
        assert all(version.function(*case) == wanted for version in versions.RIGHT)
