"""The guessing game, played as a browser plays it, against a model that is a table."""
import pytest

from minibert.viz.guess import GuessFirst, guesses_html

PUZZLES = [("a cow gives [MASK].", "milk"), ("<i>[MASK]</i>", "hen")]
SAYS = {PUZZLES[0][0]: [("milk", 0.6), ("cheese", 0.3)], PUZZLES[1][0]: [("<b>", 0.9), ("hen", 0.05)]}


@pytest.fixture
def asked():
    return []


@pytest.fixture
def game(asked):
    return GuessFirst(lambda text: asked.append(text) or SAYS[text], PUZZLES)


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


def test_a_guess_that_the_model_did_not_think_of_is_told(game):
    say(game, "hay")
    assert "Your guess is not among its first 2." in game.view.value


def test_a_new_sentence_hides_the_answer_again(game, asked):
    say(game, "milk")
    game.controls["number"].set_state({"index": 1})
    assert game.controls["guess"].value == "" and asked == [PUZZLES[0][0]]
    assert "hen<" not in game.view.value and "Type your guess" in game.view.value


def test_only_first_guesses_count(game):
    say(game, "hay")
    say(game, "milk")
    assert "you 0, the model 1, of 1" in game.view.value
    game.controls["number"].set_state({"index": 1})
    say(game, "hen")
    assert "you 1, the model 1, of 2" in game.view.value


def test_text_is_escaped(game):
    game.controls["number"].set_state({"index": 1})
    assert "<i>" not in game.view.value
    say(game, "<script>")
    assert "<script" not in game.view.value and "<b><b>" not in game.view.value


def test_a_text_needs_exactly_one_gap():
    with pytest.raises(ValueError, match=r"2 times \[MASK\], there must be one"):
        GuessFirst(SAYS.get, [("[MASK] and [MASK]", "x")])


def test_guesses_are_bars_with_numbers_and_a_description():
    shown = guesses_html([("milk", 0.614), ("<b>", 0.2)], {"milk": "yours"})
    assert 'aria-label="The model says: milk 61.4%, &lt;b&gt; 20.0%."' in shown
    assert "width:61%" in shown and "yours" in shown and "<b>" not in shown
