"""Full stops within a sentence: the texts of `abbreviations.txt` are divided as they were by hand."""

from pathlib import Path

import pytest

from minibert.readers.sentences import split_sentences

# One text per line in 30 languages, with | between its sentences. "? " marks a text that is divided wrongly.
TEXTS = [
    (line.removeprefix("? "), line.startswith("? "))
    for line in Path(__file__).with_name("abbreviations.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("# ")
]


@pytest.mark.parametrize("text, wrong", TEXTS, ids=lambda value: str(value)[:30])
def test_a_full_stop_of_an_abbreviation_an_ordinal_or_a_date_ends_no_sentence(text, wrong):
    sentences = text.split(" | ")
    assert (split_sentences(" ".join(sentences)) != sentences) == wrong


def test_less_than_one_text_in_twenty_is_divided_wrongly():
    assert len(TEXTS) > 250 and 20 * sum(wrong for _, wrong in TEXTS) < len(TEXTS)


@pytest.mark.parametrize(
    "text, sentences",
    [
        # a word without a vowel that is not an abbreviation, and units
        ("Sh. Be quiet. Hmm. He left by https. It took 3 hrs. Then he sat.", 5),
        # letters, and abbreviations that end an enumeration
        ("He meant the letter x. Nobody knew. He came at 5 p.m. They left.", 4),
        # numbers that are not ordinals: years, values, numbers of pages, and any number in English
        ("Er kam 1989. Über 3 gingen. Der Wert ist 0. Ändern Sie ihn. Es gibt 12. Neue kommen.", 6),
        ("Değer 0. Şimdi bak. UTF-8. Öyle mi? Bkz. s. 14. Orada yazıyor.", 6),
        ("I am 12. She was Number 3. He was in Part II. The rest was lost.", 4),
        # words with the form of an abbreviation
        ("Han satte sig. Hon köpte en pc. Den var ny. Řekl to nám. Potom šel.", 5),
        ("Это был я. А. Петров вошёл. Prišla je smrt. Nije htio. Bila je krv. Nestala je.", 6),
        # Hindi with Latin full stops
        ("वह घर में है. वह खुश था. डॉ. राम आए. सब खुश थे.", 4),
        ("Sí. —¿Quién es? —¡Yo! —Pasa —dijo. —Ya voy.", 5),
    ],
)
def test_other_full_stops_end_a_sentence(text, sentences):
    assert len(split_sentences(text)) == sentences
