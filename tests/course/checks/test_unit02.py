"""Particular checks of unit 02; test_units.py compares them with their bank."""

import numpy as np
from banks import told
from banks.trial import unit

from minibert import reference
from minibert.course import unit02 as check

UNIT = unit("unit02")


def test_with_a_wrong_earlier_answer_the_message_is_about_the_later_one():
    not_written_message = UNIT.answer("softmax", UNIT.stub("softmax"))
    said = UNIT.message("attention", UNIT.wrong("attention", "divided by K", softmax=not_written_message))
    assert told(UNIT.bank["attention"].wrong["divided by K"][1], said)
    assert "Checked with our softmax" in said


def test_the_student_keeps_her_own_function_after_the_check():
    wrong = UNIT.wrong("attention", "no scaling")
    later = UNIT.answer("multi_head_attention", attention=wrong)
    check.multi_head_attention(later)
    assert later.__globals__["attention"] is wrong
    assert reference.attention(*np.ones((3, 2, 2)))[1].shape == (2, 2)
