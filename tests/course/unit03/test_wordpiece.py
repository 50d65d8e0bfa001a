"""Subwords in boxes, a trainer before its next merge, a greedy match try by try."""

import re

from minibert.course.unit03.views.wordpiece import (
    MOST_PAIRS,
    merge_view,
    split_html,
    subword_html,
    subwords_html,
    tries_html,
)

PAIRS = [("b", "##a", 5), ("##a", "##a", 4)]


def text(page):
    return " ".join(re.sub("<[^>]+>", " ", page).split())


def test_subwords_are_told_apart_by_more_than_colour():
    assert "solid" in subword_html("hug") and "dashed" in subword_html("##s")
    assert "✗ [UNK]" in subword_html("[UNK]") and "✗" not in subword_html("hug")
    assert "3px" in subword_html("hug", marked=True) and "3px" not in subword_html("hug")


def test_a_text_in_boxes_says_how_many_tokens_and_names_them():
    page = subwords_html(["hug", "##s"])
    assert "2 tokens" in page and 'aria-label="hug ##s"' in page
    assert "two of them" in subwords_html(["hug", "##s"], "two of them")
    assert text(subwords_html(["hug", "##s"], "", [7, 11])) == "hug 7 ##s 11"


def test_what_a_student_types_is_escaped():
    assert "<script>" not in subwords_html(["<script>"], "<script>") + tries_html({"<"}, "<script>")


def test_the_pair_to_be_merged_is_marked_wherever_it_occurs():
    assert split_html(["b", "##a", "##a", "##a"], ("##a", "##a")).count("3px") == 2
    assert split_html(["b", "##a", "##a"], ("##a", "b")).count("3px") == 0


def test_a_merge_shows_words_and_counts_with_the_best_pair_first():
    page = merge_view([(5, ["b", "##a"]), (2, ["##a"])], PAIRS, "Merge 1")
    assert "5 ×" in page and "Merge 1" in page
    assert page.count("→") == 1 and "→ b + ##a" in page


def test_a_long_table_of_pairs_is_cut():
    many = [("a", f"##{i}", 1) for i in range(20)]
    assert merge_view([(1, ["a"])], many, "").count("a + ##") == MOST_PAIRS


def test_greedy_matching_shows_each_try():
    found = text(tries_html({"ab", "##c", "a"}, "abc"))
    assert "1 abc ✗ no: one letter fewer 2 ab ✓ yes: take it 3 ##c ✓ yes" in found


def test_a_gap_says_what_becomes_of_the_word():
    found = text(tries_html({"a", "##y"}, "axy"))
    assert found.endswith("##xy ✗ no: one letter fewer 5 ##x ✗ no: nothing fits, so the word is [UNK]")
