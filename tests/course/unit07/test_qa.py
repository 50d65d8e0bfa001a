"""Ribbons under a passage, the map of all pairs, and the windows of a long passage."""

from types import SimpleNamespace

import numpy as np
import pytest

from minibert.course.unit07.views.qa import (
    SHOWN,
    answer_html,
    pairs_map,
    ribbons_html,
    scores_of,
    windows_map,
)

PIECES = ["Owen", " grew", " up", " in", " K<obe"]
STARTS, ENDS = [0.02, 0.0, 0.0, 0.08, 0.9], [0.0, 0.01, 0.0, 0.12, 0.87]


def test_each_piece_has_its_part_of_both_ribbons_and_the_answer_is_bold():
    page = ribbons_html(PIECES, STARTS, ENDS, (3, 4), "It answers: in Kobe.")
    assert page.count("linear-gradient") == page.count("no-repeat") == 2 * len(PIECES)
    assert page.count("font-weight:bold") == 2
    assert "K&lt;obe" in page and "K<obe" not in page


def test_a_space_follows_a_word_so_that_all_lines_begin_at_the_margin():
    page = ribbons_html(PIECES, STARTS, ENDS, None, "")
    assert ">Owen&nbsp;</span>" in page and "&nbsp;grew" not in page and ">K&lt;obe</span>" in page


def test_only_numbers_that_say_something_are_written():
    page = ribbons_html(PIECES, STARTS, ENDS, None, "")
    written = [value for value in STARTS + ENDS if value >= SHOWN]
    assert [f">{100 * value:.0f}%</span>" in page for value in written] == [True] * 3
    assert ">8%</span>" not in page and "font-weight:bold" not in page


def test_the_ribbons_are_told_in_words():
    page = ribbons_html(PIECES, STARTS, ENDS, (4, 4), "It answers: Kobe.")
    alt = page.split('aria-label="')[1].split('"')[0]
    assert alt.startswith("It answers: Kobe. Most probable starts: K&lt;obe 90%, in 8%")
    assert "ends: K&lt;obe 87%, in 12%" in alt


def test_ribbons_of_other_length_are_refused():
    with pytest.raises(
        ValueError, match="5 tokens, 4 starts and 5 ends, but the three numbers must be equal"
    ):
        ribbons_html(PIECES, STARTS[1:], ENDS, None, "")


def test_pairs_are_drawn_with_both_marks_at_end_and_start():
    scores = np.where(np.triu(np.ones((3, 3), bool)), np.arange(9.0).reshape(3, 3), np.nan)
    fig, alt = pairs_map(
        scores, ["a", "b", "c"], {"best pair": (1, 2), "each by itself": (2, 0)}, "All pairs"
    )
    drawn = {line.get_label(): (line.get_ydata()[0], line.get_xdata()[0]) for line in fig.axes[0].lines}
    assert drawn == {"best pair": (1, 2), "each by itself": (2, 0)}
    assert "best pair: from “b” to “c”; each by itself: from “c” to “a”" in alt


def test_windows_say_which_of_them_holds_the_whole_answer():
    fig, alt = windows_map([0, 3, 6], 5, 10, (4, 5), "Three windows")
    assert [text.get_text() for text in fig.axes[0].texts] == [
        "answer",
        "[CLS]: not here",
        "contains it",
        "[CLS]: not here",
    ]
    assert "0 to 4; 3 to 7, with the answer; 6 to 9" in alt


def test_windows_without_an_answer_hold_none():
    _, alt = windows_map([0, 3], 5, 8, None, "Three windows")
    assert alt.endswith("Windows of 5 tokens over 8: 0 to 4; 3 to 7.")


LOGITS = np.array([[0, 0], [0, 0], [0, 0], [1, 0], [3, 4], [0, 0]])  # [CLS] Where [SEP] Near Ludlow [SEP]


def model(text):
    """What answers this text, from one window of two tokens."""
    best = [
        SimpleNamespace(text="Ludlow", start=5, end=11, probability=0.75),
        SimpleNamespace(text="", start=0, end=0, probability=0.25),
    ]
    window = SimpleNamespace(first=3, offsets=[(0, 4), (5, 11)], owned=np.array([True, True]))
    task = SimpleNamespace(
        encode=lambda examples: ([0], [(0, 0)], [window]),
        logits=lambda model, rows: [LOGITS],
        predict=lambda model, examples: [SimpleNamespace(text=text, best=best)],
    )
    return SimpleNamespace(task=task, model=None)


def test_scores_are_those_of_the_passage_alone():
    places, scores = scores_of(model("Ludlow"), "Where?", "Near Ludlow")
    assert places == [(0, 4), (5, 11)] and scores.tolist() == [[1, 0], [3, 4]]


@pytest.mark.parametrize(
    "text, said",
    [
        ("Ludlow", "Its answer: “Ludlow” (75%)."),
        ("", "It finds no answer in the passage. Its best span: “Ludlow”"),
    ],
)
def test_an_answer_is_told_with_its_ribbons_and_the_best_spans(text, said):
    page = answer_html(model(text), "Where?", "Near Ludlow")
    assert said in page and ">88%<" in page and ">98%<" in page and "(no answer) 25%" in page
    assert "Write a question" in answer_html(model(text), " ", "Near Ludlow")
