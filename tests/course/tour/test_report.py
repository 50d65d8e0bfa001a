"""The report's curves: a loss that was not taken in the middle leaves a gap."""

from minibert.course.tour.report import pretraining_curve, stretches

CURVE = [
    {"step": step, "mlm": 8.0 - step, **({} if step in (3, 4) else {"nsp": 0.1 * step})}
    for step in range(1, 7)
]


def test_a_loss_that_pauses_has_two_stretches():
    assert [(steps.tolist(), values.tolist()) for steps, values in stretches(CURVE, "mlm")] == [
        ([1, 2, 3, 4, 5, 6], [7.0, 6.0, 5.0, 4.0, 3.0, 2.0])
    ]
    assert [(steps.tolist(), values.round(1).tolist()) for steps, values in stretches(CURVE, "nsp")] == [
        ([1, 2], [0.1, 0.2]),
        ([5, 6], [0.5, 0.6]),
    ]


def test_the_picture_has_the_gap_and_tells_of_it():
    fig, alt = pretraining_curve(CURVE)
    words, pairs = fig.axes
    assert [line.get_xdata().tolist() for line in words.lines] == [[1, 2, 3, 4, 5, 6]]
    assert [line.get_xdata().tolist() for line in pairs.lines] == [[1, 2], [5, 6]]
    assert not words.texts
    assert [(text.get_text(), text.get_position()[0]) for text in pairs.texts] == [("not trained here", 3.5)]
    assert words.get_title() == "Masked words: 7.00 to 2.00"
    assert pairs.get_title() == "Next sentence: 0.10 to 0.60"
    assert "from 7.00 to 2.00" in alt and "not trained in the middle, from 0.10 to 0.60" in alt
