"""The views of lesson 4: the student's functions are used, and the text's claims hold."""

import re

import numpy as np
import pytest

from minibert.course.unit04 import views
from minibert.course.unit04.views import masked, pairs
from minibert.reference import token_head


def unwritten(*_):
    """Return something.

    >>> unwritten()
    1
    """


def seven(*_):
    """Return 7.

    >>> seven()
    7
    """
    return 7.0


# Masked language modeling.


def test_the_loss_by_hand_is_that_of_the_package_s_head():
    hidden = np.array([1, 1, -1, 0.0])
    steps = masked.by_hand(hidden)
    head = {
        "transform.weight": masked.MATRIX,
        "transform.bias": np.zeros(4),
        "norm.weight": np.ones(4),
        "norm.bias": np.zeros(4),
        "decoder.weight": masked.TABLE,
        "decoder.bias": masked.BIAS,
    }
    assert token_head(hidden, head) == pytest.approx(steps["logits"])
    soup = masked.WORDS.index("soup")
    assert masked.our_token_loss(steps["logits"], soup) == pytest.approx(-np.log(steps["probs"][soup]))
    assert steps["probs"][soup] == pytest.approx(0.54, abs=0.005), "as the lesson's first lines say"
    assert steps["probs"].argsort()[::-1][:2].tolist() == [soup, masked.WORDS.index("tea")]


@pytest.mark.usefixtures("english_encoder")
def test_the_wrong_word_stands_out_and_the_bars_are_the_students():
    text = "The doctor listened to the heart of her thunder."
    shown, losses = masked.bars_over(text, masked.our_token_loss)
    assert losses.argmax() == text.split().index("thunder.")
    mine = views.with_mine(seven).view.value
    assert "Mean loss 7.00" in mine and "Your <code>seven</code>" in mine
    assert "Mean loss 7.00" not in views.with_mine(unwritten).view.value


@pytest.mark.usefixtures("english_encoder")
def test_only_the_right_mean_does_not_depend_on_the_padding():
    shown = views.paddings(unwritten).content
    ends = re.findall(r"loss, ([^:]+): ([\d.]+) at 32, ([\d.]+) at 256", shown)
    still = [name for name, first, last in ends if first == last]
    assert still == ["chosen only (right)", "seen tokens, too"] and len(ends) == 4
    assert "the loss is 7.00" in views.paddings(seven).content


def test_one_minus_p_rewards_exaggeration():
    guess = views.guess_cheapest()
    assert guess.answer() == "100%" and "70% with −ln p, the true share" in guess.see()[1]


# Pairs.


def test_documents_of_one_sentence_have_only_label_1_and_of_two_mostly():
    shown = views.short_documents().content
    first, second = map(int, re.search(r"Label 1: (\d+)% .*?, (\d+)% with two", shown).groups())
    assert first == 100 and 60 < second < 72


@pytest.mark.usefixtures("english_encoder")
def test_order_hardly_matters_to_next_sentence_prediction_on_english():
    said = pairs.changes()
    assert said["the true B"] - said["A and B exchanged"] < 10 < said["the words of B shuffled"] - 60
    assert said["B of another passage"] < 50 and views.guess_exchanged().answer() == pairs.ALWAYS


@pytest.mark.usefixtures("english_encoder")
def test_a_bag_of_words_is_as_good_as_bert():
    _, bags, bert = pairs.thresholds()
    assert abs(bags - bert) < 8 and bags > 73 and views.guess_bags().answer() == "about 80%"
    tested = len(pairs.halves()) - pairs.LEARNT - 1
    assert 2 * tested == 38 and round(pairs.changes()["B of another passage"]) == 38, "as the lesson says"
    ours, theirs = pairs.first_choices()
    assert ours > theirs + 15


@pytest.mark.usefixtures("english_encoder")
def test_the_sum_comes_from_the_students_function():
    mine, ours = (views.bags(function).view.value for function in (seven, unwritten))
    assert "Sum <b>7.0</b>" in mine and "Sum <b>7.0</b>" not in ours


def test_the_sum_of_shared_words_is_the_same_in_both_orders():
    forwards, backwards = (
        pairs.sums(some, pairs.our_shared_weight)
        for some in (pairs.halves(), [(b, a) for a, b in pairs.halves()])
    )
    assert np.allclose(forwards, backwards)
