"""Questions about passages: what a model answers exactly, and the sentences that mislead it."""

from types import SimpleNamespace

import pytest

from minibert.course.unit07.views.qa import Asked
from minibert.course.unit07.views.reading import (
    exact,
    examples_of,
    first_misled,
    lures,
    three_questions,
    with_sentence,
)

ADA = "Ada Lee sings. She was born in Ashby. Ada plays chess."
TOM = "Tom Roe was born in Selby in 1950."
BORN_ADA = Asked("Where was Ada born?", ADA, (("Ashby", 31),))
PLAYS_ADA = Asked("What does Ada play?", ADA, (("chess", 48),))
OLD_ADA = Asked("How old is Ada?", ADA)
BORN_TOM = Asked("Where was Tom born?", TOM, (("Selby", 20),))


def answering(answers):
    """A model; answers(examples): what it says."""
    return SimpleNamespace(model=None, task=SimpleNamespace(answer=lambda model, examples: answers(examples)))


def first_place(examples):
    """The first place in the passage, as a hasty model sees it."""
    return [
        min(("Ashby", "Selby"), key=lambda town: (town not in e.context, e.context.find(town)))
        for e in examples
    ]


def test_each_question_of_a_document_is_an_example():
    asked = SimpleNamespace(text="Where?", answers=[("Ashby", 3)])
    document = SimpleNamespace(text="In Ashby.", questions=[asked])
    assert examples_of([document]) == [Asked("Where?", "In Ashby.", (("Ashby", 3),))]


def test_three_questions_are_about_the_first_passage_that_has_two_answers_and_a_silent_question():
    assert three_questions([BORN_TOM, BORN_ADA, PLAYS_ADA, OLD_ADA]) == [BORN_ADA, PLAYS_ADA, OLD_ADA]
    with pytest.raises(ValueError, match="no passage has two questions"):
        three_questions([BORN_TOM, BORN_ADA])


def test_an_answer_is_exact_to_the_letter():
    model = answering(lambda examples: ["Ashby", "Chess", ""])
    assert exact(model, [BORN_ADA, PLAYS_ADA, OLD_ADA]) == [True, False, False]


def test_a_lure_names_somebody_else_and_is_of_the_same_kind_or_of_another():
    others = [BORN_ADA, PLAYS_ADA, BORN_TOM]
    assert lures(BORN_ADA, others) == [TOM] and lures(PLAYS_ADA, others) == []
    assert lures(BORN_TOM, others) == []  # "She was born in Ashby." names nobody
    assert lures(BORN_TOM, others, same=False) == ["Ada plays chess."]


@pytest.mark.parametrize("before", [True, False])
def test_with_a_sentence_added_the_answer_stands_where_it_is_said_to(before):
    added = with_sentence(BORN_ADA, TOM, before)
    ((text, place),) = added.answers
    assert added.context[place : place + len(text)] == "Ashby" and added.context.startswith(TOM) == before
    assert with_sentence(BORN_ADA, "", before) == BORN_ADA


def test_what_is_shown_is_right_before_it_is_wrong():
    example, sentence, told = first_misled(answering(first_place), [BORN_TOM, BORN_ADA, PLAYS_ADA])
    assert (example, sentence) == (BORN_ADA, TOM)
    assert told.startswith("The model answers 1 of 1 questions exactly.") and "1 of these become" in told


def test_where_nothing_misleads_a_right_answer_is_shown():
    eva = Asked("Where was Eva born?", "Eva was born in Norby.", (("Norby", 16),))
    model = answering(lambda examples: ["Ashby" if "Ashby" in e.context else "?" for e in examples])
    assert first_misled(model, [eva, BORN_TOM, BORN_ADA])[0] == BORN_ADA
