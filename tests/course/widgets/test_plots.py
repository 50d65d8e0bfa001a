"""Curves and bars that several lessons share."""

import numpy as np
import pytest

from minibert.course.widgets.plots import DARK, GREYS, LIGHT, bars, curves, ink
from minibert.course.widgets.theme import THEMES
from minibert.course.widgets.view import WIDE, WRAPPED, Controls, drawing_html, figure, figure_html, panels

X = np.array([1, 2, 4])


def test_every_line_of_a_panel_differs_in_colour_dash_and_marker():
    fig, _ = curves(X, {"y": dict.fromkeys("abcd", X)}, "x", "A title")
    lines = fig.axes[0].lines
    for look in ("get_color", "get_linestyle", "get_marker"):
        assert len({getattr(line, look)() for line in lines}) == 4


def test_names_stand_at_the_ends_of_their_lines_and_do_not_meet():
    fig, _ = curves(X, {"y": {"low": [5, 4, 0], "high": [0, 5, 9], "near": [0, 5, 8.9]}}, "x", "A title")
    (ax,) = fig.axes
    fig.draw_without_rendering()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert list(boxes) == ["low", "near", "high"] and ax.get_legend() is None
    assert boxes["near"].y1 <= boxes["high"].y0 and boxes["low"].y1 < boxes["near"].y0
    assert all(box.x0 > ax.transData.transform((4, 0))[0] for box in boxes.values())


def test_panels_with_the_same_lines_are_named_once_and_others_each():
    def named(*panels):
        drawn = {f"panel {i}": dict.fromkeys(names, X) for i, names in enumerate(panels)}
        return [[text.get_text() for text in ax.texts] for ax in curves(X, drawn, "x", "A title")[0].axes]

    assert named("ab", "ab") == [[], ["a", "b"]] and named("ab", "cd") == [["a", "b"], ["c", "d"]]
    assert named("a", "a") == [[], []]


def test_a_line_is_lighter_in_the_dark_and_dark_text_on_a_fill_stays():
    fig, alt = bars(["a", "b"], [1, 2], "share", "A title", chosen=1)
    drawn = figure_html(fig, alt)
    for light, dark in (THEMES["lit"], THEMES["faint"]):
        assert f"fill: light-dark({light}, {dark})" in drawn and light.lower() not in drawn
    assert DARK.lower() in drawn and '[data-jp-theme-light="false"]' in drawn


@pytest.mark.parametrize("panels, count", [({"y": dict.fromkeys("abcde", X)}, 5), ({}, 0)])
def test_too_many_lines_or_none_are_refused(panels, count):
    with pytest.raises(ValueError, match=f"a panel has {count} lines, but only 1 to 4"):
        curves(X, panels, "x", "A title")


def test_the_description_of_curves_has_both_ends_of_each_line():
    _, alt = curves(X, {"loss": {"train": [9.0, 5.0, 2.5]}}, "step", "A title")
    assert "loss, train: 9 at 1, 2.5 at 4" in alt


def test_an_axis_shows_at_least_what_is_asked_and_never_less_than_the_line():
    def limits(y):
        return curves(X, {"y": {"a": y}}, "x", "A title", at_least={"y": (0, 10)})[0].axes[0].get_ylim()

    assert limits([2, 3, 4]) == (0, 10)
    low, high = limits([-5, 3, 40])
    assert low <= -5 and high >= 40


def test_the_numbers_of_an_axis_are_round():
    fig, _ = curves(np.linspace(-3, 3, 61), {"y": {"a": np.zeros(61)}}, "x", "A title")
    at = np.abs(fig.axes[0].get_xticks())
    assert set(np.diff(at).round(6)) <= {-1.0, 1.0, -0.5, 0.5} and at.max() <= 4  # not 0.8, 1.6, 2.4


def test_a_logarithmic_panel_leaves_the_other_as_it_is():
    fig, _ = curves(X, {"a": {"l": X}, "b": {"l": X}}, "x", "A title", logx=True, logy=["b"])
    assert [ax.get_yscale() for ax in fig.axes] == ["linear", "log"]
    assert [label.get_text() for label in fig.axes[0].get_xticklabels()] == ["1", "2", "4"]


def test_bars_carry_their_numbers_and_one_stands_out():
    fig, alt = bars(["a", "b"], [0.25, 0.5], "share", "A title", chosen=1)
    ax = fig.axes[0]
    assert [text.get_text() for text in ax.texts] == ["0.25", "0.50"]
    assert [label.get_fontweight() for label in ax.get_yticklabels()] == ["normal", "bold"]
    assert ax.patches[0].get_facecolor() != ax.patches[1].get_facecolor()
    assert "a 0.25, b 0.50" in alt


def test_bars_of_percent_have_an_axis_of_percent_that_ends_where_asked():
    ax = bars(["a", "b"], [0.25, 0.5], "share", "A title", form="{:.0%}", limit=1)[0].axes[0]
    assert [text.get_text() for text in ax.texts] == ["25%", "50%"] and ax.get_xlim() == (0, 1)
    assert [label.get_text() for label in ax.get_xticklabels()][-1] == "100%"
    bottom, top = ax.get_ylim()
    assert top < bottom, "the first bar is at the top"


def test_a_bar_below_zero_and_its_number_are_inside_the_axes():
    fig = bars(["full, 1e-2", "b"], [-3, 60], "Matthews", "A title", form="{:.1f}")[0]
    fig.draw_without_rendering()
    ax = fig.axes[0]
    for part in (ax.patches[0], ax.texts[0]):
        assert part.get_window_extent().x0 >= ax.get_window_extent().x0


def test_ink_is_dark_on_bright_colours_and_light_on_dark_ones():
    assert ink((1, 1, 0, 1)) == DARK and ink((0, 0, 0.4, 1)) == LIGHT


@pytest.mark.parametrize("width, least", [(WIDE, 432), (3.0, 130)])
def test_a_figure_shrinks_with_the_page_as_far_as_it_can_be_read(width, least):
    shown = figure_html(figure(2.0, width)[0], "a figure")
    assert f"max-width:100%;min-width:{least:.0f}pt" in shown


def test_panels_are_figures_of_their_own_that_a_narrow_page_stacks():
    shown = panels("One <b>title</b>", (figure(2.0, 3.0)[0], "left"), (figure(2.0, 3.0)[0], "right"))
    assert shown.startswith("<p><b>One &lt;b&gt;title&lt;/b&gt;</b></p>") and "flex-wrap:wrap" in shown
    assert shown.count("<svg ") == shown.count("data-scrolls") == 2
    assert shown.index('aria-label="left"') < shown.index('aria-label="right"')


@pytest.mark.parametrize(
    "error, said",
    [(ValueError("one per line"), ">one per line<"), (KeyError("x"), ">KeyError: &#x27;x&#x27;<")],
)
def test_an_error_in_a_drawing_is_shown_and_a_message_for_students_stands_alone(error, said):
    def draw():
        raise error

    view = Controls(draw)
    assert said in view.view.value and view.error is error


def test_text_under_controls_wraps_on_a_narrow_page():
    view = Controls(lambda: "text")
    assert WRAPPED in view.children[-1].value and view.children[-1].layout.display == "none"


def test_a_title_is_broken_into_lines_of_nearly_one_length():
    fig, _ = curves(X, {"y": {"a": X}}, "x", f"{'words ' * 20}yours")
    lines = fig.get_suptitle().split("\n")
    assert len(lines) > 1 and max(map(len, lines)) < 1.5 * min(map(len, lines))


def test_a_title_is_text_above_the_figure_and_stays_in_the_figure_itself():
    fig, alt = curves(X, {"y": {"a": X}}, "x", f"{'words ' * 30}and <more>")
    for _ in range(2):
        above, drawn = drawing_html((fig, alt)).split("<svg", 1)
        assert f"<b>{'words ' * 30}and &lt;more&gt;</b>" in above
        assert "more</text>" not in drawn and "more&gt;</text>" not in drawn
    assert "more&gt;</text>" in figure_html(fig, alt)
    assert drawing_html((figure()[0], "no title")).startswith("<div")


def test_other_looks_of_lines_are_grey_and_fewer():
    fig, _ = curves(X, {"y": dict.fromkeys("ab", X)}, "x", "A title", looks=GREYS)
    assert [line.get_color() for line in fig.axes[0].lines] == [color for color, _, _ in GREYS]
    with pytest.raises(ValueError, match="a panel has 3 lines, but only 1 to 2"):
        curves(X, {"y": dict.fromkeys("abc", X)}, "x", "A title", looks=GREYS)
