"""Questions of two hops: two sentences are needed, and somebody else has another answer."""

import re
from collections import Counter

import pytest

from minibert.generated import World
from minibert.generated.labels.two_hops import ASKED, DESCRIPTIONS, answers_for_all, two_hop_documents
from minibert.generated.writer.grammar import SLOT

WORLD = World(seed=0)


@pytest.fixture(scope="module")
def documents():
    return list(two_hop_documents(WORLD, 300, seed=1))


def read(question):
    """(the fact that describes somebody, its value, the fact that is asked for) of a question."""
    for asked, wording in ASKED.items():
        if found := re.fullmatch(wording.replace("{N}", "(.+)").replace("?", r"\?"), question.text):
            for known, text in DESCRIPTIONS.items():
                if value := re.fullmatch(SLOT.sub("(.+)", text), found[1]):
                    if known != "trade" or " " not in value[1]:
                        return known, value[1], asked
    raise AssertionError(question.text)


def test_each_document_has_one_question_and_its_answers_stand_in_the_text(documents):
    for document in documents:
        (question,) = document.questions
        assert question.answers and not question.impossible
        assert all(document.text[start:].startswith(text) for text, start in question.answers)


def test_all_facts_are_asked_for_and_describe(documents):
    found = [read(document.questions[0]) for document in documents]
    assert {known for known, _, _ in found} == set(DESCRIPTIONS)
    assert {asked for _, _, asked in found} == set(ASKED)
    assert max(Counter(asked for _, _, asked in found).values()) < 0.4 * len(found)


def test_no_sentence_tells_who_is_meant_and_what_is_asked(documents):
    for document in documents:
        _, value, _ = read(document.questions[0])
        answer = document.questions[0].answers[0][0]
        both = [
            sentence
            for sentence in document.sentences
            if all(re.search(rf"\b{text}\b", sentence) for text in (value, answer))
        ]
        assert not both, (document.questions[0], both)


def test_somebody_else_has_another_answer_and_only_one_is_described(documents):
    pages = {tuple(page.sentences): page for page in WORLD.pages(1500, 1, "train", "two hops")}
    seen = [document for document in documents if tuple(document.sentences) in pages]
    assert len(seen) > 250
    for document in seen:
        page, (known, value, asked) = pages[tuple(document.sentences)], read(document.questions[0])
        people = [topic for topic in page.mentions if topic.label == "PER"]
        (meant,) = (topic for topic in people if topic.fact(known) == value)
        assert document.questions[0].answers[0][0] == meant.fact(asked)
        assert any(
            (other, asked) in page.told and other.fact(asked) != meant.fact(asked)
            for other in people
            if other is not meant
        )


def test_the_answers_for_all_begin_with_the_right_one_and_have_a_wrong_one(documents):
    answers = list(answers_for_all(WORLD, 300, seed=1))
    assert len(answers) == len(documents)
    for document, (right, *others) in zip(documents, answers):
        assert right == document.questions[0].answers[0][0]
        assert all(other in document.text for other in others) and set(others) - {right}
