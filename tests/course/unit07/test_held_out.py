"""A live curve with a line for held-out examples."""

import pytest

from minibert.course.unit07.views.held_out import HeldOutCurve


def run(curve, name, steps=100):
    log, measured = [], iter(range(1, 99))
    curve.watch(name, lambda: next(measured))
    curve.begin(log)
    for _ in range(steps):
        log.append({"loss": 2.0, "tokens": 1})
        curve.update()
    curve.end()


@pytest.fixture
def curve():
    return HeldOutCurve("span loss")


def test_held_out_examples_are_measured_now_and_then_beside_the_training_loss(curve):
    run(curve, "pretrained")
    assert curve.curves == {
        "pretrained · held out": [(50, 1), (100, 2)],
        "pretrained · training": [(25, 2.0), (50, 2.0), (75, 2.0), (100, 2.0)],
    }


def test_a_run_may_be_repeated_and_a_second_one_is_drawn_beside_it(curve):
    for name in ("pretrained", "from scratch", "from scratch"):
        run(curve, name, 50)
    assert [len(points) for points in curve.curves.values()] == [1, 2, 1, 2]
    assert curve.title() == "Held-out span loss: pretrained 1.00, from scratch 1.00"
    with pytest.raises(ValueError, match="at most four|at most 4"):
        run(curve, "a third", 50)
