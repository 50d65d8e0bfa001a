"""Views of lesson 10: two sources side by side, input formats, BART's noise, Transformer-XL's reach."""

import re

import numpy as np
import pytest

from minibert.course.unit10.views.diff_view import diff_html, marked, paired
from minibert.course.unit10.views.formats import formats_html
from minibert.course.unit10.views.memory_reach import memory_reach
from minibert.course.unit10.views.noise import ASKED, noise_html


def test_lines_that_both_have_stand_beside_each_other():
    rows = list(paired(["a", "b", "c"], ["a", "x", "y", "c"]))
    assert [row[0] and row[0][0] for row in rows] == [" ", "−", None, " "]
    assert [row[1] and row[1][0] for row in rows] == [" ", "+", "+", " "]


def test_in_a_changed_line_only_what_differs_stands_out():
    sign, shown = marked("return masked(ids, rate)", "return fresh(ids, rate)", "−")
    assert sign == "−" and re.findall(r"<b [^>]*>(.+?)</b>", shown) == ["masked"]
    assert "<b" not in marked("class A:", "return x + y", "−")[1]  # another line, not a changed one


def test_both_sources_are_there_and_counted():
    page = diff_html(("A.f", "B.f"), "def f(x):\n    return x < 1", "def f(x):\n    return x > 1\n    # more")
    assert "Removed or changed: 1 lines of A.f. Added or changed: 2 lines of B.f." in page
    assert "x < 1" not in page and "&lt;" in page and page.count('mb-diff-name"') == 2
    same = diff_html(("a", "b"), "one", "one")
    assert "Removed or changed: 0 lines of a. Added or changed: 0 lines of b." in same
    assert diff_html(("a", "b"), "", "")


def test_each_sequence_shows_its_sentences_and_where_documents_meet():
    docs = [["P one.", "P two."], ["Q one."]]
    page = formats_html(
        docs,
        {
            "full": ([(["P one.", "P two.", "|", "Q one."], None)], None),
            "pair": ([(["P one."], ["Q one."])], [1]),
        },
        "|",
    )
    full, pair = re.findall(r'<span style="white-space:nowrap">(.+?)</span>(?:<br>|</td>)', page)
    assert re.findall(r"[PQ]\d|\|", full) == ["P1", "P2", "|", "Q1"]
    assert re.findall(r"[PQ]\d|\|", pair) == ["P1", "|", "Q1"] and "<small>1</small>" in pair
    with pytest.raises(ValueError, match="in none of the documents: 'R'"):
        formats_html(docs, {"full": ([(["R"], None)], None)}, "|")


@pytest.mark.parametrize("kind", ASKED)
def test_the_noise_shows_both_texts_and_what_is_asked(kind):
    page = noise_html(kind, ["a", "<b>"], ["a", "[MASK]"])
    assert ASKED[kind] in page and "&lt;b&gt;" in page and page.count("(2 tokens)") == 2
    assert "nothing" in noise_html(kind, ["a"], [])


def test_the_reach_is_drawn_with_a_description():
    seen = np.arange(9) >= np.array([0, 3, 8])[:, None]  # of two layers, the embeddings first
    fig, said = memory_reach(seen, 3, "Two layers.")
    assert said.startswith("Two layers.") and "layer 1: from position 3" in said and fig.axes
