"""The curves of a log show its losses, its rate and the bound, and few points however long it is."""
import numpy as np
import pytest

from minibert.viz.training import POINTS, training_curves


def log(steps, parts=("mlm", "nsp")):
    return [{"step": i + 1, "loss": 9.0 - i / steps, **{name: 4.0 + n - i / steps for n, name in enumerate(parts)},
             "rate": 0.001 * (i + 1), "tokens": 100, "seconds": 0.1} for i in range(steps)]


def test_the_loss_and_its_parts_stand_beside_the_rate():
    fig, alt = training_curves(log(20))
    left, right = fig.axes
    assert [line.get_label() for line in left.lines] == ["loss", "mlm", "nsp"]
    assert left.lines[2].get_ydata()[0] == 5.0 and left.lines[0].get_xdata().tolist() == list(range(1, 21))
    assert right.lines[0].get_ydata()[-1] == pytest.approx(0.02)
    assert len({(line.get_color(), line.get_linestyle()) for line in left.lines}) == 3
    assert "Steps 1 to 20: loss from 9 to 8.05, mlm from 4 to 3.05, nsp from 5 to 4.05; the rate ends at 0.02." in alt


def test_one_part_is_the_loss_and_drawn_once_and_the_bound_is_a_line():
    fig, alt = training_curves(log(5, parts=("mlm",)), reachable=1.25)
    assert [line.get_label() for line in fig.axes[0].lines] == ["loss", "reachable"] and "reachable 1.25" in alt
    assert set(fig.axes[0].lines[1].get_ydata()) == {1.25}


def test_a_long_log_is_drawn_as_means():
    fig, _ = training_curves(log(1050))
    y = fig.axes[0].lines[0].get_ydata()
    assert len(y) == POINTS and y[0] == pytest.approx(np.mean([entry["loss"] for entry in log(1050)[:11]]))


def test_an_empty_log_and_too_many_parts_are_refused():
    with pytest.raises(ValueError, match="0 entries: a log needs at least one step"):
        training_curves([])
    with pytest.raises(ValueError, match="5 lines in a panel: at most 4"):
        training_curves(log(3, parts="abcd"))
