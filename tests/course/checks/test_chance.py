"""The statistics of random answers: right answers practically never fail, wrong shares do."""

import numpy as np
import pytest
from scipy.stats import binom

from minibert.course.checks.chance import (
    FALSE_ALARM,
    MOST_DRAWS,
    all_plausible,
    array_like,
    counted,
    divergence,
    fresh,
    named,
    obeys,
    plausible,
)
from minibert.course.checks.exercise import CheckFailed
from minibert.course.unit01.corrupt_invariants import FATES, RIGHT
from minibert.course.unit01.span_invariants import LENGTHS, LONGEST, P, geometric


def alarms(n, p, given):
    """Exact probability that `n` draws with probability `given` are found not plausible for p."""
    counts = np.arange(n + 1)
    wrong = np.array([not plausible(int(count), n, p) for count in counts])
    return binom.pmf(counts, n, given)[wrong].sum()


@pytest.mark.parametrize("n", [1, 10, 300, 600, 1400, 5000, 12_000])
@pytest.mark.parametrize("p", [1 / 24, 0.1, 0.15, 0.2, 0.4, 0.8])
def test_a_right_share_is_refused_less_often_than_once_in_a_hundred_million(n, p):
    assert alarms(n, p, p) <= FALSE_ALARM


@pytest.mark.parametrize(
    "n, p, wrong", [(5000, 0.4, 0.33), (500, 0.2, 0.5), (1400, 1 / 24, 6 / 36), (750, 0.03, 0.134)]
)
def test_a_wrong_share_is_refused_almost_always(n, p, wrong):
    assert alarms(n, p, wrong) > 0.999


def test_certain_events_leave_no_room():
    assert plausible(0, 50, 0.0) and not plausible(1, 50, 0.0)
    assert plausible(50, 50, 1.0) and not plausible(49, 50, 1.0)
    assert plausible(0, 0, 0.3)
    assert divergence(0.3, 0.3) == 0


def test_the_usual_fates_are_told_from_80_10_10_and_from_each_other():
    rng = np.random.default_rng(0)
    for shares, hint in FATES:
        counts = rng.multinomial(80_000, np.array(shares) / sum(shares)).tolist()
        assert not all_plausible(counts, RIGHT)
        assert named(counts, FATES) == hint


def test_the_usual_lengths_are_told_from_the_right_ones_and_from_each_other():
    rng = np.random.default_rng(0)
    assert all_plausible(rng.multinomial(2300, geometric(P, LONGEST)).tolist(), geometric(P, LONGEST))
    for shares, hint in LENGTHS:
        counts = rng.multinomial(2300, shares).tolist()
        assert not all_plausible(counts, geometric(P, LONGEST)) or "11 words occur" in hint
        assert named(counts, LENGTHS) == hint


def test_what_fits_no_known_mistake_has_no_name():
    assert named((500, 300, 200), FATES) == ""


def test_a_counted_generator_draws_as_any_other_and_ends_an_endless_loop():
    rng = counted(np.random.default_rng(0))
    assert isinstance(rng, np.random.Generator)
    assert rng.random(3).shape == (3,) and 0 <= rng.integers(5) < 5 and len(rng.permutation(4)) == 4
    with pytest.raises(CheckFailed, match="your loop does not end"):
        for _ in range(MOST_DRAWS + 1):
            rng.random()


def test_the_global_generators_are_watched_and_named():
    import random

    rng = np.random.default_rng(0)
    assert obeys(())(lambda rng: rng.random(), rng) is True
    assert "`np.random`" in obeys(())(lambda rng: np.random.random(), rng)
    assert "`random`" in obeys(())(lambda rng: random.random(), rng)
    assert "differ" in obeys(())(lambda rng: np.random.default_rng().random(), rng)


def test_an_answer_that_never_changes_is_named():
    rng = np.random.default_rng(0)
    assert fresh(())(lambda rng: rng.random(), rng) is True
    assert "does not depend on `rng`" in fresh(())(lambda rng: 1, rng)
    assert "so that each call draws new numbers" in fresh(())(
        lambda rng: rng.bit_generator.state["state"]["state"], rng
    )


@pytest.mark.parametrize(
    "result, said",
    [
        ([True], "returns a list"),
        (np.ones(2, bool), r"the shape is (2,)"),
        (np.ones(1), "the dtype is float64"),
    ],
)
def test_the_kind_of_result_is_named(result, said):
    assert said in array_like(bool, ((), (1,)))(lambda rng: result, None)
