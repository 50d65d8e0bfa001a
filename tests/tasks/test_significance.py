"""Tests of significance, against their definitions and against chance itself."""

import numpy as np
import pytest
from scipy.special import comb
from scipy.stats import binomtest

from minibert.analysis.significance import holm
from minibert.tasks.metrics import accuracy, matthews
from minibert.tasks.significance import (
    mcnemar,
    paired_bootstrap,
    paired_differences,
    smallest_gain,
)


def answers(rng, N=200, right=0.7, shared=0.8):
    """Labels and two models that are equally good and mostly right about the same examples."""
    gold = rng.integers(2, size=N)
    common = rng.random(N) < right
    each = [np.where(rng.random(N) < shared, common, rng.random(N) < right) for _ in range(2)]
    return gold, *(np.where(one, gold, 1 - gold) for one in each)


def test_mcnemar_is_a_binomial_test_of_the_examples_that_one_answers_right():
    rng = np.random.default_rng(0)
    for _ in range(30):
        gold, a, b = answers(rng, 40)
        wins, losses = ((a == gold) & (b != gold)).sum(), ((a != gold) & (b == gold)).sum()
        assert mcnemar(gold, a, b) == pytest.approx(binomtest(int(wins), int(wins + losses)).pvalue)
    assert mcnemar(gold, a, a) == 1.0


def test_answers_that_miss_an_example_are_refused():
    with pytest.raises(ValueError, match="1 answers for 2 examples"):
        mcnemar([1, 0], [1, 0], [1])


def test_equally_good_models_are_seldom_called_different():
    rng = np.random.default_rng(1)
    found = [
        (mcnemar(*some), paired_bootstrap(*some, rng, draws=200)[0])
        for some in (answers(rng) for _ in range(200))
    ]
    shares = (np.array(found) <= 0.05).mean(0)
    assert (shares < 0.1).all()  # 0.1 is 3 standard deviations above 0.05


def test_pairs_make_a_small_difference_visible_that_samples_apart_would_not_show():
    gold = np.ones(300, int)
    a, b = gold.copy(), gold.copy()
    b[:12] = 0  # right wherever b is, and on 12 more
    a[100:200] = b[100:200] = 0
    rng = np.random.default_rng(0)
    p, low, high = paired_bootstrap(gold, a, b, rng)
    assert p < 0.01 and 0 < low < 12 / 300 < high
    apart = paired_differences(gold, a, a, rng) - paired_differences(gold, b, b, rng)
    assert not apart.any()  # the same samples for both models: nothing differs
    alone = [accuracy(gold, rng.choice(a, 300)) - accuracy(gold, rng.choice(b, 300)) for _ in range(400)]
    assert np.std(alone) > 3 * np.std(paired_differences(gold, a, b, rng, draws=400))


def test_any_metric_can_be_sampled():
    gold, a, b = answers(np.random.default_rng(3), 80)
    sampled = paired_differences(gold, a, b, np.random.default_rng(0), matthews, draws=300)
    assert sampled.mean() == pytest.approx(matthews(gold, a) - matthews(gold, b), abs=0.03)


def test_the_smallest_gain_is_significant_and_the_next_smaller_one_is_not():
    for N, share in ((100, 0.2), (277, 0.1), (1000, 0.05)):
        differ, gain = round(N * share), smallest_gain(N, share)
        wins = round((gain * N + differ) / 2)
        tails = [
            2 * sum(comb(differ, i, exact=True) for i in range(w, differ + 1)) / 2**differ
            for w in (wins, wins - 1)
        ]
        assert tails[0] <= 0.05 < tails[1]
    assert np.isnan(smallest_gain(50, 0.1))  # 5 examples: even 5 to 0 has p = 0.0625
    with pytest.raises(ValueError, match="disagreement=1.5"):
        smallest_gain(10, 1.5)


def test_holm_is_its_definition_and_never_above_bonferroni():
    rng = np.random.default_rng(0)
    for _ in range(50):
        p = rng.random(5) ** 3
        rejected = holm(p) <= 0.05
        left = []
        for step, index in enumerate(np.argsort(p)):  # from the smallest, until one is too large
            if p[index] > 0.05 / (5 - step):
                break
            left.append(index)
        assert sorted(left) == np.flatnonzero(rejected).tolist()
        assert (holm(p) <= np.minimum(5 * p, 1) + 1e-12).all()
