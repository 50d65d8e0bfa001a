"""The views of lesson 1: what the counting models show, and gaps in English."""

import itertools

import numpy as np
import pytest

from minibert.course.unit01.views import (
    coverage,
    guess_rate,
    guess_side,
    how_good,
    kinds,
    left_only,
    my_text,
    units,
    with_not,
)
from minibert.course.unit01.views.counting import BOTH, accuracy, around
from minibert.course.unit01.views.masks import TOKENS, UNITS, different_draws, help_left
from minibert.course.unit01.views.rate import (
    RATES,
    SEEDS,
    learn,
    masked_words,
    predict,
    rates,
    trained_at,
)
from minibert.course.unit01.views.small_model import PUZZLES, predictions


def unwritten(*_):
    """Return nothing yet.

    >>> unwritten(["the", "cat", "sat"])
    [(('the', 'sat'), 'cat')]
    """


def test_both_sides_tell_more_than_one():
    guess = guess_side(unwritten)
    assert guess.answer() == BOTH and "With our examples: 40% right from both sides" in guess.see()


def test_the_students_examples_are_used_once_they_are_right():
    def right(words):
        """Return the examples.

        >>> right(["the", "cat", "sat"])
        [(('the', 'sat'), 'cat')]
        """
        return around(words)

    def only_left(words):
        """Return the wrong examples.

        >>> only_left(["the", "cat", "sat"])
        [(('the', 'sat'), 'cat')]
        """
        return [((left,), word) for (left, _), word in around(words)]

    assert "With your examples: 40%" in guess_side(right).see()
    assert "With our examples: 40%" in guess_side(only_left).see() and guess_side(only_left).answer() == BOTH
    assert accuracy(only_left) < accuracy(around)


def test_a_middle_rate_is_best_and_the_curve_gets_flatter():
    one, five = rates().values()
    assert guess_rate().answer() == "40%" and one.argmax() == RATES.index(40)
    assert min(five[1:5]) / max(five) > min(one[1:5]) / max(one) > 0.85


def test_the_best_of_the_four_rates_is_the_same_with_each_random_start():
    for seed in range(SEEDS):
        assert max((5, 15, 40, 80), key=lambda rate: trained_at(rate, 1, seed)) == 40


A, B, C, D = range(1, 5)  # words


def test_a_masked_neighbour_is_not_visible():
    found = masked_words(np.array([0, A, B, C, D, 0]), np.array([0, 0, 1, 1, 0, 0], bool))
    assert found.T.tolist() == [[A, B, 0], [0, C, D]]
    learned = learn(*found)
    assert predict(learned, A, 0) == B and predict(learned, 9, D) == C
    assert predict(learned, A, D) == B  # the left neighbour is asked before the right one
    assert predict({}, A, B) == 0


def test_the_most_frequent_word_of_the_most_specific_context_is_predicted():
    learned = learn(np.array([A, A, A, A]), np.array([B, C, C, D]), np.array([D, D, D, B]))
    assert predict(learned, A, D) == C and predict(learned, A, B) == D and predict(learned, 9, 9) == C


def test_the_expected_share_stands_below_the_measured_one():
    assert "Your function expects 80.3%" in coverage(lambda rate, masks: 1 - (1 - rate) ** masks).view.value
    assert "Your function" not in coverage(unwritten).view.value
    assert "says 6, but a share is between 0 and 1" in coverage(lambda rate, masks: 6).view.value


def test_one_side_is_cut_off(english_encoder):
    said = left_only().view.value
    assert said.count("dog") >= 1 and all(
        name in said for name in ("Both sides", "Left side only", "Right side")
    )
    view = left_only()
    view.controls["text"].value = "no gap"
    assert "write a sentence with one [MASK]" in view.view.value


def test_the_ten_sentences_are_counted(english_encoder):
    said = how_good().content
    assert f"our English model {said.count('✓')} of 9" in said and 0 < said.count("✓") < 9


def test_not_changes_little(english_encoder):
    view = with_not()
    assert "4 of the five words are in both lists" in view.view.value
    assert "3 of 5 more sentences keep their first word" in view.view.value
    view.controls["text"].value = "Snow [MASK]."
    assert "the sentence needs the word can or is" in view.view.value


@pytest.mark.parametrize("rate, count", [(15, 7), (80, 38)])
def test_words_are_masked_at_the_rate(rate, count, english_encoder):
    view = my_text()
    view.controls["rate"].value = rate
    masked = int(view.view.value.split("Masked words: ")[1].split(".")[0])
    assert abs(masked - count) <= 6


def test_a_new_draw_of_the_text_needs_a_new_guess(english_encoder):
    view = my_text()
    view.controls["guess"].value = "5"
    before = view.view.value
    view.children[0].children[-1].click()
    assert "You say" in before and "Masked words: " in view.view.value and not view.controls["guess"].value


@pytest.mark.parametrize("unit", UNITS)
def test_each_draw_masks_a_unit_of_the_chosen_kind_and_differs_from_the_last(unit):
    drawn = list(itertools.islice(different_draws(unit), 20))
    assert all((one != other).any() for one, other in itertools.pairwise(drawn))
    parts = {"tokens": "", "whole words": "##", "named entities": "york", "phrases": "workshop"}
    masked = [np.array(TOKENS)[chosen] for chosen in drawn]
    assert any(token.startswith(parts[unit]) for tokens in masked for token in tokens)
    assert unit != "whole words" or all("##blow" in tokens for tokens in masked)
    helped = ["Help from the same" in help_left(chosen) for chosen in drawn]
    assert any(helped) == (unit in ("tokens", "whole words"))


def test_the_help_next_to_a_gap_is_named():
    chosen = np.isin(TOKENS, ["##blow", "york"])
    said = "Help from the same word or name: glass, ##er (of glassblower); new (of new york)."
    assert help_left(chosen) == said
    assert "New draw" in [button.description for button in units().children[0].children]


def test_each_kind_of_learning_has_two_examples():
    answers = [next(one.text for one in question.choices if one.right) for question in kinds().questions]
    assert sorted(answers) == sorted([choice.text for choice in kinds().questions[0].choices] * 2)


def test_a_hint_that_names_the_word_concentrates_the_small_models_probability():
    best = {right: predictions(text)[0] for text, right in PUZZLES}
    assert best["violin"][0] == "violin" and best["violin"][1] > 0.5
    assert best["owl"][1] < 0.15 and best["pig"][0] != "pig"
