"""Seeds are drawn from lowest to highest with their mean, the live one beside them, and told in words."""

import pytest

from minibert.course.widgets.seeds import roomiest, seed_bands, seed_rows, shared_ticks

BANDS = {
    "GPT": ([10, 20], [[1.0, 40.0], [3.0, 60.0], [2.0, 65.0]]),
    "BERT": ([10, 20, 30], [[1.0, 2.0, 9.0]]),
}
ROWS = {"GPT": [[10.0, 4.0], [20.0, 8.0]], "BERT": [[5.0, 1.0], [6.0, 3.0]]}


def test_a_band_reaches_from_the_lowest_to_the_highest_seed():
    fig, alt = seed_bands(BANDS, {"GPT": ([10], [2.5])}, "step", "right, %", "One.", {"best": 75.0})
    low, high = fig.axes[0].collections[0].get_datalim(fig.axes[0].transData).intervaly
    assert (low, high) == (1.0, 65.0)
    drawn = {line.get_label(): list(line.get_ydata()) for line in fig.axes[0].lines}
    assert drawn["GPT, 3 seeds"] == [2.0, 55.0]
    assert drawn["GPT, live"] == [2.5]
    assert drawn["BERT, 1 seed"] == [1.0, 2.0, 9.0]
    assert [75.0, 75.0] in drawn.values()
    assert ("best", (30, 75.0)) in [(text.get_text(), text.xy) for text in fig.axes[0].texts]
    assert "GPT: mean 55.0 at 20, from 40.0 to 65.0; BERT: mean 9.0 at 30" in alt and alt.startswith("One.")


def test_a_logarithmic_x_has_a_tick_at_each_shared_place():
    lines = {"GPT": ([94, 188, 3000], [[1.0, 2.0, 3.0]])}
    ax = seed_bands(lines, {}, "step", "right, %", "One.", logx=True, top=60)[0].axes[0]
    assert ax.get_xscale() == "log" and ax.get_ylim() == (0, 60)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["94", "188", "3,000"]
    assert shared_ticks([[3, 17], [5, 40]]).tolist() == [4, 8, 16, 32]


def test_each_kind_has_its_range_its_mean_its_live_seed_and_its_limit():
    fig, alt = seed_rows(
        ["all", "right"], ROWS, {"BERT": [5.5, 9.0]}, "right, %", "Two.", {"best, left": [75.0, 7.0]}
    )
    ax = fig.axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["all", "right"]
    drawn = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    assert drawn == {
        "GPT, mean of 2": [15.0, 6.0],
        "BERT, mean of 2": [5.5, 2.0],
        "BERT, live": [5.5, 9.0],
        "best, left": [75.0, 7.0],
    }
    segments = [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()]
    assert segments == [[10.0, 20.0], [4.0, 8.0]]
    assert "right: GPT 6 (4 to 8), BERT 2 (1 to 3)" in alt and alt.startswith("Two.")


def test_a_line_keeps_its_colour_where_another_is_missing():
    def color(lines, names=None):
        (line,) = (
            line
            for line in seed_bands(lines, {}, "x", "y", "t", None, names)[0].axes[0].lines
            if "BERT" in line.get_label()
        )
        return line.get_color()

    alone = {"BERT": BANDS["BERT"]}
    assert color(alone, ["GPT", "BERT"]) == color(BANDS) != color(alone)


@pytest.mark.parametrize(
    "draw",
    [
        lambda lines, live: seed_bands(lines, live, "x", "y", "t"),
        lambda lines, live: seed_rows(["a"], lines, live, "x", "t"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(draw):
    with pytest.raises(ValueError, match="5 lines, but only 1 to 4 can be distinguished"):
        draw(dict.fromkeys("abcde", [[1.0]]), {})
    with pytest.raises(ValueError, match="no line for ELMo; the lines are GPT, BERT"):
        draw({"GPT": [[1.0]], "BERT": [[1.0]]}, {"ELMo": [1.0]})


@pytest.mark.parametrize(
    "groups, place",
    [
        ([[[90, 40], [80, 50]], [[95, 60]]], (0, -1)),
        ([[[90, 40], [80, 10]], [[95, 10]]], (0, -1)),
        ([[[50, 5]], [[60, 8]]], (1, 1)),
    ],
)
def test_names_stand_where_there_is_most_room(groups, place):
    assert roomiest(groups) == place
