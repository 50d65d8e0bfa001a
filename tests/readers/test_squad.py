"""SQuAD files: both versions, what is written back, and files that are refused."""

import copy
import json

import pytest

from minibert.readers.squad import QAExample, iter_squad
from minibert.readers.tabular import as_list
from minibert.readers.utf8_text import CorpusError
from minibert.readers.writing import write_text

read_squad = as_list(iter_squad)

CONTEXT = "Ada sang in Rome. 😀 Bo slept."
ADA = {
    "id": "q1",
    "question": "Where did Ada sing?",
    "answers": [{"text": "Rome", "answer_start": 12}, {"text": "in Rome", "answer_start": 9}],
}
BO = {"id": "q2", "question": "Who sang with Bo?", "answers": [], "is_impossible": True}
BO["plausible_answers"] = [{"text": "Ada", "answer_start": 0}]
GOOD = {
    "version": "v2.0",
    "data": [{"title": "Ada", "paragraphs": [{"context": CONTEXT, "qas": [ADA, BO]}]}],
}


def written(tmp_path, data):
    path = tmp_path / "train.json"
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def changed(*keys, value):
    """GOOD with one value replaced, or taken out where the new value is ..."""
    data = copy.deepcopy(GOOD)
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[keys[-1]]
    else:
        inner[keys[-1]] = value
    return data


PARAGRAPH = ("data", 0, "paragraphs", 0)
QUESTION = (*PARAGRAPH, "qas", 0)


def question(*keys, value):
    """GOOD with one value of its first question replaced."""
    return changed(*QUESTION, *keys, value=value)


def test_questions_of_both_versions_are_read(tmp_path):
    assert read_squad(written(tmp_path, GOOD)) == [
        QAExample("q1", "Where did Ada sing?", CONTEXT, [("Rome", 12), ("in Rome", 9)], False, "Ada"),
        QAExample("q2", "Who sang with Bo?", CONTEXT, [], True, "Ada"),
    ]


def test_offsets_count_characters_not_bytes(tmp_path):
    data = question("answers", value=[{"text": "Bo", "answer_start": 20}])
    assert read_squad(written(tmp_path, json.dumps(data, ensure_ascii=False)))[0].answers == [("Bo", 20)]


def test_a_title_may_be_absent(tmp_path):
    assert read_squad(written(tmp_path, changed("data", 0, "title", value=...)))[0].title == ""


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", r"train\.json: the file is empty$"),
        (b'{"data": [\n"caf\xe9"]}', r"train\.json:2: not UTF-8: byte 0xe9 \(byte 16 of the file\)$"),
        (json.dumps(GOOD, indent=1)[:200], r"train\.json:\d+: column \d+: the JSON is cut off"),
        ('{"data": [\n', r"train\.json:2: column 1: the JSON is cut off"),
        ('{"data": [\n  "Ada', r"train\.json:2: column 3: the JSON is cut off"),
        ('{"data":\n [ , 2]}', r"train\.json:2: column 4: broken JSON"),
        ("[" * 100_000, r"train\.json:? ?.*(nested too deeply|cut off)"),
        ([], r"train\.json: the file is a list, not an object$"),
        ({"version": "1.1"}, r"train\.json: data is missing$"),
        ({"data": []}, r"train\.json: the file has no questions$"),
        (changed("data", value={}), r"data is an object, not a list$"),
        (changed("data", 0, value="x"), r"data\[0\] is a text, not an object: 'x'$"),
        (changed("data", 0, "title", value=3), r"data\[0\]\.title is a whole number, not a text: 3$"),
        (changed("data", 0, "paragraphs", value=...), r"data\[0\]\.paragraphs is missing$"),
        (changed(*PARAGRAPH, "context", value=None), r"data\[0\]\.paragraphs\[0\]\.context is null, not a"),
        (changed(*PARAGRAPH, "qas", value=...), r"data\[0\]\.paragraphs\[0\]\.qas is missing$"),
        (question("id", value=7.5), r"qas\[0\]\.id is a number, not a text: 7.5$"),
        (question("question", value=...), r"data\[0\]\.paragraphs\[0\]\.qas\[0\]\.question is missing$"),
        (question("question", value="\ud83d"), r"qas\[0\]\.question contains half of a surrogate pair"),
        (question("is_impossible", value=1), r"qas\[0\]\.is_impossible is a whole number, not true or"),
        (question("is_impossible", value=True), r"qas\[0\] \(question q1\) is marked impossible, but has 2"),
        (question("answers", value=[]), r"qas\[0\] \(question q1\) has no answer, but is not marked"),
        (question("question", value=" \n"), r"paragraphs\[0\]\.qas\[0\] \(question q1\): the question is"),
        (
            changed(*PARAGRAPH, "context", value=" "),
            r"paragraphs\[0\]\.qas\[0\] \(question q1\): its passage is empty$",
        ),
        (question("answers", 0, value=["Rome"]), r"qas\[0\]\.answers\[0\] is a list, not an object$"),
        (
            question("answers", 0, "answer_start", value=12.0),
            r"\.answer_start is a number, not a whole number: 12\.0$",
        ),
        (
            question("answers", 0, "answer_start", value="1" * 99),
            r"answer_start is a text, not a whole number: '1{59}…'$",
        ),
        (question("answers", 0, "answer_start", value=True), r"answer_start is true or false, not a whole"),
        (
            question("answers", 0, "answer_start", value=11),
            r"qas\[0\]\.answers\[0\] \(question q1\): expected the answer 'Rome' at character 11 of its "
            "passage, found ' Rom'; the nearest occurrence is at 12$",
        ),
        (
            question("answers", 0, "answer_start", value=-18),
            r"at character -18 of its passage, found ''; the nearest",
        ),
        (
            question("answers", 0, "answer_start", value=999),
            r"at character 999 of its passage, found ''; the nearest",
        ),
        (question("answers", 0, "text", value=""), r"expected the answer '' at character 12"),
        (question("answers", 0, "text", value="x" * 99), r"expected the answer 'x{59}…' at"),
        (
            changed(*PARAGRAPH, "qas", 1, "id", value="q1"),
            r"qas\[1\]\.id: 'q1' is also the id of data\[0\]\.paragraphs\[0\]\.qas\[0\]$",
        ),
    ],
)
def test_a_damaged_file_is_named_with_place_and_rule(tmp_path, data, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_squad(written(tmp_path, data))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


def test_questions_without_answers_are_read_where_no_labels_are_needed(tmp_path):
    path = written(tmp_path, question("answers", value=[]))
    assert read_squad(path, labelled=False)[0].answers == []
    path = written(tmp_path, question("answers", value=...))
    assert read_squad(path, labelled=False)[0].answers == []
    damaged = written(tmp_path, question("answers", 0, "answer_start", value=11))
    assert read_squad(damaged, labelled=False)[0].answers == []
    path = written(tmp_path, question("answers", value=...))
    with pytest.raises(CorpusError, match="answers is missing"):
        read_squad(path)


def test_an_empty_passage_is_read_where_it_is_said_to_hold_no_answer(tmp_path, caplog):
    impossible = {"id": "q1", "question": "Who?", "is_impossible": True, "answers": []}
    path = written(tmp_path, changed(*PARAGRAPH, value={"context": "", "qas": [impossible]}))
    assert [e.context for labelled in (True, False) for e in read_squad(path, labelled)] == ["", ""]
    assert not caplog.messages


def test_without_labels_what_is_empty_does_not_stop_the_others_and_is_told_of(tmp_path, caplog):
    questions = [{"id": "q1", "question": "Who?"}, {"id": "q2", "question": "What?"}]
    path = written(tmp_path, changed(*PARAGRAPH, value={"context": "", "qas": questions}))
    assert [e.id for e in read_squad(path, labelled=False)] == ["q1", "q2"]
    data = question("question", value=" ")
    assert len(read_squad(written(tmp_path, data), labelled=False)) == 2
    assert caplog.messages == [
        f"{path}: empty question or passage in 2 questions; the first is 'q1'",
        f"{path}: empty question or passage in 1 question; the first is 'q1'",
    ]


@pytest.mark.parametrize("answer", ["Paris", "x" * 100_000 + "\ud83d"])  # the second cannot be encoded
def test_a_write_that_fails_leaves_the_old_file_whole(tmp_path, monkeypatch, answer):
    path = tmp_path / "predictions.txt"
    write_text(path, "Rome")

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises((OSError, UnicodeEncodeError)):
        write_text(path, answer)
    assert path.read_text() == "Rome" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "name, questions, articles, impossible",
    [
        ("squad_v1/train_small", 2344, 12, False),
        ("squad_v1/dev_small", 576, 4, False),
        ("squad_v2/train_small", 2334, 6, True),
        ("squad_v2/dev_small", 1406, 4, True),
    ],
)
def test_real_questions_are_counted_right(shared, name, questions, articles, impossible):
    examples = read_squad(shared / f"data/{name}.json")
    assert (len(examples), len({example.title for example in examples})) == (questions, articles)
    assert any(example.impossible for example in examples) == impossible


def test_the_start_of_a_real_file_is_refused_as_cut_off(shared, tmp_path):
    text = (shared / "data/squad_v1/dev_small.json").read_text(encoding="utf-8")
    for share in (0.1, 0.5, 0.99):
        with pytest.raises(CorpusError, match="the JSON is cut off"):
            read_squad(written(tmp_path, text[: int(share * len(text))]))


def test_a_number_is_an_id_and_a_title_may_be_null(tmp_path):
    data = json.loads(json.dumps(question("id", value=7)))
    data["data"][0]["title"] = None
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    first = next(iter_squad(path))
    assert (first.id, first.title) == ("7", "")
