"""The head browser, as Python sees it; tests/lessons walks through its heads in a browser."""

import numpy as np
import pytest

from minibert.course.unit12.views.head_browser import MOST, STEPS, HeadBrowser

L, H = 2, 3


def looks(step):
    """A model whose head h of layer l looks (step + l + h) tokens to the right, around the end."""

    def read(sentence):
        tokens = sentence.split()
        T = len(tokens)
        raw = np.stack(
            [np.stack([np.roll(np.eye(T), step + l + h, axis=1) for h in range(H)]) for l in range(L)]
        )
        return tokens, {"raw": raw, "effective": raw - 0.5}

    return read


@pytest.fixture
def browser():
    return HeadBrowser({"one": looks(0), "two": looks(1)}, "a b c d", chosen=(1, 2))


def sent(browser):
    T = len(browser.maps.tokens)
    return np.frombuffer(browser.maps.maps, np.int8).reshape(*browser.maps.size, T, T) / STEPS


def test_all_heads_are_sent_and_one_is_chosen(browser):
    assert browser.maps.size == [L, H] and browser.maps.tokens == ["a", "b", "c", "d"]
    assert np.array_equal(sent(browser), looks(0)("a b c d")[1]["raw"])
    assert browser.maps.chosen == [1, 2]
    assert browser.said().startswith("Layer 2, head 3: a attends most to d (1.00)")


def test_another_model_view_or_sentence_sends_other_maps(browser):
    browser.model.value = "two"
    assert sent(browser)[0, 0, 0].argmax() == 1
    browser.view.value = "effective"
    assert sent(browser).min() == pytest.approx(-0.5, abs=1 / STEPS)
    browser.text.value = "x y"
    assert browser.maps.tokens == ["x", "y"] and sent(browser).shape == (L, H, 2, 2)


def test_a_chosen_head_that_a_smaller_model_lacks_becomes_its_last_one():
    small = {"raw": np.eye(2)[None, None]}
    browser = HeadBrowser(
        {"large": looks(0), "small": lambda text: (text.split(), small)}, "a b", chosen=(1, 2)
    )
    browser.view.options = ["raw"]
    browser.model.value = "small"
    assert browser.maps.chosen == [0, 0]


@pytest.mark.parametrize("sentence", ["", " ".join("a" * (MOST + 1))])
def test_a_sentence_that_cannot_be_drawn_is_said_and_the_next_one_is_drawn(browser, sentence):
    browser.text.value = sentence
    assert f"type a sentence of at most {MOST} tokens" in browser.maps.problem
    browser.text.value = "a b"
    assert not browser.maps.problem


def test_a_page_without_a_kernel_says_where_the_chosen_head_looks():
    page = HeadBrowser({"one": looks(0)}, "<a> b")._repr_mimebundle_()[0]["text/html"]
    assert page == (
        "<p>Layer 1, head 1: &lt;a&gt; attends most to &lt;a&gt; (1.00); b attends most to b (1.00).</p>"
    )
