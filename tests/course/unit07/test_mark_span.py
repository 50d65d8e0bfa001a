"""The card whose passage is clicked in, as Python sees it; tests/lessons clicks in it in a browser."""

import pytest

from minibert.course.unit07.views.mark_span import MarkSpan

PASSAGE = "Cromham's cat <Tibkin> lives in Little Hexford."
ASKED = [
    ("Where does it live?", ["Little Hexford", "Hexford"]),
    ("Whose cat is it?", ["Cromham"]),
    ("How old is it?", []),
]


@pytest.fixture
def card():
    return MarkSpan(PASSAGE, ASKED)


def test_the_passage_is_cut_into_words_and_signs_after_cls(card):
    assert card.words[:5] == ["[CLS]", "Cromham", "'", "s", "cat"] and card.words[-1] == "."
    text = "".join(" " * apart + word for word, apart in zip(card.words[1:], card.apart[1:]))
    assert text.strip() == PASSAGE and len(card.words) == len(card.apart) == len(card.places)


@pytest.mark.parametrize(
    "question, mark, right",
    [
        (0, ["Little", "Hexford"], True),
        (0, ["Hexford", "Hexford"], True),
        (0, ["in", "Hexford"], False),
        (1, ["Cromham", "Cromham"], True),
        (2, ["[CLS]", "[CLS]"], True),
        (2, ["cat", "cat"], False),
        (0, ["[CLS]", "[CLS]"], False),
    ],
)
def test_an_answer_is_judged_when_it_is_given(card, question, mark, right):
    marks = [[], [], []]
    marks[question] = [card.words.index(word) for word in mark]
    card.marks = marks
    assert card.said == ["", "", ""]
    card.given = [question]
    assert card.said[question].startswith("<b>✓ Right." if right else "<b>✗ No.")
    assert right or (card.wanted(question) in card.said[question])


def test_a_new_mark_is_not_judged_before_it_is_given(card):
    card.marks, card.given = [[5, 5], [], []], [0]
    card.given = []
    assert card.said == ["", "", ""]


def test_a_page_without_a_kernel_has_the_questions_with_folded_answers(card):
    still = card._repr_mimebundle_()[0]["text/html"]
    assert "&lt;Tibkin&gt;" in still and still.count("<summary>") == 3
    assert "It is “Little Hexford” or “Hexford”." in still and "does not say: mark [CLS]" in still
