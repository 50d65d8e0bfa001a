"""The guessing game, played as a browser plays it, against a model that is a table."""

import ipywidgets as widgets
import pytest

from minibert.course.widgets.guess import (
    CommitFirst,
    FillMask,
    GuessFirst,
    filled_html,
    guesses_html,
    percent,
)
from minibert.course.widgets.view import figure

PUZZLES = [("a cow gives [MASK].", "milk"), ("<i>[MASK]</i>", "hen")]
SAYS = {PUZZLES[0][0]: [("milk", 0.6), ("cheese", 0.3)], PUZZLES[1][0]: [("<b>", 0.9), ("hen", 0.05)]}


@pytest.fixture
def asked():
    return []


@pytest.fixture
def game(asked):
    return GuessFirst(lambda text: asked.append(text) or {"the model": SAYS[text]}, PUZZLES)


def say(game, guess):
    game.controls["guess"].set_state({"value": guess})


def test_the_model_is_not_asked_before_the_reader_has_guessed(game, asked):
    say(game, "  ")
    assert asked == [] and "milk" not in game.view.value and "Type your guess" in game.view.value


def test_both_guesses_and_the_hidden_word_are_told(game):
    say(game, "Cheese ")
    told = game.view.value
    assert "You say <b>cheese</b>, the model says <b>milk</b> (60% sure)." in told
    assert "The masked word is <b>milk</b>." in told
    assert "not among" not in told


def test_how_sure_the_model_is_reads_as_beside_its_bar():
    game = GuessFirst(lambda text: {"the model": [("milk", 0.9962)]}, PUZZLES)
    say(game, "milk")
    assert "99.6% sure" in game.view.value and "100%" not in game.view.value


def test_a_guess_that_the_model_did_not_think_of_is_told(game):
    say(game, "hay")
    assert "Your guess is not among the model's top 2." in game.view.value


def test_a_new_sentence_hides_the_answer_again(game, asked):
    say(game, "milk")
    game.controls["number"].set_state({"index": 1})
    assert game.controls["guess"].value == "" and asked == [PUZZLES[0][0]]
    assert "hen<" not in game.view.value and "Type your guess" in game.view.value


@pytest.mark.parametrize(
    "p, text",
    [
        (0, "0%"),
        (0.0004, "<0.1%"),
        (0.001, "0.1%"),
        (0.042, "4.2%"),
        (0.0994, "9.9%"),
        (0.0996, "10%"),
        (0.35, "35%"),
        (0.998, "99.8%"),
        (0.9995, ">99.9%"),
        (1, "100%"),
    ],
)
def test_a_probability_is_a_percentage_with_as_many_digits_as_a_reader_needs(p, text):
    assert percent(p) == text


def test_only_first_guesses_count(game):
    say(game, "hay")
    say(game, "milk")
    assert "you 0, the model 1, out of 1" in game.view.value
    game.controls["number"].set_state({"index": 1})
    say(game, "hen")
    assert "you 1, the model 1, out of 2" in game.view.value


def test_text_is_escaped(game):
    game.controls["number"].set_state({"index": 1})
    assert "<i>" not in game.view.value
    say(game, "<script>")
    assert "<script" not in game.view.value and "<b><b>" not in game.view.value


def test_a_text_needs_exactly_one_gap():
    with pytest.raises(ValueError, match=r"the text has 2 \[MASK\], but needs exactly one"):
        GuessFirst(SAYS.get, [("[MASK] and [MASK]", "x")])


def test_guesses_are_bars_with_numbers_and_a_description():
    shown = guesses_html([("milk", 0.614), ("<b>", 0.2)], {"milk": "yours"})
    assert 'aria-label="The model says: milk 61%, &lt;b&gt; 20%."' in shown
    assert (
        "width:min(147px, 15.3vw)" in shown and ">61%<" in shown and "yours" in shown and "<b>" not in shown
    )


class Model:
    def fill_mask(self, text, top):
        return [[("milk", 0.5), ("<hay>", 0.25)]] * text.count("[MASK]")


def test_the_model_fills_each_gap_of_a_sentence_that_is_typed():
    filled = FillMask(Model(), "A cow gives [MASK].")
    assert "milk" in filled.view.value and "&lt;hay&gt;" in filled.view.value and "50%" in filled.view.value
    filled.controls["text"].set_state({"value": "A [MASK] gives [MASK]."})
    assert filled.view.value.count("milk 50%") == 2 and "Gap 2" in filled.view.value


def test_a_sentence_without_a_gap_is_told_what_to_do():
    assert FillMask(Model(), "A cow gives milk.").view.value == (
        "<p>Write [MASK] in place of a word that the model should predict, and press Enter.</p>"
    )


def test_a_filled_text_marks_right_and_wrong_guesses():
    filled = filled_html(
        ["The", "cow", "gives", "<b>", "."], [True, True, False, True, False], ["the", "hen", "milk"]
    )
    assert "✓ the<" in filled and "was: The" not in filled
    assert "✗ hen<" in filled and "was: cow" in filled and "was: &lt;b&gt;" in filled
    assert "The model predicts 1 of 3 masked words right (33%)." in filled
    assert "0 of 0 masked words right." in filled_html(["a"], [False], [])


def test_each_masked_word_needs_a_guess():
    with pytest.raises(ValueError, match="1 guesses for 2 masked words"):
        filled_html(["a", "b"], [True, True], ["a"])


@pytest.mark.parametrize("answer", [lambda n: f"It is {n}.", lambda n: (figure()[0], f"It is {n}.")])
def test_an_answer_waits_for_a_guess_and_hides_again_with_a_new_question(answer):
    asked = CommitFirst(lambda n: f"What is {n}?", answer, n=widgets.IntText(3, description="n"))
    say(asked, " ")
    assert asked.view.value == "What is 3?"
    say(asked, "<4>")
    assert "You say <b>&lt;4&gt;</b>." in asked.view.value and "It is 3." in asked.view.value
    asked.controls["n"].set_state({"value": 5})
    assert asked.view.value == "What is 5?" and asked.controls["guess"].value == ""
