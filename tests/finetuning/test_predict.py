"""Answers to a file in the official form, part by part, and what a person may ask."""

import json
import re
import tracemalloc
from types import SimpleNamespace

import pytest
from echo import Capitals, Characters, Echo, capitals, echo, squad

from minibert.data.batch import Specials
from minibert.finetuning import predict
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.predict import chunks, predict_file
from minibert.readers.conll import Sentence
from minibert.readers.squad import QAExample
from minibert.tasks.qa import CERTAIN


class Words:
    """A tokenizer whose pieces are words: long white space costs nothing but memory."""

    specials = Specials()

    def encode(self, text):
        words = [match.span() for match in re.finditer(r"\w+", text)]
        return SimpleNamespace(ids=[5 + end - start for start, end in words], offsets=words)


def blind():
    """A fine-tuned Echo that reads words."""
    return Finetuned("qa", Echo(Words(), 64), None)


QUESTIONS = [("Rome", "Rome"), ("slept", "slept"), ("Paris", ""), ("Eva", "Eva")]


def test_the_predictions_file_is_the_official_form(tmp_path):
    path = squad(tmp_path / "dev.json", QUESTIONS)
    assert predict_file(echo(unanswerable=True), path, tmp_path / "out.json") == 4
    text = (tmp_path / "out.json").read_text(encoding="utf-8")
    assert text == '{\n "q0": "Rome",\n "q1": "slept",\n "q2": "",\n "q3": "Eva"\n}\n'


def test_best_lists_and_null_odds_are_written_beside_it(tmp_path):
    path = squad(tmp_path / "dev.json", QUESTIONS)
    names = [tmp_path / name for name in ("out.json", "nbest.json", "odds.json")]
    predict_file(echo(unanswerable=True), path, *names)
    answers, best, odds = (json.loads(name.read_text(encoding="utf-8")) for name in names)
    assert odds == {"q0": -2, "q1": -2, "q2": 8, "q3": -2}
    assert set(best["q0"][0]) == {"text", "probability", "start_logit", "end_logit"}
    assert best["q0"][0]["text"] == "Rome" and best["q0"][1]["text"] == "" and best["q2"][0]["text"] == ""
    assert {id_: entries[0]["text"] for id_, entries in best.items()} == answers
    assert sum(entry["probability"] for entry in best["q0"]) == pytest.approx(1)


def test_standard_output_gets_the_answers_where_no_file_is_named(tmp_path, capsys):
    predict_file(echo(), squad(tmp_path / "dev.json", QUESTIONS[:2]))
    assert json.loads(capsys.readouterr().out) == {"q0": "Rome", "q1": "slept"}


def test_closed_standard_output_is_an_error(monkeypatch):
    monkeypatch.setattr(predict.sys, "stdout", None)  # as after `>&-`
    with predict.lazy_file(None) as write, pytest.raises(ValueError, match="output is closed; name a file"):
        write("an answer")


@pytest.mark.parametrize("at_once", [1, 3, 256])
def test_answers_do_not_depend_on_how_many_are_in_memory(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(predict, "chunks", lambda examples, together: chunks(examples, together, at_once))
    predict_file(echo(unanswerable=True), squad(tmp_path / "dev.json", QUESTIONS), tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == {
        "q0": "Rome",
        "q1": "slept",
        "q2": "",
        "q3": "Eva",
    }


def test_memory_grows_with_the_text_of_the_file_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(predict, "chunks", lambda examples, together: chunks(examples, together, at_once=9))
    context, peaks, sizes = "Eva sang in Rome. " + " " * 8000, [], []
    for count in (40, 400):
        path = squad(tmp_path / "dev.json", [("Rome", "Rome")] * count, context)
        tracemalloc.start()
        predict_file(blind(), path, tmp_path / "out.json")
        peaks.append(tracemalloc.get_traced_memory()[1])
        sizes.append(path.stat().st_size)
        tracemalloc.stop()
    grown = sizes[1] - sizes[0]
    assert grown > 2_500_000 and peaks[1] - peaks[0] < 2 * grown + 500_000  # JSON, and what it holds


def test_a_file_of_words_is_answered_part_by_part(tmp_path, monkeypatch):
    monkeypatch.setattr(predict, "chunks", lambda examples, together: chunks(examples, together, at_once=9))
    peaks = []
    for count in (4000, 12000):
        path = tmp_path / "dev.conll"
        path.write_text(f"-DOCSTART- O\n\n{'x' * 600} O\n\n" * count)
        tracemalloc.start()
        assert predict_file(capitals(), path, tmp_path / "out.conll") == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert path.stat().st_size > 7_000_000 and peaks[1] - peaks[0] < 500_000


def test_sentences_of_a_document_are_not_parted_where_they_are_read_together():
    pairs = [("a", 1), ("b", 1), ("c", 1), ("d", 2), ("e", None), ("f", None)]
    sentences = [Sentence([word], ["O"], 1, document) for word, document in pairs]
    for context, found in ((True, ["abc", "d", "e", "f"]), (False, list("abcdef"))):
        task = Capitals(Characters(), 64, ["O", "B-X"], document_context=context)
        assert [
            "".join(s.words[0] for s in chunk) for chunk in chunks(sentences, task.together, at_once=1)
        ] == found


def test_a_damaged_end_leaves_no_half_of_a_file(tmp_path):
    path = squad(tmp_path / "dev.json", QUESTIONS)
    path.write_text(path.read_text()[:-9])
    (tmp_path / "out.json").write_text("before")
    with pytest.raises(ValueError, match=r"dev\.json:1: column \d+: the JSON is cut off"):
        predict_file(echo(), path, tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text() == "before"
    assert {p.name for p in tmp_path.iterdir()} == {"dev.json", "out.json"}


def test_a_passage_that_is_empty_or_a_question_too_long_does_not_stop_the_run(tmp_path):
    path = tmp_path / "dev.json"
    qas = [{"id": "a", "question": "x" * 500}, {"id": "b", "question": ""}]
    paragraphs = [
        {"context": text, "qas": [{**qa, "id": qa["id"] + text} for qa in qas]} for text in ("", " ", "Eva")
    ]
    path.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}))
    out, odds = tmp_path / "out.json", tmp_path / "odds.json"
    assert predict_file(echo(unanswerable=True), path, out, null_odds=odds) == 6
    assert json.loads((tmp_path / "out.json").read_text())["a"] == ""
    assert json.loads((tmp_path / "odds.json").read_text())["a"] == CERTAIN


def test_entities_are_found_and_bracketed_in_the_text_as_it_was_written():
    shown = capitals().task.show(*capitals().ask(text="Mira  met\u00a0(Bo), in X!"))
    assert shown == "[Mira PER]  met\u00a0([Bo PER]), in [X LOC]!"
    assert capitals().predict("E\u0301va left") == [("E\u0301va", "PER", 0, 4)]


@pytest.mark.parametrize(
    "question, context, message",
    [
        (" ", "x", "the question is empty"),
        ("x", "\n", "the context is empty"),
        ("x\udce9", "x", "the question contains half of a surrogate"),
    ],
)
def test_what_cannot_be_read_is_named(question, context, message):
    with pytest.raises(ValueError, match=message):
        echo().predict(question=question, context=context)


@pytest.mark.parametrize("text", ["", "\u200b\x00"])
def test_a_text_without_words_is_named(text):
    with pytest.raises(ValueError, match="the text is empty"):
        capitals().predict(text)


def test_lists_of_best_answers_belong_to_question_answering(tmp_path):
    with pytest.raises(ValueError, match="exist only for question answering, not for ner"):
        predict_file(capitals(), tmp_path / "x", nbest=tmp_path / "y")


def test_a_passage_longer_than_the_limit_comes_alone():
    examples = [QAExample("", "", "x" * n, [], False, "") for n in (5, 99, 5, 5)]
    assert [[len(e.context) for e in chunk] for chunk in chunks(examples, at_once=9, characters=10)] == [
        [5],
        [99],
        [5, 5],
    ]
    assert [len(chunk) for chunk in chunks(examples, at_once=3, characters=1000)] == [3, 1]
