"""Tags and clause depths of the generated language: those of sentences read by eye are right."""

import pytest

from minibert.generated import World
from minibert.generated.labels.syntax import tagged, tagged_sentences
from minibert.generated.sentences.lexicon import CONTEXTS, LEXICON, VERBS
from minibert.generated.writer.grammar import Page

WORLD = World(seed=0)
UPOS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()


@pytest.fixture(scope="session")
def sentences():
    return list(tagged_sentences(WORLD, count=2000, seed=1))


def tags_of(text):
    """Tags and depths of a sentence without slots."""
    page = Page(None, "life", {})
    page.say(text, {}, ("", ""))
    words = tagged(page, 0)
    return " ".join(f"{word.form}/{word.upos}" for word in words), [word.depth for word in words]


def test_every_word_of_two_thousand_documents_has_a_universal_tag(sentences):
    assert len(sentences) > 10_000
    assert {word.upos for words in sentences for word in words} <= set(UPOS)


def test_the_words_of_a_sentence_are_the_sentence():
    pages = list(WORLD.pages(50, 1, stream="syntax"))
    for page in pages:
        for number, sentence in enumerate(page.sentences):
            words = tagged(page, number)
            assert "".join(word.form for word in words) == sentence.replace(" ", "")
            assert all(sentence[word.start :].startswith(word.form) for word in words)


def test_a_word_that_nothing_explains_is_an_error():
    with pytest.raises(ValueError, match="the word 'zebra' of .* is neither in a slot nor in the lexicon"):
        tags_of("The zebra sings.")


@pytest.mark.parametrize(
    "text, tags",
    [
        ("The children learn to swim.", "The/DET children/NOUN learn/VERB to/PART swim/VERB ./PUNCT"),
        (
            "They say that it has no name.",
            "They/PRON say/VERB that/SCONJ it/PRON has/VERB no/DET name/NOUN ./PUNCT",
        ),
        ("They have come to the school.", "They/PRON have/AUX come/VERB to/ADP the/DET school/NOUN ./PUNCT"),
        ("After work they trade.", "After/ADP work/NOUN they/PRON trade/VERB ./PUNCT"),
        (
            "There is music, for I am here.",
            "There/PRON is/VERB music/NOUN ,/PUNCT for/SCONJ I/PRON am/AUX here/ADV ./PUNCT",
        ),
        (
            "The cat's door does not leak.",
            "The/DET cat/NOUN 's/PART door/NOUN does/AUX not/PART leak/VERB ./PUNCT",
        ),
        ("Is there music at work?", "Is/VERB there/PRON music/NOUN at/ADP work/NOUN ?/PUNCT"),
    ],
)
def test_tags_of_sentences_read_by_eye(text, tags):
    assert tags_of(text)[0] == tags


@pytest.mark.parametrize(
    "text, depths",
    [
        ("I sleep.", [0, 0, 0]),
        ("I sleep when the house is empty.", [0, 0, 1, 1, 1, 1, 1, 0]),
        ("When it rains, I sleep.", [1, 1, 1, 0, 0, 0, 0]),
        ("A worker who sleeps gets no cake.", [0, 0, 1, 1, 0, 0, 0, 0]),
        ("They say that whoever drinks comes back.", [0, 0, 1, 2, 2, 1, 1, 0]),
        ("Where does the river begin?", [0, 0, 0, 0, 0, 0]),
        ('"Tell me where you sleep," said nobody.', [1, 1, 1, 2, 2, 2, 1, 1, 0, 0, 0]),
    ],
)
def test_depth_counts_the_finite_clauses_around_a_word(text, depths):
    assert tags_of(text)[1] == depths


def test_slots_show_names_as_proper_nouns_and_trades_as_nouns():
    for page in WORLD.pages(200, 1, stream="syntax"):
        starts = [
            sum(len(text) + 1 for text in page.sentences[:number]) for number in range(len(page.sentences))
        ]
        tag = {
            (number, word.start): word.upos
            for number in range(len(page.sentences))
            for word in tagged(page, number)
        }
        for span in page.spans:
            expected = {
                "name": "PROPN",
                "pet": "PROPN",
                "trade": "NOUN",
                "tool": "NOUN",
                "makes": "VERB",
                "pronoun": "PRON",
                "he": "PRON",
                "born": "NUM",
                "habit": "VERB",
                "instrument": "NOUN",
                "spot": "ADP",
            }.get(span.slot)
            assert expected in (None, tag[span.sentence, span.start - starts[span.sentence]]), span.slot


def test_lemmas_are_those_of_verbs(sentences):
    found = {(word.form, word.lemma) for words in sentences for word in words}
    assert {
        ("has", "have"),
        ("was", "be"),
        ("woke", "wake"),
        ("bakes", "bake"),
        ("oven", "_"),
        ("carries", "carry"),
    } <= found


def test_every_pattern_belongs_to_a_word_and_every_form_to_a_verb():
    assert set(CONTEXTS) <= set(LEXICON)
    assert VERBS["stopped"] == ("stop", "past")
    assert VERBS["cries"] == ("cry", "third")
    assert VERBS["writing"] == ("write", "ing")
