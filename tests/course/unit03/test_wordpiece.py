"""Pieces in boxes, a trainer before its next join, a greedy match try by try."""

import re

from minibert.course.unit03.views.wordpiece import (
    MOST_PAIRS,
    match_view,
    merge_view,
    split_html,
    subword_html,
    subwords_html,
)

PAIRS = [("b", "##a", 5, 6, 7, 0.5), ("##a", "##a", 4, 7, 7, 0.25)]
TRIES = [(0, 3, False), (0, 2, True), (2, 3, True)]


def text(page):
    return re.sub("<[^>]+>", " ", page)


def test_pieces_are_told_apart_by_more_than_colour():
    assert "solid" in subword_html("hug") and "dashed" in subword_html("##s")
    assert "✗ [UNK]" in subword_html("[UNK]") and "✗" not in subword_html("hug")
    assert "3px" in subword_html("hug", marked=True) and "3px" not in subword_html("hug")


def test_a_text_in_boxes_says_how_many_pieces_and_names_them():
    page = subwords_html(["hug", "##s"])
    assert "2 tokens" in page and 'aria-label="hug ##s"' in page
    assert "two of them" in subwords_html(["hug", "##s"], "two of them")


def test_what_a_reader_types_is_escaped():
    assert "<script>" not in subwords_html(["<script>"], "<script>") + match_view(
        "<b>", [(0, 3, False)], ["[UNK]"]
    )


def test_the_pair_to_be_joined_is_marked_wherever_it_will_be_joined():
    assert split_html(["b", "##a", "##a", "##a"], ("##a", "##a")).count("3px") == 2
    assert split_html(["b", "##a", "##a"], None).count("3px") == 0


def test_a_join_shows_words_counts_and_scores_with_the_best_pair_first():
    page = merge_view([(5, ["b", "##a"]), (2, ["##a"])], PAIRS, ("b", "##a"), "Join 1")
    assert "5 ×" in page and "0.25" in page and "Join 1" in page
    assert page.count("→") == 1 and "→ b + ##a" in page


def test_a_long_table_of_pairs_is_cut():
    many = [("a", f"##{i}", 1, 1, 1, 0.5) for i in range(20)]
    assert merge_view([(1, ["a"])], many, None, "").count("a + ##") == MOST_PAIRS


def test_a_match_shows_its_tries_up_to_the_step():
    assert "After 1 of 3 tries: –" in match_view("abc", TRIES, ["ab", "##c"], step=1)
    assert "After 2 of 3 tries: ab" in match_view("abc", TRIES, ["ab", "##c"], step=2)
    whole = match_view("abc", TRIES, ["ab", "##c"])
    assert whole == match_view("abc", TRIES, ["ab", "##c"], step=9)
    assert "3 tries: ab ##c" in whole and text(whole).count("✓ yes") == 2


def test_a_gap_says_what_becomes_of_the_word():
    page = match_view("ax", [(0, 2, False), (0, 1, True), (1, 2, False)], ["[UNK]"])
    assert "try one letter fewer" in page and "so the word is [UNK]" in page
