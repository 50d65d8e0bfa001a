"""What the views of attention and positions show, say in words, and refuse."""

import numpy as np
import pytest
from drawn import fits

from minibert.course.widgets import attention as view
from minibert.course.widgets.view import figure_html

RNG = np.random.default_rng(0)
SENTENCE = "she swam to the bank".split()


def weights(*shape):
    """Random weights that add up to 1 along the last axis."""
    x = RNG.random(shape)
    return x / x.sum(-1, keepdims=True)


def words(n, letter="w"):
    return [f"{letter}{i}" for i in range(n)]


def texts(fig):
    """Every text that stands inside an axes of the figure."""
    return [text.get_text() for ax in fig.axes for text in ax.texts]


def test_an_attention_map_has_queries_in_rows_and_keys_in_columns():
    fig, _ = view.attention_map(weights(3, 5), words(3, "q"), "A title", keys=words(5, "k"))
    ax = fig.axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == words(3, "q")
    assert [label.get_text() for label in ax.get_xticklabels()] == words(5, "k")
    assert ax.get_images()[0].get_array().shape == (3, 5)


def test_an_attention_map_writes_each_weight_into_its_cell_and_names_where_each_query_looks_most():
    fig, alt = view.attention_map(np.array([[0.25, 0.75], [1.0, 0.0]]), ["sun", "moon"], "A title")
    assert texts(fig) == [".25", ".75", "1", ".00"]
    assert "sun attends most to moon (0.75)" in alt and "moon attends most to sun (1.00)" in alt


def test_a_large_attention_map_has_no_numbers_and_a_short_description():
    probs = weights(40, 40)
    fig, alt = view.attention_map(probs, words(40), "A title")
    assert texts(fig) == [] and fig.axes[0].get_images()[0].norm.vmax == probs.max()
    assert alt.count("attends most to") == view.MOST_SAID and "and so on" in alt


def test_weights_that_do_not_fit_the_words_are_refused():
    with pytest.raises(ValueError, match=r"shape \(3, 5\) do not match 3 queries and 4 keys"):
        view.attention_map(weights(3, 5), words(3), "A title", keys=words(4))


def test_each_head_gets_its_own_map_under_its_name():
    drawn = view.attention_maps(weights(3, 4, 4), words(4), ["left", "middle", "right"])
    assert [fig.get_suptitle() for fig, _ in drawn] == ["left", "middle", "right"]
    assert drawn[1][1].startswith("middle Heat map of 4 queries by 4 keys. w0 attends most to")


def test_a_number_is_dark_on_bright_cells_and_light_on_dark_ones():
    fig, _ = view.attention_map(np.array([[0.0, 1.0]]), ["a"], "A title", keys=["b", "c"])
    assert [text.get_color() for text in fig.axes[0].texts] == [view.LIGHT, view.DARK]


def test_numbers_in_cells_do_not_follow_the_theme_of_the_page():
    svg = figure_html(*view.attention_map(np.array([[0.9, 0.1]]), ["a"], "A title", keys=["b", "c"]))
    assert f"fill: {view.DARK.lower()}" in svg.lower()


def test_a_visibility_map_says_yes_where_looking_is_allowed():
    visible = np.tril(np.ones((3, 3), bool))
    fig, alt = view.visibility_map(visible, words(3), "A title")
    said = [text.get_text() for text in fig.axes[0].texts]
    assert said == ["yes", "–", "–", "yes", "yes", "–", "yes", "yes", "yes"]
    assert "w0 sees 1 of 3, w1 sees 2 of 3, w2 sees 3 of 3" in alt


def test_waves_have_a_row_for_each_position_and_a_line_at_one():
    fig, alt = view.position_waves(RNG.uniform(-1, 1, (8, 6)), 2, "A title")
    assert fig.axes[0].get_images()[0].get_array().shape == (8, 6) and "8 positions by 6 numbers" in alt
    assert set(fig.axes[0].lines[0].get_ydata()) == {2}


@pytest.mark.parametrize(
    "plan, parts",
    [
        (view.attention_plan, ["$W^Q$", "$W^K$", "$W^V$", "softmax", "$W^O$", "+", "residual", "LayerNorm"]),
        (
            view.feed_forward_plan,
            ["first matrix", "activation", "second matrix", "+", "residual", "LayerNorm"],
        ),
    ],
)
def test_the_plan_of_a_layer_names_its_parts_in_order(plan, parts):
    fig, alt = plan()
    said = " ".join(texts(fig))
    assert [said.index(part) for part in parts] == sorted(said.index(part) for part in parts)
    assert "is added, then LayerNorm" in alt


@pytest.mark.parametrize(
    "drawn",
    [
        lambda: view.attention_map(weights(5, 5), SENTENCE, "Finding"),
        lambda: view.attention_maps(weights(1, 5, 5), SENTENCE, ["place, small word"])[0],
        lambda: view.visibility_map(np.ones((5, 5), bool), SENTENCE, "Finding"),
        lambda: view.position_waves(RNG.uniform(-1, 1, (9, 4)), 3, "Finding"),
        view.attention_plan,
        view.feed_forward_plan,
    ],
)
def test_no_label_is_cut_off(drawn):
    fig, _ = drawn()
    assert fits(fig)
