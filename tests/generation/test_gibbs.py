"""Gibbs sampling has the joint distribution that its conditionals belong to, and changes only free tokens."""

import numpy as np
from exact import MASK, V, conditionals, distance, inconsistent, joint, number
from scipy.stats import chisquare

from minibert.generation.gibbs import gibbs, gibbs_step

FREE = np.array([True, True, True])
MANY = 20_000


def last(log_probs, free=FREE, sweeps=12, start=0, seed=0):
    ids = np.full((MANY, 3), start)
    return [*gibbs(ids, free, log_probs, MASK, sweeps, np.random.default_rng(seed))][-1]


def test_texts_have_the_joint_distribution_of_consistent_conditionals():
    probs = joint()
    counts = np.bincount(number(last(conditionals(probs))), minlength=len(probs))
    assert chisquare(counts, probs * MANY).pvalue > 0.001
    assert distance(last(conditionals(probs), sweeps=1), probs) > 0.03  # it needs more than one sweep


def test_a_model_that_belongs_to_no_joint_distribution_depends_on_the_order_of_positions():
    rng, found = np.random.default_rng(0), []
    for order in ((0, 1, 2), (2, 1, 0)):
        ids = np.zeros((MANY, 3), int)
        for _ in range(12):
            for position in order:
                ids = gibbs_step(ids, position, inconsistent(), MASK, rng)
        found.append(np.bincount(number(ids), minlength=V**3) / MANY)
    assert abs(found[0] - found[1]).sum() / 2 > 0.03


def test_other_positions_stay_and_the_input_is_unchanged():
    ids = np.full((5, 3), 2)
    new = gibbs_step(ids, 1, conditionals(joint()), MASK, np.random.default_rng(0))
    assert (ids == 2).all() and (new[:, [0, 2]] == 2).all() and (new < V).all()
    assert (last(conditionals(joint()), np.array([True, False, True]), start=2)[:, 1] == 2).all()


def test_the_token_itself_is_not_visible_when_it_is_drawn():
    seen = []

    def log_probs(ids):
        seen.append(ids.copy())
        return np.log(np.full((*ids.shape, V), 1 / V))

    gibbs_step(np.array([[0, 1, 2]]), 1, log_probs, MASK, np.random.default_rng(0))
    assert [one.tolist() for one in seen] == [[[0, MASK, 2]]]
