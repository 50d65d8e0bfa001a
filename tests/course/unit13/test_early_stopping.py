"""Stopping early, on tables of runs whose best policy is known."""

import itertools

import numpy as np
import pytest

from minibert.course.unit13.methods.early_stopping import (
    best_by_validation,
    expected_curve,
    gain,
    hyperband_brackets,
    plain,
    rank_correlation_with_end,
    relative_error_reduction,
    stopped,
    unbiased_maximum,
)


def runs(N=30, E=10, seed=0):
    """Runs whose rank is clear from the first evaluation on."""
    rng = np.random.default_rng(seed)
    return 70 + 10 * rng.random((N, 1)) + np.arange(E) + 0.01 * rng.normal(size=(N, E))


def test_the_best_of_k_different_runs_is_the_mean_over_all_choices():
    scores = np.array([3.0, 9.0, 4.0, 4.0, 7.0])
    for k in range(1, 6):
        best = [max(some) for some in itertools.combinations(scores, k)]
        assert unbiased_maximum(scores, k) == pytest.approx(np.mean(best))
    with pytest.raises(ValueError, match="k=6"):
        unbiased_maximum(scores, 6)


def test_with_replacement_the_best_of_many_is_too_low_and_without_it_is_right_on_average():
    rng = np.random.default_rng(0)
    tables = rng.random((4000, 8))  # E[max of 5] = 5 / 6
    biased = np.mean([expected_curve(scores, 5)[0][-1] for scores in tables])
    unbiased = np.mean([unbiased_maximum(scores, 5) for scores in tables])
    assert unbiased == pytest.approx(5 / 6, abs=0.005) and biased < 5 / 6 - 0.02


def test_the_curve_increases_and_its_spread_is_that_of_one_run_at_first():
    scores = np.random.default_rng(0).random(12)
    mean, std = expected_curve(scores, 20)
    assert (np.diff(mean) > 0).all() and mean[0] == pytest.approx(scores.mean())
    assert std[0] == pytest.approx(scores.std())


def test_where_ranks_are_clear_early_stopping_finds_the_best_of_all_that_were_started():
    curves, rng = runs(), np.random.default_rng(1)
    assert stopped(curves, 30, 0.1, 1, rng, 5) == pytest.approx([curves[:, -1].max()] * 5, abs=0.1)
    budget, reduction = gain(curves, 20, 0.1, 2, rng, 200)
    assert budget == pytest.approx(3.8) and reduction > 0.1


def test_where_ranks_are_noise_it_gains_nothing_worth_its_steps():
    curves = np.random.default_rng(2).normal(80, 3, size=(40, 10))
    _, reduction = gain(curves, 20, 0.5, 2, np.random.default_rng(0), 400)
    assert reduction < 0


def test_plain_repetition_lies_on_a_line_between_whole_numbers():
    curves = runs()
    assert plain(curves, 2.5) == pytest.approx((plain(curves, 2) + plain(curves, 3)) / 2)
    assert plain(curves, 1) == pytest.approx(curves[:, -1].mean())


def test_no_error_left_cannot_be_reduced():
    with pytest.raises(ValueError, match="must be below the best score"):
        relative_error_reduction(100.0, 100.0)


def test_foresight_is_1_where_ranks_stay_and_at_the_end():
    assert rank_correlation_with_end(runs()) == pytest.approx(np.ones(10), abs=0.02)
    noise = rank_correlation_with_end(np.random.default_rng(0).normal(size=(200, 4)))
    assert noise[-1] == 1 and abs(noise[:-1]).max() < 0.3


def test_looking_more_often_raises_the_validation_score_by_construction_and_not_the_test_score():
    rng = np.random.default_rng(0)
    validation, test = rng.normal(80, 1, size=(2, 500, 20))
    often, seldom = best_by_validation(validation, test), best_by_validation(validation, test, 10)
    assert often[0] > seldom[0] + 1 and abs(often[1] - seldom[1]) < 0.2
    assert best_by_validation(validation, test, 20)[0] == pytest.approx(validation[:, -1].mean())
    with pytest.raises(ValueError, match="every=0"):
        best_by_validation(validation, test, 0)


def test_a_bracket_of_hyperband_ends_with_full_runs_and_costs_about_as_much_as_the_others():
    plan = hyperband_brackets(81)
    assert plan[0][:2] == [(81, 1.0), (27, 3.0)] and all(bracket[-1][1] == 81 for bracket in plan)
    costs = [sum(n * steps for n, steps in bracket) for bracket in plan]
    assert max(costs) < 1.6 * min(costs) and len(plan) == 5
    with pytest.raises(ValueError, match="eta=1"):
        hyperband_brackets(9, 1)
