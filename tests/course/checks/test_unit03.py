"""Particular checks of unit 03; test_units.py compares them with their bank."""

import string
import unicodedata

import numpy as np
import pytest
from banks.trial import unit

from minibert.course import unit03 as check
from minibert.course.checks.exercise import CheckFailed
from minibert.course.unit03 import bug_hunt, text_mistakes
from minibert.course.unit03.wordpiece_mistakes import greedy
from minibert.tokenizer import BasicTokenizer, WordPiece

UNIT = unit("unit03")
STORY = (
    "My grandmother told us stories, and the stories were long. ¡Qué largas! 我们都听着。 "
    "Nobody slept 🌙 before the end, "
    "for the end was always another one than the one that somebody had expected when the story began."
)


def test_a_wrong_match_does_not_sink_the_whole_tokenizer(capsys):
    seven = UNIT.returning("wordpiece_encode", "np.full(3, 7.0)")
    check.tokenize(UNIT.answer("tokenize", wordpiece_encode=seven))
    assert "Checked with our wordpiece_encode" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(3))
def test_what_is_lent_for_the_match_equals_the_packages_tokenizer(seed):
    for word, vocab, *longest in check.wordpiece_encode.cases(np.random.default_rng(seed)):
        pieces = [piece for piece, _, _ in WordPiece(list(vocab), True, *longest).match(word)]
        assert greedy(word, vocab, *longest) == pieces


def test_every_wrong_tokenizer_is_right_about_a_word_of_the_vocabulary():
    vocab = dict.fromkeys(check.SMALL)
    assert all(
        wrong("hug", vocab) == ["hug"]
        for _, wrong in text_mistakes.BUGS
        if wrong is not text_mistakes.BUGS[0][1]
    )


def test_a_text_of_her_own_is_read_by_both_tokenizers(capsys):
    check.own_text(lambda: STORY, UNIT.answer("train_wordpiece"), UNIT.answer("tokenize"))
    assert "my_text: passed" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text, said",
    [("short", "your text is 5 characters long"), (3, "your text is an int"), (None, "`return` missing")],
)
def test_a_text_that_is_none_or_too_short_is_named(text, said):
    with pytest.raises(CheckFailed, match=said):
        check.own_text(lambda: text, UNIT.answer("train_wordpiece"), UNIT.answer("tokenize"))


@pytest.mark.parametrize(
    "part, wrong", [("train_wordpiece", "ties by length, again"), ("tokenize", "spaces")]
)
def test_a_text_of_her_own_shows_where_the_tokenizers_differ(part, wrong):
    answers = {name: UNIT.answer(name) for name in ("train_wordpiece", "tokenize")}
    answers[part] = UNIT.wrong(part, wrong)
    with pytest.raises(
        CheckFailed, match=f"your text is fine, but the result of your `{part}` .*: expected .* items, got"
    ):
        check.own_text(lambda: STORY, *answers.values())


def test_what_is_no_list_is_named_too():
    with pytest.raises(CheckFailed, match="result of your `tokenize` for it .*: it is an int"):
        check.own_text(lambda: STORY, UNIT.answer("train_wordpiece"), lambda text, vocab: 3)


def test_a_wrong_match_does_not_sink_her_text(capsys):
    seven = UNIT.returning("wordpiece_encode", "np.full(3, 7.0)")
    encode = UNIT.answer("tokenize", wordpiece_encode=seven)
    check.own_text(lambda: STORY, UNIT.answer("train_wordpiece"), encode)
    assert "my_text: passed" in capsys.readouterr().out


def test_a_text_not_written_yet_is_named():
    def my_text():
        raise NotImplementedError()

    with pytest.raises(CheckFailed, match="my_text: not written yet"):
        check.own_text(my_text, UNIT.answer("train_wordpiece"), UNIT.answer("tokenize"))


@pytest.mark.parametrize("seed", range(5))
def test_a_mended_basic_words_equals_the_packages_words(seed):
    for (text,) in check.basic_words.cases(np.random.default_rng(seed)):
        assert check.basic_words.reference(text) == [word.text for word in BasicTokenizer().split(text)]


def test_every_sign_of_the_invariants_is_punctuation_that_ascii_lacks():
    assert not set(bug_hunt.SIGNS) & set(string.punctuation)
    assert all(unicodedata.category(sign).startswith("P") for sign in bug_hunt.SIGNS)


@pytest.mark.parametrize("unseen", ["\u200d", "\u00ad", "\ufeff", "\u2060", "\u200e", "\u0001"])
def test_her_text_may_hold_characters_that_only_the_package_drops(unseen, capsys):
    source = UNIT.bank["tokenize"].right["the solution"]
    own = UNIT.answer(
        "tokenize",
        source.replace("[word.text for word in BasicTokenizer().split(text)]", "basic_words(text)"),
    )
    text = STORY.replace("stories", f"sto{unseen}ries", 1)
    assert own(text, check.SMALL + ("[UNK]",)) is not None
    for tokenize in (own, UNIT.answer("tokenize")):
        check.own_text(lambda: text, UNIT.answer("train_wordpiece"), tokenize)
    assert capsys.readouterr().out.count("my_text: passed") == 2


@pytest.mark.parametrize(
    "kept",
    [
        "category != 'Mn'",
        "category[0] != 'M'",
        "category not in ('Mn', 'Me')",
        "category not in ('Mn', 'Mc')",
    ],
)
def test_only_marks_of_the_kind_mn_are_taken_off(kept):
    answer = UNIT.answer(
        "basic_words", UNIT.cells[UNIT.asked["basic_words"][0]].source.replace('category != "Mn"', kept)
    )
    if kept == "category != 'Mn'":
        check.basic_words(answer)
    else:
        assert "only marks of the category Mn" in UNIT.message("basic_words", answer)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["pair_scores", "train_wordpiece"])
def test_an_answer_may_write_the_corpus_out(name, seed):
    """A right answer may repeat each word as often as it occurs, so that there must not be too many."""
    cases = getattr(check, name).cases(np.random.default_rng(seed))
    most = max(
        sum(value for value in arg.values() if isinstance(value, int))
        for case in cases
        for arg in case
        if isinstance(arg, dict)
    )
    assert most < 10**6
