"""Views of many runs: strips of scores, runs that are stopped, Hyperband's plan."""

import numpy as np

from minibert.course.unit13.methods.early_stopping import hyperband_brackets
from minibert.course.unit13.views.runs import brackets, score_strips, stopped_runs
from minibert.course.widgets.view import figure_html

CURVES = np.array([[50.0, 60, 70], [55, 50, 90], [60, 65, 80]])


def points(ax, marker):
    return sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() == marker)


def test_each_run_is_a_dot_and_a_failed_one_a_cross():
    rows = {"a": [[50.0, 70.0], [80.0, 90.0]], "b": [60.0, 61.0]}
    fig, alt = score_strips(rows, "accuracy, %", "Two rows.", 55, {"a": [(70.0, "mine")]})
    (ax,) = fig.axes
    assert points(ax, "o") == 5 and points(ax, "x") == 1
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert alt.startswith("Two rows.") and "a: 4 runs from 50.0 to 90.0, mean 72.5, 1 failed" in alt
    assert "mine" in figure_html(fig, alt)


def test_without_a_threshold_no_run_failed():
    fig, alt = score_strips({"a": [50.0, 70.0]}, "accuracy, %", "One.")
    assert points(fig.axes[0], "o") == 2 and "failed" not in alt and "cross" not in fig.axes[0].get_xlabel()


def test_a_stopped_run_ends_where_it_is_stopped():
    fig, alt = stopped_runs(CURVES, 2, [2, 0], 2, [10, 20, 30], "step", "accuracy", "Stopped.")
    lengths = sorted(
        len(line.get_xdata())
        for line in fig.axes[0].lines
        if len(line.get_xdata()) > 1 and line.get_linestyle() == "-"
    )
    assert lengths == [2, 3, 3]
    assert "3 runs, 2 continue after evaluation 2; the chosen one ends at 80.0" in alt


def test_hyperbands_plan_has_a_panel_for_each_bracket():
    plan = hyperband_brackets(9)
    fig, alt = brackets(plan, "Plan.")
    assert len(fig.axes) == len(plan) and sum(len(ax.patches) for ax in fig.axes) == sum(map(len, plan))
    assert "bracket 1: 9 runs until step 1, 3 runs until step 3, 1 runs until step 9" in alt
