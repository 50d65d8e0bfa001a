"""The table that walks one masked word to its loss, and the losses of a row."""

import numpy as np
import pytest

from minibert.course.widgets.word_to_loss import HEIGHT, STEPS, losses_html, row_losses, word_to_loss

H = np.array([1.0, -2.0])
PROBS = np.array([0.2, 0.5, 0.3])
RESULTS = dict(
    hidden=H,
    transformed=2 * H,
    activated=H / 2,
    normed=np.array([1.0, -1.0]),
    dots=np.array([1.0, 2.0, 0.0]),
    bias=np.array([0.5, 0.0, 0.0]),
    logits=np.array([1.5, 2.0, 0.0]),
    exps=np.array([4.5, 7.4, 1.0]),
    probs=PROBS,
)
ROWS = "hidden h|W h + b|GELU|LayerNorm|embedding · vector|+ bias|e to the logit|p|−ln p".split("|")


def table(step, right=1, words=("soup", "tea", "cook")):
    return word_to_loss(list(words), np.array([[1.0, 0], [2, 0], [0, 0]]), right, **RESULTS, step=step)


@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_each_step_adds_one_line_and_frames_it(step):
    assert [name for name in ROWS if f">{name}</th>" in table(step)] == ROWS[:step]
    assert table(step).count("outline:2px") == 1


def test_the_last_step_says_the_loss_of_the_right_word_and_of_no_other():
    assert "−ln p = 0.69" in table(STEPS) and table(STEPS).count("<b>0.69</b>") == 1
    assert "<b>1.61</b>" in table(STEPS, right=0)
    assert "<b>0.69</b>" not in table(STEPS - 1)


def test_a_step_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match=f"there is no step 0; the steps are 1 to {STEPS}"):
        table(0)


def test_words_are_escaped():
    assert "<script>" not in table(STEPS, words=("<script>", "a", "b"))
    assert "<script>" not in row_losses(["<script>"], ["<script>"], [1.0])


def test_a_row_averages_what_is_asked_only():
    shown = row_losses(["a", "[MASK]", "c"], ["", "b", "d"], [9.0, 1.0, 2.0])
    assert "(1.00 + 2.00) / 2 = <b>1.50</b>" in shown and "9.00" not in shown
    assert 'aria-label="a: not predicted; [MASK]: label b, loss 1.00; c: label d, loss 2.00"' in shown


def test_a_row_of_unequal_lengths_is_refused():
    with pytest.raises(ValueError, match="2 tokens, 1 labels and 2 losses, but the three numbers must be"):
        row_losses(["a", "b"], [""], [1.0, 2.0])


def test_a_row_without_a_label_has_no_loss():
    assert "none, because no token is predicted" in row_losses(["a", "b"], ["", ""], [1.0, 2.0])


def test_each_token_has_a_bar_as_high_as_its_loss_and_the_highest_is_framed():
    shown = losses_html(["a", "<b>", "c"], np.array([2.0, 8.0, 4.0]))
    assert [f"height:{height:.0f}px" in shown for height in (HEIGHT / 4, HEIGHT, HEIGHT / 2)] == [True] * 3
    assert shown.count("2px solid #") == 1 and "<b>" not in shown
    assert shown.index("2px solid #") > shown.index(">2.0<")
    assert shown.index("2px solid #") < shown.rindex("&lt;b&gt;") < shown.index(">8.0<")
    assert 'aria-label="Loss of each token: a 2.0, &lt;b&gt; 8.0, c 4.0."' in shown


@pytest.mark.parametrize("tokens, losses", [(["a", "b"], [1.0]), ([], [])])
def test_bars_need_a_token_and_a_loss_for_each(tokens, losses):
    with pytest.raises(ValueError, match=f"{len(tokens)} tokens and {len(losses)} losses"):
        losses_html(tokens, losses)


def test_a_small_highest_loss_has_a_low_bar():
    assert f"height:{HEIGHT / 2:.0f}px" in losses_html(["a"], [0.5])
