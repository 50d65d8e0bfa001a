"""Scores of several systems: the best of a column stands out, gaps keep their sign, every seed is drawn."""

import pytest

from minibert.course.widgets.scores import gap_bars, leaderboard, seed_curves
from minibert.course.widgets.view import YELLOW

ROWS = {"first": [80.0, 35.0], "<second>": [82.1, 20.0]}


def test_the_best_of_each_column_is_bold_and_names_are_escaped():
    html = leaderboard(["QQP", "CoLA"], ROWS, "said <here>")
    best = [cell for cell in html.split("<td")[1:] if "bold" in cell]
    assert len(best) == 2 and all(YELLOW in cell for cell in best)
    assert "82.1" in best[1] and "35.0" in best[0]
    assert "&lt;second&gt;" in html and "said &lt;here&gt;" in html and 'role="status"' in html


def test_the_chosen_column_is_framed():
    assert leaderboard(["QQP", "CoLA"], ROWS, "", chosen="CoLA").count("border:3px") == 2
    assert "border:3px" not in leaderboard(["QQP", "CoLA"], ROWS, "")


def test_gaps_keep_their_sign_in_the_drawing_and_in_words():
    fig, alt = gap_bars(["RTE", "MRPC"], [10.4, -2.6], "points", "A finding.")
    (ax,) = fig.axes
    assert [bar.get_width() for bar in ax.patches] == [10.4, -2.6]
    assert {text.get_text() for text in ax.texts} == {"+10.4", "−2.6"}
    assert ax.get_xlim()[0] < -2.6 and ax.get_xlim()[1] > 10.4
    assert alt.startswith("A finding.") and "RTE +10.4" in alt and "MRPC −2.6" in alt


@pytest.mark.parametrize("gaps", [[3.0, 1.0], [-3.0, -1.0], [0.0, 0.0]])
def test_gaps_of_one_sign_begin_at_0(gaps):
    low, high = gap_bars(["a", "b"], gaps, "points", "t")[0].axes[0].get_xlim()
    assert low <= min(0, *gaps) and high >= max(0, *gaps) and low < high


def test_every_seed_is_a_row_of_marks_around_the_mean():
    lines = {"pretrained": [[1, 2, 6], [3, 4, 8]], "scratch": [[0, 0, 1], [0, 2, 1]]}
    fig, alt = seed_curves([100, 300, 1000], lines, "labels", "F1", "A finding.", level=("guess", 0.5))
    (ax,) = fig.axes
    assert list(ax.lines[0].get_ydata()) == [2, 3, 7] and list(ax.lines[2].get_ydata()) == [3, 4, 8]
    assert len(ax.lines) == 2 * 3 + 1 and ax.get_xscale() == "log"
    assert "pretrained: 2.0 at 100, 3.0 at 300, 7.0 at 1000" in alt
    assert [text.get_text() for text in ax.texts] == ["guess", "scratch, mean of 2", "pretrained, mean of 2"]


def test_a_fifth_line_is_an_error():
    with pytest.raises(ValueError, match="5 lines"):
        seed_curves([1], {str(i): [[1]] for i in range(5)}, "x", "y", "t")
