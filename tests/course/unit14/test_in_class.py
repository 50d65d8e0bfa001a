"""The help desk of the lesson for a class: its questions, and both searches with vectors of counted words."""

import numpy as np
import pytest

from minibert.course.unit14 import views
from minibert.course.unit14.views import desk_answers, in_class, ours, search
from minibert.finetuning.search import words

VOCABULARY = sorted({word for answer in desk_answers.ANSWERS for word in words(answer)})


@pytest.fixture(autouse=True)
def counted(monkeypatch):
    """Let the vector of a text be its words, where a bike is a bicycle."""

    def vectors(name, pooling, texts):
        found = [words(text.lower().replace("bike", "bicycles")) for text in texts]
        return np.array([[one.count(word) + 0.01 for word in VOCABULARY] for one in found])

    monkeypatch.setattr(search, "vectors", vectors)
    for cached in (in_class.vectors, in_class.right_by_kind):
        cached.cache_clear()
    kept = in_class.vectors, in_class.right_by_kind
    yield
    for cached in kept:
        cached.cache_clear()


def shared_words(question, beginning):
    """Return the words that a question and its answer share, and that at most two other answers have."""
    answer = desk_answers.ANSWERS[desk_answers.right_answer(beginning)]
    counts = {word: sum(word in words(one) for one in desk_answers.ANSWERS) for word in words(question)}
    return [word for word in words(answer) if 1 <= counts.get(word, 0) <= 3]


@pytest.mark.parametrize("kind", desk_answers.QUESTIONS)
def test_each_question_has_one_right_answer_and_the_words_of_its_kind(kind):
    for question, beginning in desk_answers.QUESTIONS[kind].items():
        assert sum(answer.startswith(beginning) for answer in desk_answers.ANSWERS) == 1
        shared = shared_words(question, beginning)
        if kind == desk_answers.OTHER:
            assert {*shared} <= {"with", "my", "there", "up", "can"}, question
        else:
            assert shared, question
        assert (kind == desk_answers.CODE) == any(word[-1].isdigit() for word in words(question))


def test_meaning_finds_another_word_and_counting_finds_nothing():
    view = views.duel(ours.cosine)
    view.controls["questions"].value = "bike\n\n!\nWhat is in B12?"
    row = view.view.value.split("</tr>")[1]
    assert in_class.NOTHING in row and "Bicycles can be locked" in row
    assert view.view.value.count("<tr>") == 3 and view.error is None


def test_the_students_cosine_ranks():
    def cosine(a, b):
        """Return a number.

        >>> cosine(1, 2)
        -1
        """
        return -1

    view = views.duel(cosine)
    assert "Your <code>cosine</code>" in view.view.value
    assert (
        view.view.value.count(desk_answers.ANSWERS[0]) == 3
    )  # by meaning for both questions, by words for B12


def test_the_first_cell_shows_the_answers_of_both_searches():
    view = views.help_desk("When is the library open?")
    assert view.view.value.count(desk_answers.ANSWERS[1]) == 2
    view.controls["question"].value = "?"
    assert "Type a question" in view.view.value
    assert views.all_answers().content.count("<li>") == len(desk_answers.ANSWERS)


def test_a_rare_word_gives_more_points_and_each_counts_once():
    points = in_class.word_points()
    assert points["canteen"] > points["the"] > 0
    assert in_class.in_common(["the", "the", "canteen"], ["canteen", "the"], points) == pytest.approx(
        points["the"] + points["canteen"]
    )
    view = views.counted_words(in_class.in_common, "The canteen?")
    first = view.view.value.split("</li>")[0]
    assert "The canteen serves lunch" in first and first.index("<b>canteen</b>") < first.index("<b>the</b>")
    view.controls["question"].value = "Hm"
    assert in_class.NOTHING in view.view.value and view.error is None


def test_what_is_right_is_counted_by_kind():
    found = in_class.right_by_kind()
    assert found[desk_answers.CODE][in_class.WORDS] == len(desk_answers.QUESTIONS[desk_answers.CODE])
    assert all(
        0 <= n <= len(desk_answers.QUESTIONS[kind]) for kind, ways in found.items() for n in ways.values()
    )
    content = views.by_kind().content
    assert f"counting words answers {sum(ways[in_class.WORDS] for ways in found.values())}" in content


@pytest.mark.parametrize("both, said", [(3, "worse"), (6, "the same"), (7, "better")])
def test_the_guess_compares_both_with_meaning(monkeypatch, both, said):
    ways = {in_class.WORDS: 1, in_class.MEANING: 6, in_class.BOTH: both}
    monkeypatch.setattr(in_class, "right_by_kind", lambda: dict.fromkeys(desk_answers.QUESTIONS, ways))
    guess = views.guess_both()
    guess.give(guess.box.options[0])
    assert guess.answer().startswith(said) and "minibert-error" not in guess.said.value
