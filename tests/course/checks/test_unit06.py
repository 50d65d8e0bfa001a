"""Particular checks of unit 06; test_units.py compares them with their bank."""

import math

import numpy as np
from banks.trial import unit

from minibert.course import unit06 as check

UNIT = unit("unit06")


def test_a_wrong_head_does_not_sink_the_right_choice(capsys):
    wrong = UNIT.wrong("classifier_logits", "mean")
    check.choice_logits(UNIT.answer("choice_logits", classifier_logits=wrong))
    assert "Checked with our classifier_logits" in capsys.readouterr().out


def test_a_hidden_check_shows_neither_inputs_nor_values():
    said = UNIT.message(
        "matthews_correlation", UNIT.returning("matthews_correlation", "0.123"), seed=5, hidden=True
    )
    assert "expected" not in said and "0.123" not in said


def test_the_large_test_set_is_large_enough_to_overflow():
    gold, predicted = check.matthews_cases(np.random.default_rng(0))[-1]
    sides = [int((side == label).sum()) for side in (gold, predicted) for label in (0, 1)]
    assert math.prod(sides) > np.iinfo(np.int64).max
