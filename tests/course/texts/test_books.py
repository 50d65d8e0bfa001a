"""The book that the English model reads on in lesson 5."""

import re

from minibert.course.texts.books import ALICE
from minibert.readers.plain_text import read_documents


def test_the_book_is_read_as_stretches_from_its_first_sentence_to_its_last():
    documents = read_documents(ALICE)
    assert min(map(len, documents)) >= 4 and sum(map(len, documents)) > 1000
    words = [word for document in documents for sentence in document for word in sentence.split()]
    assert 25_000 < len(words) < 28_000 and words[-2:] == ["THE", "END"]


def test_the_book_names_its_author_and_year_and_nobody_who_could_own_it():
    text = ALICE.read_text(encoding="utf-8")
    assert "Lewis Carroll" in text[:100] and "1865" in text[:100]
    assert not re.search(r"gutenberg|copyright|licen[cs]e|trademark", text, re.IGNORECASE)
