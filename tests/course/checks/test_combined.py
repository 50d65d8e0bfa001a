"""Two mutants of a solution at once lose points, or are right; how further wrong answers are made."""

import numpy as np
import pytest
from banks import combined, quiet

SOME = 3  # for each exercise; benchmarks/combined.py tries more, also mistakes in one regime of inputs


@pytest.mark.slow
@pytest.mark.parametrize("assignment, name", combined.exercises())
def test_two_mutants_at_once_lose_points(assignment, name, monkeypatch):
    monkeypatch.setattr(combined, "SECONDS", 5)
    pairs = [answer for answer in combined.answers(assignment, name, SOME) if answer[2] is None]
    with quiet():
        missed = list(combined.missed(assignment, name, pairs))
    assert len(pairs) == SOME and not missed


def test_two_mutants_at_once_are_no_single_mutant():
    source = "def f(x):\n    return x[0] + x[1] * 3"
    made = combined.pairs(source, 5, np.random.default_rng(0))
    assert len(made) == 5 and not set(made.values()) & {source, *combined.mutants(source).values()}


def test_a_mistake_in_one_regime_shows_there_alone():
    name, source, regime = next(
        combined.regimes(combined.trial.unit("unit02"), "softmax", 1, np.random.default_rng(0))
    )
    unit = combined.trial.unit("unit02")
    for where in (True, False):
        answer = unit.answer("softmax", source, in_regime=lambda args, where=where: where)
        case = combined.differs(unit, "softmax", answer, np.random.default_rng(0))
        assert (case is not None) == where, (name, regime)


@pytest.mark.parametrize(
    "regime, inside, outside",
    [
        ("tiny", [np.array([1e-8])], [np.array([1e-3])]),
        ("huge", [{"x": np.array([1e6])}], [np.array([1.0])]),
        ("size 1", [[3]], [[3, 4]]),
        ("empty", [""], ["a"]),
        ("ties", [np.ones(2)], [np.arange(2.0)]),
        ("a view", [np.arange(4.0)[::-1]], [np.arange(4.0)]),
        ("repeated", ["aba"], ["abc"]),
        ("all below 0", [-1.5], [np.array([-1.5, 0.0])]),
        ("whole numbers", [2.0], [2.5]),
    ],
)
def test_a_regime_is_told_from_the_arguments(regime, inside, outside):
    assert combined.REGIMES[regime](inside) and not combined.REGIMES[regime](outside)


def test_a_choice_among_a_few_is_no_text_to_be_changed():
    cases = [("ab", "sum", 1), ("bc", "sum", 2), ("cd", "last", 3)]
    rng = np.random.default_rng(0)
    made = [combined.changed(cases[0], rng, combined.options(cases)) for _ in range(60)]
    assert {way for _, way, _ in made} == {"sum"} and {text for text, _, _ in made} > {"ab"}
