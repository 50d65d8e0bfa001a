"""Metropolis-Hastings has exactly the distribution of its score, whatever the proposals are."""

import numpy as np
import pytest
from exact import EVERY, MASK, T, conditionals, distance, inconsistent, joint, number
from scipy.stats import chisquare

from minibert.generation.metropolis import metropolis, metropolis_accept, pseudo_log_likelihood

FREE, MANY = np.ones(T, bool), 20_000
MODELS = {"consistent": conditionals(joint(5)), "inconsistent": inconsistent()}


def last(log_probs, score, steps=200, seed=0):
    return [
        *metropolis(
            np.zeros((MANY, T), int), FREE, log_probs, MASK, score, steps, np.random.default_rng(seed)
        )
    ][-1]


@pytest.mark.parametrize("name", MODELS)
def test_texts_have_the_distribution_of_the_score(name):
    probs = joint()
    ids, _ = last(MODELS[name], lambda ids: np.log(probs[number(ids)]) + 7.0)  # a constant does not matter
    counts = np.bincount(number(ids), minlength=len(probs))
    assert chisquare(counts, probs * MANY).pvalue > 0.001


def test_without_the_proposals_probabilities_the_distribution_is_another(monkeypatch):
    probs = joint()
    monkeypatch.setattr(
        "minibert.generation.metropolis.metropolis_accept",
        lambda old, new, forward, backward, uniform: uniform < np.exp(np.minimum(0, new - old)),
    )
    ids, _ = last(MODELS["consistent"], lambda ids: np.log(probs[number(ids)]))
    assert distance(ids, probs) > 0.05


def test_proposals_from_the_joint_distribution_itself_are_all_accepted():
    probs = joint()
    found = metropolis(
        EVERY,
        FREE,
        conditionals(probs),
        MASK,
        lambda ids: np.log(probs[number(ids)]),
        5,
        np.random.default_rng(0),
    )
    # rounding alone may reject a proposal whose probability is 1 - 1e-16
    assert all(accepted.all() for _, accepted in found)


def test_the_pseudo_log_likelihood_masks_each_free_position_by_itself():
    probs, ids = joint(), np.array([[0, 1, 2], [2, 2, 0]])
    free = np.array([True, False, True])
    p = probs.reshape(3, 3, 3)
    by_hand = [
        np.log(p[a, b, c] / p[:, b, c].sum()) + np.log(p[a, b, c] / p[a, b].sum()) for a, b, c in ids.tolist()
    ]
    np.testing.assert_allclose(pseudo_log_likelihood(ids, free, conditionals(probs), MASK), by_hand)


def test_better_texts_are_accepted_and_worse_ones_in_proportion():
    uniform = (np.arange(1000) + 0.5) / 1000

    def accept(ratio, forward=0.0, backward=0.0):
        return metropolis_accept(0.0, np.log(ratio), forward, backward, uniform)

    assert accept(2).all() and accept(0.25).sum() == 250
    assert accept(1, forward=np.log(0.8), backward=np.log(0.4)).sum() == 500
    assert not accept(0.0000001).any() and metropolis_accept(-2e3, 0.0, 0.0, 0.0, np.array(0.9))
