"""What a budget of runs buys, against plain enumeration and simulation."""

import itertools

import numpy as np
import pytest

from minibert.course.unit13.definitions import expected_maximum, stopping_cost, successive_stopping


@pytest.mark.parametrize(
    "scores, k", [([3.0, 1.0, 2.0], 2), ([5.0, 5.0, 1.0, 4.0], 3), ([7.0], 4), ([1.0, 9.0, 9.0], 1)]
)
def test_the_best_of_k_is_that_of_all_draws_with_replacement(scores, k):
    best = [max(draw) for draw in itertools.product(scores, repeat=k)]
    assert expected_maximum(scores, k) == pytest.approx((np.mean(best), np.var(best)))


@pytest.mark.parametrize(
    "scores, k, said", [([], 1, "N at least 1"), ([1.0], 0, "k=0"), ([[1.0]], 1, "shape")]
)
def test_no_scores_and_no_runs_are_refused(scores, k, said):
    with pytest.raises(ValueError, match=said):
        expected_maximum(scores, k)


def test_the_cost_is_the_steps_that_are_made():
    t, p, s = 7, 3, 40
    for stop in range(1, s + 1):
        steps = sum(s if run < p else stop for run in range(t))
        assert stopping_cost(t, stop / s, p, s) == pytest.approx(steps)
    assert stopping_cost(2, np.array([0.5, 1.0]), 1, 10).tolist() == [15, 20]


def test_successive_stopping_is_what_it_says_run_by_run():
    rng = np.random.default_rng(0)
    for _ in range(200):
        curves = rng.integers(3, size=(6, 4)).astype(float)  # many ties
        t, p, stop = 5, int(rng.integers(1, 6)), int(rng.integers(1, 5))
        runs = sorted(range(t), key=lambda run: (-curves[run, stop - 1], run))[:p]
        best = max(runs, key=lambda run: curves[run, -1])  # the first of equals
        kept, chosen = successive_stopping(curves, t, stop / 4, p)
        assert kept.tolist() == runs and chosen == best


def test_a_share_that_is_a_whole_number_up_to_rounding_is_taken():
    curves = np.zeros((2, 100))
    curves[1, 28] = 1.0  # evaluation 29; 0.29 * 100 is 28.999999999999996
    assert successive_stopping(curves, 2, 0.29, 1)[1] == 1


@pytest.mark.parametrize(
    "t, f, p, said",
    [
        (3, 0.5, 1, "t=3 must"),
        (2, 0.5, 0, "p=0"),
        (1, 0.5, 2, "p=2"),
        (2, 0.3, 1, "is 1.2,"),
        (2, 0.0, 1, "is 0,"),
        (2, 1.5, 1, "is 6,"),
    ],
)
def test_what_cannot_be_done_is_refused(t, f, p, said):
    with pytest.raises(ValueError, match=said):
        successive_stopping(np.zeros((2, 4)), t, f, p)
