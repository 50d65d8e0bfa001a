"""The maps of who may use what: said in words, drawn where they are true, refused where they do not fit."""
import numpy as np
import pytest

from minibert.viz.visibility import model_visibility

TOKENS = ["a", "b", "c"]
LEFT, BOTH = np.tril(np.ones((3, 3), int), -1), 3 * (1 - np.eye(3, dtype=int))


def test_the_description_says_what_the_chosen_token_may_use():
    _, alt = model_visibility({"GPT": LEFT, "BERT": BOTH}, 1, TOKENS, "Two.")
    assert "To predict “b”. GPT: from the left a; BERT: from both sides at once a, c." in alt


def test_two_readers_are_told_apart():
    _, alt = model_visibility({"ELMo": LEFT + 2 * LEFT.T}, 1, TOKENS, "One.")
    assert "ELMo: from the left a and, apart from it, from the right c" in alt


def test_the_first_token_of_a_left_reader_has_nothing_to_use():
    assert "GPT: nothing" in model_visibility({"GPT": LEFT}, 0, TOKENS, "One.")[1]


def test_only_the_lit_row_carries_letters_and_the_asked_word_a_question_mark():
    fig, _ = model_visibility({"GPT": LEFT}, 2, TOKENS, "One.")
    assert [text.get_text() for text in fig.axes[0].texts] == ["L", "L", "?"]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"GPT: a map of shape \(2, 2\) for 3 tokens"):
        model_visibility({"GPT": LEFT[:2, :2]}, 0, TOKENS, "One.")
    with pytest.raises(ValueError, match="token 3 of 3: 0 to 2"):
        model_visibility({"GPT": LEFT}, 3, TOKENS, "One.")
