"""Examples given in Python become what the readers of files make, or are refused by number and rule."""

import re

import pytest

from minibert.readers.conll import Sentence
from minibert.readers.glue import TextExample
from minibert.readers.inputs import as_columns, as_examples, as_texts
from minibert.readers.multiple_choice import ChoiceExample
from minibert.readers.squad import QAExample

CONTEXT = "Eva sang in Rome. Bo slept in Rome."
CASES = [
    (
        "text",
        ("It works.", "praise"),
        {"text": "It works.", "label": "praise", "other": 7},
        TextExample("It works.", None, "praise", "0", 1),
    ),
    ("text", ("Fine.", True), {"text": "Fine.", "label": "True"}, TextExample("Fine.", None, "True", "0", 1)),
    ("sst2", (" Fine. ", 1), {"text": "Fine.", "label": "1"}, TextExample("Fine.", None, "1", "0", 1)),
    (
        "rte",
        ("A", "B", "entailment"),
        {"label": "entailment", "text": "A", "text_pair": "B"},
        TextExample("A", "B", "entailment", "0", 1),
    ),
    (
        "stsb",
        ("A", "B", 4),
        {"text": "A", "text_pair": "B", "label": 4.0},
        TextExample("A", "B", 4.0, "0", 1),
    ),
    (
        "ner",
        (["Eva", "Li", "sang"], ["I-PER", "I-PER", "O"]),
        {"words": ("Eva", "Li", "sang"), "tags": ["B-PER", "I-PER", "O"]},
        Sentence(["Eva", "Li", "sang"], ["B-PER", "I-PER", "O"], 1, known=True),
    ),
    (
        "pos",
        (["Eva"], ["NOUN"]),
        {"words": ["Eva"], "tags": ["NOUN"]},
        Sentence(["Eva"], ["NOUN"], 1, known=True),
    ),
    (
        "qa",
        ("Who sang?", CONTEXT, "Eva"),
        {"question": "Who sang?", "context": CONTEXT, "answer": ("Eva", 0)},
        QAExample("1", "Who sang?", CONTEXT, [("Eva", 0)], False, ""),
    ),
    (
        "qa",
        ("Who ate?", CONTEXT, ""),
        {"question": "Who ate?", "context": CONTEXT, "answer": ""},
        QAExample("1", "Who ate?", CONTEXT, [], True, ""),
    ),
    (
        "swag",
        ("Eva sang.", ["She slept.", "It rained."], 1),
        {"context": "Eva sang.", "options": ["She slept.", "It rained."], "label": 1},
        ChoiceExample("Eva sang.", "", ["She slept.", "It rained."], 1, ["0", "1"]),
    ),
]


@pytest.mark.parametrize("task, row, record, wanted", CASES)
def test_a_tuple_a_dictionary_and_an_example_say_the_same(task, row, record, wanted):
    assert as_examples(task, iter([row, record, wanted]), {}, "train")[0] == wanted
    for given in (record, wanted, list(row)):
        (found,) = as_examples(task, [given], {}, "train")
        assert found == wanted


def test_keys_may_have_other_names():
    columns = as_columns("rte", {"text": "premise", "text_pair": "hypothesis"})
    row = {"premise": "A", "hypothesis": "B", "label": "not_entailment", "text": "ignored"}
    assert as_examples("rte", [row], columns, "dev")[0].second == "B"
    with pytest.raises(ValueError, match="dev:1: no 'premise' in this example: text, label$"):
        as_examples("rte", [{"text": "A", "label": 1}], columns, "dev")


def test_a_key_is_suggested_only_if_the_user_named_it():
    for row, hint in (
        ({"text": "A", "lable": "x"}, "; 'label' is missing, you gave 'lable'"),
        ({"text": "A", "queue": "x"}, "; give other names with columns={'text': NAME, 'label': NAME}"),
    ):
        with pytest.raises(ValueError, match=f"train:1: no 'label' in this example: .*{re.escape(hint)}$"):
            as_examples("text", [row], {}, "train")


def test_a_stored_key_gives_way_to_the_standard_one():
    stored = {"text": "message", "label": "queue"}
    rows = [{"message": "A", "queue": "x", "text": "no"}, {"text": "A", "label": "x"}, ("A", "x")]
    found = as_examples("text", rows, {}, "dev", stored)
    assert [(one.first, one.label) for one in found] == 3 * [("A", "x")]


@pytest.mark.parametrize(
    "columns, hint",
    [(["texts=review"], "; did you mean 'text'?"), ({"label": ""}, ""), (["text"], ""), ({"words": "b"}, "")],
)
def test_a_mapping_for_something_else_is_refused(columns, hint):
    known = "is not one of text=NAME text_pair=NAME label=NAME id=NAME"
    with pytest.raises(ValueError, match=rf"columns: \w+=\w* {known}{re.escape(hint)}$"):
        as_columns("text", columns)


def test_the_task_text_takes_one_text_or_two():
    rows = [
        ("A", "x"),
        ("A", "B", "x"),
        {"text": "A", "label": "x", "text_pair": None},
        {"text_pair": "B", "text": "A", "label": "x"},
    ]
    found = as_examples("text", rows, {}, "train")
    assert [(one.first, one.second, one.label) for one in found] == 2 * [("A", None, "x"), ("A", "B", "x")]
    columns = {"text_pair": "answer"}
    assert as_examples("text", [{"text": "A", "answer": "B", "label": 1}], columns, "t")[0].second == "B"
    with pytest.raises(ValueError, match="t:1: no 'answer' in this example: .*; did you mean 'answers'?"):
        as_examples("text", [{"text": "A", "answers": "B", "label": 1}], columns, "t")


@pytest.mark.parametrize(
    "task, value, message",
    [
        ("text", "text", r"expected \(text, label\), or a dictionary with these keys, not 'text'"),
        ("rte", ("A", "entailment"), r"expected \(text, text_pair, label\)"),
        ("text", ("A", None), "label must be a text, not None"),
        ("swag", ("A", ["B", "C"], True), "label must be a text, not True"),
        ("text", (float("nan"), "a"), "text must be a text, not nan"),
        ("text", ("\ud800", "a"), "text must be a text, not '\\\\ud800'"),
        ("text", (" ", "a"), "no text in 'text'"),
        ("text", ("A", ""), "category '' is empty"),
        ("sst2", ("A", 2), "label '2' is not one of 0, 1"),
        ("stsb", ("A", "B", 6), "score '6' is not a number from 0 to 5"),
        ("ner", ("Eva sang", ["O"]), "words must be a list of texts, not 'Eva sang'"),
        ("ner", (["Eva"], ["O", "O"]), "1 word and 2 tags; each word needs one tag"),
        ("ner", ([], []), "0 words and 0 tags"),
        ("ner", (["Eva"], ["PER"]), "tag 'PER' is not O, B-TYPE or I-TYPE"),
        ("pos", (["Eva", " "], ["N", "N"]), "a word is empty"),
        ("qa", ("Who?", CONTEXT, "Ada"), "the context does not contain 'Ada'$"),
        ("qa", ("Where?", CONTEXT, "Rome"), r"contains 'Rome' 2 times; give \(answer, start\), where start"),
        ("qa", ("Where?", CONTEXT, ("Rome", 11)), "the context does not contain 'Rome' at position 11"),
        ("qa", ("Where?", CONTEXT, ("Rome", -5)), "the context does not contain 'Rome' at position -5"),
        ("qa", (" ", CONTEXT, "Eva"), "the question is empty"),
        ("swag", ("A", ["B", "C"], 2), "label 2 must be the index, from 0, of one of at least 2 options"),
        ("swag", ("A", ["B"], 0), "label 0 must be the index"),
    ],
)
def test_a_wrong_example_is_named_by_its_number(task, value, message):
    good = next(row for name, row, *_ in CASES if name == task)
    with pytest.raises(ValueError, match=f"^train:2: .*{message}"):
        as_examples(task, [good, value], {}, "train")


def test_something_that_is_no_list_is_refused():
    with pytest.raises(ValueError, match="train: expected a file or a list of examples, not int"):
        as_examples("text", 3, {}, "train")


def test_a_dictionary_keeps_its_id():
    rows = [
        {"text": "A", "label": 1, "idx": 17},
        {"text": "A", "label": 1, "id": 0},
        {"text": "A", "label": 1},
    ]
    assert [one.id for one in as_examples("text", rows, {}, "dev")] == ["17", "0", "2"]
    assert as_examples("text", [{**rows[0], "key": "a"}], {"id": "key"}, "dev")[0].id == "a"


@pytest.mark.parametrize("texts, place", [("so \ud83d", "the text"), (["fine", "\udc80"], "text 1")])
def test_half_of_a_surrogate_pair_is_refused_with_its_place(texts, place):
    with pytest.raises(ValueError, match=f"^{place} contains half of a surrogate pair, .*: '.*ud"):
        as_texts(texts)
