"""Sentence pairs and the documents they come from."""

import re

import pytest

from minibert.course.widgets.sentence_pairs import documents_html, pairs_html

DOCS = [["One.", "Two."], ["Three <b>."]]
MEANINGS = {0: "B follows A", 1: "another document"}


def told(text):
    return " ".join(re.sub("<[^>]+>", " ", text).split())


def test_each_sentence_stands_behind_the_badge_of_its_document():
    assert told(documents_html(DOCS)) == "P1 One. P2 Two. Q1 Three &lt;b&gt;."


def test_a_row_shows_where_its_sentences_come_from_and_what_its_label_means():
    shown = told(
        pairs_html(DOCS, [(["One.", "Two."], ["Three <b>."]), (["One."], ["Two."])], [1, 0], MEANINGS)
    )
    assert "P1 P2 Q1 1 another document P1 P2 0 B follows A" in shown
    assert "2 examples: 1 with label 0, 1 with label 1." in shown


def test_documents_have_different_colours():
    assert len(set(re.findall("background:([^;]+)", documents_html(DOCS)))) == 2


def test_a_sentence_of_no_document_is_refused():
    with pytest.raises(ValueError, match="this sentence is in none of the documents: 'Four.'"):
        pairs_html(DOCS, [(["One."], ["Four."])], [1], MEANINGS)
