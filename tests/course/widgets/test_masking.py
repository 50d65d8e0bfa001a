"""What the views of masking show, count, say in words, and refuse; no kernel, no browser, no PyTorch."""

import ipywidgets as widgets
import numpy as np
import pytest
from drawn import fits

from minibert.course.widgets import masking as view
from minibert.course.widgets.view import figure_html

WORDS = ["the", "cook", "walks", "home"]
CHOSEN = np.array([False, True, True, True])
SEEN = ["the", "[MASK]", "hen", "home"]
EVIL = "<script>alert('&')</script>"


def test_each_chosen_word_meets_one_of_three_fates():
    assert view.fates(WORDS, CHOSEN, SEEN) == ["", "masked", "replaced", "kept"]


def test_another_sign_can_hide_words():
    assert view.fates(["a", "b"], [True, True], ["[UNK]", "[MASK]"], sign="[UNK]") == ["masked", "replaced"]


def test_lists_of_unequal_length_and_no_draw_are_refused():
    with pytest.raises(ValueError, match="4 words, 3 choices and 4 words seen"):
        view.fates(WORDS, CHOSEN[:3], SEEN)
    with pytest.raises(ValueError, match="there are no draws to show"):
        view.masking_view([])


def test_the_readers_text_is_escaped_wherever_it_stands():
    shown = view.masking_view([([EVIL, EVIL, EVIL, EVIL], CHOSEN, [EVIL, "[MASK]", "x", EVIL])])
    assert "<script" not in shown and shown.count("&lt;script&gt;") > 4


def test_a_text_cannot_leave_the_description_that_it_stands_in():
    shown = view.words_html(['" onclick="x'], [True], ["[MASK]"])
    assert '" onclick' not in shown


def test_a_chosen_word_shows_its_sign_and_what_it_was_also_in_words():
    shown = view.words_html(WORDS, CHOSEN, SEEN)
    for sign, word in (("▨ [MASK]", "cook"), ("⇄ hen", "walks"), ("= home", "home")):
        assert f"{sign}<span" in shown and f"was: {word}" in shown
    assert shown.count("was: ") == 3
    alt = (
        "4 words, the model sees: the [MASK] hen home. Chosen: cook masked, walks replaced by hen, home kept."
    )
    assert f'aria-label="{alt}"' in shown


def test_counts_are_of_the_last_draw_and_of_all():
    none = (WORDS, np.zeros(4, bool), WORDS)
    draws = [(WORDS, CHOSEN, SEEN), (WORDS, CHOSEN, ["the", "[MASK]", "[MASK]", "home"]), none]
    shown = view.masking_view(draws)
    assert "In this draw, 0 of 4 words are chosen. In 3 draws: 6 of 12 (50.0%)." in shown
    rows = [[cell.split("<")[0] for cell in row.split('right">')[1:]] for row in shown.split("<tr>")[2:]]
    assert rows == [["0", "3", "50.0%", "80%"], ["0", "1", "16.7%", "10%"], ["0", "2", "33.3%", "10%"]]


def test_an_empty_sentence_is_no_error():
    assert "0 of 0 (–)" in view.masking_view([([], np.zeros(0, bool), [])])


def test_buttons_take_one_more_draw_or_a_hundred():
    box = widgets.Text("go", description="Word")
    redraws = view.ManyRedraws(lambda word, number: f"{word} {number}", word=box)
    assert redraws.view.value == "go 1"
    redraws.new.click()
    redraws.more.click()
    assert redraws.view.value == "go 102"


def test_draws_stop_at_the_most_allowed():
    redraws = view.ManyRedraws(lambda number: f"{number}")
    redraws.controls["number"].value = view.MOST_DRAWS - 1
    redraws.more.click()
    assert redraws.view.value == f"{view.MOST_DRAWS}"


MASKS = {
    "static": np.array([[1, 0, 0, 0]] * 3, bool),
    "fresh": np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]], bool),
}


def test_a_coverage_view_counts_how_often_each_word_was_predicted_and_draws_the_share_so_far():
    fig, alt = view.coverage_view(WORDS, MASKS, "A title")
    assert [int(text.get_text()) for text in fig.axes[0].texts] == [3, 0, 0, 0, 2, 1, 1, 0]
    assert [list(line.get_ydata()) for line in fig.axes[1].lines] == [[25, 25, 25], [25, 50, 75]]
    assert "static: 25% of the words after 3 epochs, each 0 to 3 times" in alt
    assert "fresh: 75% of the words after 3 epochs, each 0 to 2 times" in alt


MANY = {name: np.tile(picked, (4, 6)) for name, picked in MASKS.items()}


@pytest.mark.parametrize(
    "drawn",
    [
        lambda: view.coverage_view(["glassblower"] * 24, MANY, "A finding " * 12),
    ],
)
def test_no_label_is_cut_off(drawn):
    fig, alt = drawn()
    assert fits(fig)
    assert 'aria-label="A finding' in figure_html(fig, alt)
