"""Words in a plane, as Python sees them; tests/lessons goes from point to point in a browser."""

import numpy as np
import pytest

from minibert.course.unit12.views.hover_scatter import MOST, HoverScatter, scaled

TEXTS = ["the <bank>", "a bank", "banks"]


def test_places_are_scaled_alike_in_both_directions_into_the_unit_square():
    places = np.array(scaled(np.array([[0.0, 5.0], [10.0, 5.0], [5.0, 7.0]])))
    assert places.min() >= 0 and places.max() <= 1
    assert np.ptp(places, axis=0).tolist() == pytest.approx([1.0, 0.2])
    assert scaled(np.ones((2, 2))) == [[0.5, 0.5], [0.5, 0.5]]


def test_each_panel_has_a_point_for_each_sentence_in_its_group():
    plot = HoverScatter(
        {"left": np.zeros((3, 2)), "right": np.eye(3)[:, :2]}, ["river", "money", "river"], TEXTS
    )
    assert plot.groups == ["money", "river"] and plot.group == [1, 0, 1]
    assert [panel["title"] for panel in plot.panels] == ["left", "right"]
    assert all(len(panel["places"]) == 3 for panel in plot.panels)


def test_a_page_without_a_kernel_names_the_groups_with_a_sentence_of_each():
    page = HoverScatter({"p": np.zeros((3, 2))}, ["a", "b", "a"], TEXTS)._repr_mimebundle_()[0]["text/html"]
    assert "<b>a</b>: 2 sentences, such as “the &lt;bank&gt;”" in page and "<b>b</b>: 1 sentences" in page


def test_too_many_groups_or_places_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=f"at most {MOST} can be distinguished"):
        HoverScatter({"p": np.zeros((5, 2))}, list("abcde"), list("abcde"))
    with pytest.raises(
        ValueError, match=r"p: the places have shape \(2, 2\) and there are 3 groups; 3 sentences"
    ):
        HoverScatter({"p": np.zeros((2, 2))}, list("abc"), TEXTS)
