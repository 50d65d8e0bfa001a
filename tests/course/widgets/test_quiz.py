"""The quiz, answered as a browser answers it."""

import pytest

from minibert.course.widgets.quiz import STYLE, Choice, Quiz, QuizQuestion, Sorter

RIGHT, WRONG = Choice("two", True, "One more."), Choice("eleven", False, "No digits.")
TRAP = Choice("<b>", False, "a < b")


GIVEN = [[WRONG, RIGHT, TRAP], [RIGHT, WRONG]]


def quiz():
    return Quiz([QuizQuestion("1 + 1 <?>", GIVEN[0]), QuizQuestion("1 * 1?", GIVEN[1])])


def choose(asked, number, index):
    """Choose a choice by its place in GIVEN, wherever it is shown."""
    shown = asked.questions[number].choices
    asked.answers[number].set_state({"index": shown.index(GIVEN[number][index])})


def test_nothing_is_chosen_or_explained_at_first():
    asked = quiz()
    assert [answer.index for answer in asked.answers] == [None, None]
    assert [explanation.value for explanation in asked.explanations] == ["", ""]
    assert asked.score.value == ""


@pytest.mark.parametrize(
    "index, mark, why", [(0, "✗", "No digits."), (1, "✓", "One more."), (2, "✗", "a &lt; b")]
)
def test_every_choice_is_explained_with_a_mark(index, mark, why):
    asked = quiz()
    choose(asked, 0, index)
    assert mark in asked.explanations[0].value and why in asked.explanations[0].value
    assert asked.explanations[1].value == ""


def test_right_answers_are_counted_and_may_be_changed():
    asked = quiz()
    choose(asked, 0, 1)
    choose(asked, 1, 0)
    assert "2 of 2 right" in asked.score.value
    choose(asked, 0, 0)
    assert "1 of 2 right" in asked.score.value


def test_places_say_nothing_and_stay_the_same():
    questions = [QuizQuestion(f"question {number}?", [RIGHT, WRONG, TRAP]) for number in range(90)]
    places = [question.choices.index(RIGHT) for question in Quiz(questions).questions]
    assert all(20 <= places.count(place) <= 40 for place in range(3))
    assert places == [question.choices.index(RIGHT) for question in Quiz(questions).questions]


def test_text_is_escaped():
    asked = quiz()
    texts = "".join(str(child.value) for child in asked.children if hasattr(child, "value"))
    assert "<b>1. 1 + 1 &lt;?&gt;</b>" in texts and "<?>" not in texts


def test_a_page_without_a_kernel_shows_every_explanation():
    data, _ = quiz()._repr_mimebundle_()
    assert data["text/html"].count("<details>") == 5
    assert "1 + 1 &lt;?&gt;" in data["text/html"] and "<summary>&lt;b&gt;</summary>" in data["text/html"]


@pytest.mark.parametrize("choices, count", [([WRONG, TRAP], 0), ([RIGHT, Choice("2", True, "Also.")], 2)])
def test_a_question_has_exactly_one_right_choice(choices, count):
    with pytest.raises(ValueError, match=f"{count} choices are right, but exactly one must be: '1 \\+ 1'"):
        QuizQuestion("1 + 1", choices)


def test_choices_that_read_the_same_are_refused():
    with pytest.raises(ValueError, match="two choices have the same text"):
        QuizQuestion("1 + 1", [RIGHT, Choice("two", False, "Why not?")])


def test_examples_to_sort_keep_the_order_of_their_choices():
    questions = [QuizQuestion(f"example {number}", [RIGHT, WRONG, TRAP]) for number in range(9)]
    assert [question.choices for question in Sorter(questions).questions] == [[RIGHT, WRONG, TRAP]] * 9
    assert "minibert-sorter" in Sorter(questions)._dom_classes and "minibert-sorter" in STYLE
