"""Maps of the loss: one scale for all, points marked, and the numbers in words."""

import numpy as np

from minibert.course.widgets.surface import loss_maps

X, Y = np.linspace(-1, 1, 5), np.linspace(-1, 1, 4)
MAPS = {"wide": X**2 + Y[:, None] ** 2, "narrow": 9 * X**2 + Y[:, None] ** 2}


def test_both_maps_share_one_scale_and_say_what_they_show():
    fig, alt = loss_maps(MAPS, X, Y, "along", "aside", "A finding.", [(0, 0, "solution")])
    wide, narrow, bar = fig.axes
    assert wide.get_title() == "wide" and narrow.get_xlabel() == "along" and wide.get_ylabel() == "aside"
    assert [text.get_text() for text in narrow.texts] == ["solution"]
    first, second = (ax.collections[0].get_clim() for ax in (wide, narrow))
    assert first == second and bar.get_ylabel() == "loss"
    assert alt.startswith("A finding.") and "narrow: from 0.11 to 10.00" in alt


def test_losses_above_the_ceiling_are_drawn_like_it():
    fig, _ = loss_maps(MAPS, X, Y, "x", "y", "t", ceiling=2.0)
    assert fig.axes[1].collections[0].get_clim()[1] <= 2.0 + 1e-9
