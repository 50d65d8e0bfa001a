"""The views of lesson 7: the student's functions are used, and the text's claims hold."""

import re

import numpy as np
import pytest

from minibert.course.unit07 import views
from minibert.course.unit07.views import english, live, spans
from minibert.course.unit07.views.qa import Asked
from minibert.data.spans import best_span, windows


def first_only(offsets, begin, text):
    """Return the first token of an answer twice.

    >>> first_only([(0, 3)], 0, "one")
    [0, 0]
    """
    return [english.our_token_span(offsets, begin, text)[0]] * 2


def untouched(*_):
    """Return something.

    >>> untouched()
    1
    """


def pessimist(threshold, odds, f1, has_answer):
    """Return 0.25.

    >>> pessimist(0, [], [], [])
    0.25
    """
    return 0.25


class Pointer:
    """A model whose answer is a word of the passage, with known null odds, and its task."""

    def __init__(self, word):
        self.word, self.task, self.model = word, self, None

    def predict(self, model, examples):
        answer = type("Answer", (), {"text": self.word})
        odds = [-1.0 if self.word in example.context else 1.0 for example in examples]
        return [type("Prediction", (), {"best": [answer], "null_odds": number}) for number in odds]


def test_every_reference_is_in_the_passage_of_squad():
    for _, texts in english.REFERENCES:
        assert len(texts) > 1 and all(text in english.SQUAD for text in texts)
    for question, texts in english.WANTED.items():
        assert any(text in english.LIGHTHOUSE for text in texts), question


@pytest.mark.usefixtures("english_encoder")
def test_the_label_comes_from_the_students_function():
    mine, theirs = views.label(first_only), views.label(untouched)
    found = [re.search(r"<b>(\d+), (\d+)</b>", view.view.value).groups() for view in (theirs, mine)]
    (first, last), (same, again) = found
    assert int(last) > int(first) and same == again == first
    assert "Your <code>first_only</code>" in mine.view.value
    mine.controls["answer"].value = "nobody"
    assert "“nobody” is not in the passage" in mine.view.value


@pytest.mark.usefixtures("english_encoder")
def test_the_english_model_answers_the_lighthouse_better_than_harder_questions():
    shown = views.how_good().content
    exact = float(re.search(r"exact match (\d+)%", shown)[1])
    assert 35 < exact < 65 and shown.count("100.0") >= 8
    assert not views.guess_traps().answer().startswith("all"), "a trap is none if the model avoids it"


def test_the_best_start_and_the_best_end_make_no_span():
    assert spans.STARTS.argmax() > spans.ENDS.argmax()
    assert best_span(spans.STARTS, spans.ENDS)[:2] == (3, 3)
    assert views.guess_two_ends().answer() == "nothing"


def test_a_stride_of_20_is_safe_and_one_of_21_is_not():
    """As the fold of section 4 says, for windows of 24 and answers of five tokens."""

    def always_whole(stride):
        begins = windows(60, 24, stride)
        return all(any(b <= first and first + 5 <= min(b + 24, 60) for b in begins) for first in range(56))

    assert always_whole(20) and not always_whole(21)


def test_nothing_is_asked_of_a_model_that_was_not_taught(monkeypatch):
    monkeypatch.setattr(live, "TAUGHT", {})
    with pytest.raises(ValueError, match="run the cell with views.teach"):
        live.taught()


def test_a_sentence_that_misleads_costs_f1_where_it_is_said_to(monkeypatch):
    def scores(tuned, examples):
        first = [example.context.startswith("Bo") for example in examples]
        return np.array([[0, 10.0 if early else 60.0] for early in first])

    asked = [
        Asked("Where does Ann live?", "Ann lives in Rome.", (("Rome", 13),)),
        Asked("Where does Bo live?", "Bo lives in Bern.", (("Bern", 12),)),
        Asked("When was Bo born?", "Bo was born in 1900.", (("1900", 15),)),
    ]
    monkeypatch.setattr(live, "span_scores", scores)
    monkeypatch.setattr(live, "answered", lambda: asked)
    monkeypatch.setattr(live, "taught", lambda: None)
    live.misled.cache_clear()
    guess = views.guess_misled()
    number, f1 = live.misled()
    live.misled.cache_clear()
    assert number >= 1 and f1["same kind of fact, before"] < f1["same kind of fact, after"] == f1["as it was"]
    assert guess.answer() == "same kind of fact, before"


def test_the_curves_of_silence_come_from_the_students_function(monkeypatch):
    examples = [
        Asked("Who?", "Ann sang.", (("Ann", 0),)),
        Asked("Who?", "Nobody sang.", ()),
        Asked("Who?", "Ann slept.", (("Ann", 0),)),
    ]
    monkeypatch.setattr(live, "questions", lambda split: examples)
    monkeypatch.setattr(live, "taught", lambda: Pointer("Ann"))
    live.odds_of.cache_clear()
    ours, theirs = (views.silence(function).view.value for function in (untouched, pessimist))
    live.odds_of.cache_clear()
    assert "On test questions: 100; with 0: 100" in ours and "with 0: 25" in theirs
    assert "2 of 3 questions are answered, 0 of them without an answer" in ours
