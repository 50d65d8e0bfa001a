"""Tables: what is not known is left out, numbers stand to the right, texts to the left."""

from minibert.course.widgets.tables import CELL, LEFT, score_table


def test_a_table_leaves_out_what_is_not_known():
    shown = score_table(["way", "F1"], [("last", 94.94), ("none", None), ("text", "1 to 2")])
    assert "94.9<" in shown and "1 to 2" in shown and "None" not in shown


def test_columns_of_texts_stand_to_the_left_under_their_heads_and_numbers_to_the_right():
    shown = score_table(["way", "F1", "said"], [("last", 94.94, "a"), ("none", 1, "b")])
    left, right = (shown.count(f'style="{style}"') for style in (LEFT, CELL))
    assert (left, right) == (6, 3)
