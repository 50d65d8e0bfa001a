"""Packed rows, three embeddings that add up, and padding as pictures."""

import re

import numpy as np

from minibert.course.widgets.model_input import embedding_sum, input_table, padding_maps

ROW = (["[CLS]", "a<b", "[SEP]", "c", "[PAD]"], [0, 0, 0, 1, 0], [True, True, True, True, False])


def test_a_row_shows_tokens_segments_positions_and_what_is_real():
    page = input_table(*ROW, "one [PAD]")
    assert all(f">{name}</th>" in page for name in ("token", "segment", "position", "attention mask"))
    assert re.findall(r">(\d)</td>", page.split("attention mask")[1]) == ["1"] * 4 + ["0"]
    assert "a&lt;b" in page and "one [PAD]" in page


def test_padding_has_no_colour_of_a_segment():
    page = input_table(*ROW, "")
    assert page.count("#FFFFFF") == 2  # of the token and of its segment id


def test_three_rows_their_sum_and_what_leaves_the_norm_are_drawn_with_their_numbers():
    parts = {
        "word": np.array([1.0, -2.0, 0.5]),
        "position": np.array([0.0, 1.0, 1.0]),
        "segment": np.array([0.5, 0.5, 0.5]),
    }
    fig, alt = embedding_sum(parts, sum(parts.values()), np.array([1.0, -1.2, 0.2]), "Three rows")
    names = [ax.get_yticklabels()[0].get_text() for ax in fig.axes]
    assert names == [" word", "+ position", "+ segment", "= sum", "→ after LayerNorm"]
    assert [shown.get_text() for shown in fig.axes[0].texts] == ["1.000", "−2.000", "0.500"]
    assert "sum: 1.500, -0.500, 2.000" in alt and alt.startswith("Three rows")


def test_each_batch_of_the_padding_says_its_share():
    fig, alt = padding_maps(
        {"short": np.array([[1, 0, -1], [1, 1, -1]]), "full": np.ones((2, 3), int)}, "Padding"
    )
    assert "short: 2 sequences of up to 3 tokens, 25% padding" in alt
    assert "full: 2 sequences of up to 3 tokens, 0% padding" in alt
    assert [ax.get_title() for ax in fig.axes] == ["short\n25% padding", "full\n0% padding"]
