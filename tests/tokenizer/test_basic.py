"""Text into words, each with its place in the original."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.tokenizer import BasicTokenizer

TEXT = st.text(st.characters(codec="utf-8"), max_size=40) | st.text(
    "aÀéİΣσς'-. \t\n\x00\x85\u200b ́ß한北京123", max_size=20
)


def words(text, lower_case=True):
    return [word.text for word in BasicTokenizer(lower_case).split(text)]


@pytest.mark.parametrize(
    "text, uncased, cased",
    [
        ("", [], []),
        (" \t\r\n ", [], []),
        ("Où est-il?", ["ou", "est", "-", "il", "?"], ["Où", "est", "-", "il", "?"]),
        ("don't", ["don", "'", "t"], ["don", "'", "t"]),
        ("$5+3=8", ["$", "5", "+", "3", "=", "8"], ["$", "5", "+", "3", "=", "8"]),
        ("a\x00b\ufffdc\u200bd", ["abcd"], ["abcd"]),
        ("a\u2028b\u3000c", ["a", "b", "c"], ["a", "b", "c"]),
        ("我爱BERT", ["我", "爱", "bert"], ["我", "爱", "BERT"]),
        ("カタカナ", ["カタカナ"], ["カタカナ"]),
        ("İstanbul", ["istanbul"], ["İstanbul"]),
        ("ΟΔΟΣ ΣΑΣΑ", ["οδος", "σασα"], ["ΟΔΟΣ", "ΣΑΣΑ"]),
        ("\u0301", [], ["\u0301"]),
    ],
)
def test_words_are_those_of_bert(text, uncased, cased):
    assert words(text) == uncased and words(text, lower_case=False) == cased


def test_a_word_knows_where_it_stood():
    text = "Le cafe\u0301, c\x00a!"
    found = [(word.text, text[word.start : word.end]) for word in BasicTokenizer().split(text)]
    assert found == [("le", "Le"), ("cafe", "cafe"), (",", ","), ("ca", "c\x00a"), ("!", "!")]


def test_every_character_of_a_word_knows_where_it_stood():
    assert BasicTokenizer().split("x 한A")[1].places == (2, 2, 2, 3)


@settings(deadline=None)
@given(TEXT, st.booleans())
def test_the_slice_of_a_word_is_that_word(text, lower_case):
    basic = BasicTokenizer(lower_case)
    for word in basic.split(text):
        assert [again.text.replace("ς", "σ") for again in basic.split(text[word.start : word.end])] == [
            word.text.replace("ς", "σ")
        ]  # a slice may end after a sigma that stood inside its text


@settings(deadline=None)
@given(TEXT, st.booleans())
def test_words_stand_in_order_and_do_not_overlap(text, lower_case):
    found = BasicTokenizer(lower_case).split(text)
    assert all(len(word.text) == len(word.places) and word.start < word.end for word in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:]))


def test_only_one_capital_becomes_two_characters():
    longer = [chr(i) for i in range(sys.maxunicode + 1) if len(chr(i).lower()) > 1]
    assert longer == ["İ"]
