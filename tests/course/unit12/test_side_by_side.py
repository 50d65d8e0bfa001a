"""The figures of lesson 12: what they say in words, and what they refuse."""

import numpy as np
import pytest

from minibert.analysis.patterns import CLASSES
from minibert.course.unit12.views.side_by_side import (
    SIGNS,
    findings_html,
    head_map,
    lines_with_names,
    over_depth,
    pattern_map,
)
from minibert.course.widgets.view import figure_html


def test_a_pattern_map_has_a_sign_for_each_head_and_says_the_shares():
    assert set(SIGNS) == set(CLASSES)
    maps = {"one": np.array([["vertical", "block"], ["vertical", "diagonal"]]), "two": np.array([["block"]])}
    fig, told = pattern_map(maps, "Title")
    assert [len(ax.texts) for ax in fig.axes] == [4, 1]
    assert "one: 50% vertical, 25% diagonal" in told and "two: 0% vertical" in told
    assert "<svg" in figure_html(fig, told)


def test_a_head_map_names_the_largest_head_of_each_model():
    fig, told = head_map({"one": np.array([[0.0, -0.5], [2.0, 0.1]])}, "Title", "change")
    assert "one: from −0.50 to 2.00, the largest at layer 2, head 1" in told
    assert "<svg" in figure_html(fig, told)
    assert "from 0.00 to 0.00" in head_map({"none": np.zeros((1, 2))}, "Title", "change")[1]


def test_models_of_different_depth_end_at_the_same_place():
    fig, told = over_depth(
        {"score": {"deep": [1, 2, 3, 4], "flat": [5, 6]}}, "Title", limits={"score": (0, 9)}
    )
    deep, flat = (line.get_xdata() for line in fig.axes[0].lines)
    assert deep[-1] == flat[-1] == 1 and flat[0] == 0.5 and fig.axes[0].get_ylim() == (0, 9)
    assert "score, flat: 5.00, 6.00" in told
    with_embeddings = over_depth({"score": {"flat": [5, 6, 7]}}, "Title", embeddings=True)[0]
    assert with_embeddings.axes[0].lines[0].get_xdata().tolist() == [0, 0.5, 1]


def test_a_fifth_model_is_refused():
    with pytest.raises(ValueError, match="5 models, but at most 4"):
        over_depth({"score": {name: [1, 2] for name in "abcde"}}, "Title")


def test_lines_have_bands_of_seeds_and_marks_with_names():
    fig, told = lines_with_names(
        [1, 2], {"one": [3.0, 4.0]}, "x", "y", "Title", {"one": np.array([[2, 3], [4, 5]])}, {"K = 2": 2}
    )
    assert len(fig.axes[0].collections) == 1
    assert "K = 2" in [text.get_text().strip() for text in fig.axes[0].texts]
    assert "one: 3.00 at 1, 4.00 at 2" in told


def test_the_table_of_findings_escapes_what_it_shows_and_has_the_verdict_in_bold():
    page = findings_html(["claim", "A", "carried over?"], [("a < b", "✓ 1", "yes, in both")], "one row")
    assert "a &lt; b" in page and "<b>yes, in both</b>" in page and page.count("<tr>") == 2
