"""The table that walks one query through attention."""

import re

import numpy as np
import pytest

from minibert.course.widgets.attention_steps import STEPS, attention_steps, number, product, vector

Q, K, V = (
    np.array([1.0, 2.0]),
    np.array([[3.0, 0.0], [0.0, -1.0], [0.0, 0.0]]),
    np.array([[1.0, 0.5], [0, 0], [0, 4]]),
)
DOTS = np.array([3.0, -2.0, 0.0])
PROBS = np.array([0.7, 0.1, 0.2])
RESULTS = dict(dots=DOTS, scores=DOTS / 2, exps=np.array([4.5, 0.4, 1.0]), probs=PROBS, context=PROBS @ V)
ROWS = ["key k", "q · k", "÷ √d", "e to the score", "weight", "weight × value"]


def table(step, words=("a", "b", "c")):
    return attention_steps(list(words), 1, Q, K, V, ["size", "colour"], step=step, **RESULTS)


@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_each_step_adds_one_row(step):
    shown = [row for row in ROWS if f">{row}</th>" in table(step)]
    assert shown == ROWS[:step]


def test_only_the_row_of_the_step_has_a_frame():
    for step in range(1, STEPS):
        assert table(step).count("outline:2px") == 1
    assert table(STEPS).count("outline:2px") == 0


def test_a_dot_product_shows_the_products_that_are_not_zero():
    assert product(Q, K[0], 3.0) == "1·3<br>= <b>3</b>"
    assert product(Q, K[1], -2.0) == "2·−1<br>= <b>−2</b>"
    assert product(Q, K[2], 0.0) == "<b>0</b>"


def test_the_last_step_says_what_each_number_of_the_context_means():
    assert "context" not in table(STEPS - 1)
    assert "size <b>0.7</b>, colour <b>1.15</b>" in table(STEPS)


def test_words_are_escaped():
    assert "<script>" not in table(STEPS, ("<script>", "<b>", "c"))


def test_a_step_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match=f"there is no step 0; the steps are 1 to {STEPS}"):
        table(0)


def test_numbers_have_two_decimals_at_most_and_no_negative_zero():
    assert [number(x) for x in (1.0, 0.123, -0.001, -2.5)] == ["1", "0.12", "0", "−2.5"]


def test_a_larger_number_has_more_colour_and_a_negative_one_is_hatched():
    drawn = vector([0.0, 2.0, 4.0, 8.0, -4.0], "query")
    assert re.findall(r"rgba\(0,114,178,(0\.\d+)\)", drawn) == ["0.00", "0.30", "0.60", "0.60", "0.40"]
    assert re.findall(r">([^<>]+)</span> ", drawn) == ["0", "2", "4", "8", "−4"]
    assert drawn.count("repeating-linear-gradient") == 1
