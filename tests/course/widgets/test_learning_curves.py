"""The curves of a log show its losses, rate and bound, in few points however long it is; a live one grows."""

import numpy as np
import pytest

from minibert.course.widgets import learning_curves as training
from minibert.course.widgets.learning_curves import POINTS, LiveCurve, mean_loss, training_curves
from minibert.course.widgets.view import View


def log(steps, parts=("mlm", "nsp")):
    return [
        {
            "step": i + 1,
            "loss": 9.0 - i / steps,
            **{name: 4.0 + n - i / steps for n, name in enumerate(parts)},
            "rate": 0.001 * (i + 1),
            "tokens": 100,
            "seconds": 0.1,
        }
        for i in range(steps)
    ]


def test_the_loss_and_its_parts_stand_beside_the_rate():
    fig, alt = training_curves(log(20))
    left, right = fig.axes
    assert [line.get_label() for line in left.lines] == ["loss", "mlm", "nsp"]
    assert left.lines[2].get_ydata()[0] == 5.0 and left.lines[0].get_xdata().tolist() == list(range(1, 21))
    assert right.lines[0].get_ydata()[-1] == pytest.approx(0.02)
    assert len({(line.get_color(), line.get_linestyle()) for line in left.lines}) == 3
    assert "Steps 1 to 20: loss from 9 to 8.05, mlm from 4 to 3.05, nsp from 5 to 4.05; the learning" in alt


def test_one_part_is_the_loss_and_drawn_once_and_the_bound_is_a_line():
    fig, alt = training_curves(log(5, parts=("mlm",)), reachable=1.25)
    assert [line.get_label() for line in fig.axes[0].lines] == ["loss", "reachable"]
    assert "reachable 1.25" in alt
    assert set(fig.axes[0].lines[1].get_ydata()) == {1.25}


def test_a_long_log_is_drawn_as_means():
    fig, _ = training_curves(log(1050))
    y = fig.axes[0].lines[0].get_ydata()
    assert len(y) == POINTS and y[0] == pytest.approx(np.mean([entry["loss"] for entry in log(1050)[:11]]))


def test_an_empty_log_and_too_many_parts_are_refused():
    with pytest.raises(ValueError, match="the log is empty; it needs at least one step"):
        training_curves([])
    with pytest.raises(ValueError, match="a panel has 5 lines, but at most 4"):
        training_curves(log(3, parts="abcd"))


class Kernel:
    """What IPython says of itself in a notebook, and what was displayed there."""

    kernel, execution_count = object(), 7

    def __init__(self, monkeypatch):
        self.displayed, self.updates = [], []
        monkeypatch.setattr(training, "get_ipython", lambda: self)
        monkeypatch.setattr(training, "display", self.display)

    def display(self, thing, display_id):
        self.displayed.append(thing)
        return self

    def update(self, thing):
        self.updates.append(thing)


def run(curve, steps, entries=()):
    """A run, or one that goes on after `entries`."""
    own = [*entries]
    curve.begin(own)
    for entry in log(steps):
        own.append(entry)
        curve.update()
    curve.end()
    return own


def test_a_live_curve_takes_a_number_every_few_steps_and_at_the_end():
    curve = LiveCurve(value=lambda log: float(len(log)), every=10)
    run(curve, 25)
    assert curve.curves == {"loss": [(10, 10.0), (20, 20.0), (25, 25.0)]}


def test_phases_go_on_with_one_curve_and_a_line_begins_another():
    curve = LiveCurve("accuracy", value=lambda log: float(len(log)), every=10)
    run(curve, 20)
    run(curve, 10)
    curve.line("again")
    run(curve, 10)
    assert curve.curves == {"accuracy": [(10, 10.0), (20, 20.0), (30, 30.0)], "again": [(10, 10.0)]}


def test_a_resumed_run_begins_where_its_log_does():
    curve = LiveCurve(value=lambda log: 1.0, every=5)
    run(curve, 5, entries=log(10))
    assert curve.curves == {"loss": [(15, 1.0)]}


def test_over_tokens_the_places_are_the_tokens_read():
    curve = LiveCurve(every=2, over="tokens")
    run(curve, 4)
    assert [x for x, _ in curve.curves["loss"]] == [200, 400]
    fig, alt = curve.draw()
    assert fig.axes[0].get_xlabel() == "tokens read" and "After 400 tokens, loss: 8.62. Curve" in alt


def test_off_a_notebook_nothing_is_displayed_and_the_figure_is_there(monkeypatch, capsys):
    monkeypatch.setattr(training, "display", lambda *args, **kwargs: pytest.fail("displayed"))
    curve = LiveCurve(lines={"best reachable": 2.5})
    run(curve, 50)
    fig, alt = curve.draw()
    assert capsys.readouterr() == ("", "")
    assert "After 50 steps, loss: 8.51. Curve over step. best reachable: 2.50." in alt
    assert set(fig.axes[0].lines[1].get_ydata()) == {2.5}


def test_in_a_notebook_it_lives_in_one_place_and_stays_there_as_html(monkeypatch):
    kernel, curve = Kernel(monkeypatch), LiveCurve(every=5, pause=0.0)
    curve.begin([])
    widget = kernel.displayed[0]
    assert "starting" in widget.value
    run(curve, 10)
    assert len(kernel.displayed) == 1 and "After 10 steps" in widget.value
    assert isinstance(kernel.updates[-1], View) and kernel.updates[-1].content == widget.value
    run(curve, 5)  # a second phase in the same cell
    assert len(kernel.displayed) == 1
    assert kernel.updates[1] is widget
    assert "After 15 steps" in kernel.updates[-1].content


def test_a_run_that_goes_on_in_another_cell_is_shown_there(monkeypatch):
    kernel, curve = Kernel(monkeypatch), LiveCurve(every=5)
    run(curve, 5)
    kernel.execution_count = 8
    run(curve, 5)
    assert len(kernel.displayed) == 2


def test_drawing_waits_for_its_pause(monkeypatch):
    kernel, curve = Kernel(monkeypatch), LiveCurve(every=1, pause=1000.0)
    curve.begin(entries := [])
    for entry in log(5):
        entries.append(entry)
        curve.update()
    assert "starting" in kernel.displayed[0].value
    curve.end()
    assert "After 5 steps" in kernel.displayed[0].value


def test_a_slow_drawing_comes_less_often(monkeypatch):
    kernel, curve, clock = Kernel(monkeypatch), LiveCurve(every=1, pause=0.0), [0.0]

    def slow(fig, alt):
        clock[0] += 1.0
        return alt

    monkeypatch.setattr(training, "figure_html", slow)
    monkeypatch.setattr(training.time, "monotonic", lambda: clock[0])
    curve.begin(entries := [])
    for entry, seconds, told in zip(
        log(3), (10.0, 4.0, 2.0), ("starting", "starting", "After 3 steps"), strict=True
    ):
        clock[0] += seconds
        entries.append(entry)
        curve.update()
        assert told in kernel.displayed[0].value


def test_several_lines_are_told_apart_and_a_fifth_is_refused():
    curve = LiveCurve(every=5)
    for name in "abcd":
        curve.line(name)
        run(curve, 5)
    fig, alt = curve.draw()
    assert len({(line.get_color(), line.get_linestyle()) for line in fig.axes[0].lines}) == 4
    assert "Loss at the end: a 8.60, b 8.60" in alt
    with pytest.raises(ValueError, match="'e' would be line 5, but at most 4"):
        curve.line("e")


def test_the_mean_is_of_the_latest_steps():
    assert mean_loss([{"loss": 9.0}, {"loss": 1.0}, {"loss": 2.0}], steps=2) == 1.5
