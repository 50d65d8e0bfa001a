"""Particular checks of unit 07; test_units.py compares them with their bank."""

import numpy as np
import pytest
from banks.trial import unit

from minibert.course import unit07 as check
from minibert.course.unit07 import versions

UNIT = unit("unit07")


def test_a_wrong_search_does_not_sink_the_answer_from_windows(capsys):
    check.answer_question(UNIT.answer("answer_question", best_span=UNIT.wrong("best_span", "end behind")))
    assert "Checked with our best_span" in capsys.readouterr().out


def test_all_right_versions_of_the_search_agree():
    rng = np.random.default_rng(5)
    for _ in range(30):
        T = int(rng.integers(1, 9))
        case = (*rng.integers(-3, 4, (2, T)).astype(float), int(rng.integers(1, 9)))
        wanted = check.best_span.reference(*case)
        assert all(version.function(*case) == wanted for version in versions.RIGHT)


def test_a_hidden_check_shows_neither_inputs_nor_values():
    said = UNIT.message(
        "exact_match_and_f1", UNIT.returning("exact_match_and_f1", "0.25, 0.75"), seed=5, hidden=True
    )
    assert "0.25" not in said and "boat" not in said


@pytest.mark.parametrize("name", [name for name in UNIT.checks if name != "answer_question"])
def test_each_exercise_has_three_hints(name):
    assert len(UNIT.checks[name].hints) == 3
