"""A typed text is divided into the words that a file of the same text has."""

import pytest

from minibert.tasks.typed_words import typed_words

# a text, and its words joined by spaces, as in a file
TEXTS = [
    ("He moved to the U.S. with O'Brien of AT&T.", "He moved to the U.S. with O'Brien of AT&T ."),
    ("She works for Yahoo! in St. Louis.", "She works for Yahoo! in St. Louis ."),
    ("Mail ada@example.org, see www.bbc.co.uk/news.", "Mail ada@example.org , see www.bbc.co.uk/news ."),
    ("Off to Washington D.C. on Monday", "Off to Washington D.C. on Monday"),
    ("It is made in the U.S.", "It is made in the U.S."),
    ("J. K. Rowling's book; the boys' dog.", "J. K. Rowling 's book ; the boys ' dog ."),
    ('"Stop!" said I. Vitamin C.', '" Stop ! " said I. Vitamin C .'),
    ("No. 10 is mine (or so). No.", "No. 10 is mine ( or so ) . No ."),
    ("«Paris» — ¿dónde? Él vino—yo no…", "« Paris » — ¿ dónde ? Él vino — yo no …"),
    ("100% of #tag, @ada, C++ and .NET", "100% of #tag , @ada , C++ and .NET"),
    ("in (see https://x.org/a,b_(c)).", "in ( see https://x.org/a,b_(c) ) ."),
    ("Paris,London but 1,000.50, café!", "Paris , London but 1,000.50 , café !"),
    ("\u200bJohn\u200b left\u00a0Rome", "John left Rome"),
    ("東京 is 2", "東 京 is 2"),
]


@pytest.mark.parametrize("text, words", TEXTS)
def test_signs_are_set_apart_at_the_ends_of_words_only(text, words):
    assert [text[start:end] for start, end in typed_words(text)] == words.split(" ")


@pytest.mark.parametrize(
    "words", ["Cesaroni. met 's cool. U.S. ( -born , [1 n't .", "He said ... `` No. '' ."]
)
def test_words_that_are_joined_by_spaces_stay_as_they_are(words):
    assert [words[start:end] for start, end in typed_words(words)] == words.split(" ")
