"""What a fine-tuned model returns in Python: for lists, with probabilities, and in one line about itself."""

import json
import math

import pytest
from echo import echo, squad
from small_task import EXAMPLES, TOKENIZER, small_encoder

import minibert
from minibert.finetuning.run import finetune
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.readers.conll import Sentence
from minibert.readers.glue import TextExample
from minibert.readers.multiple_choice import ChoiceExample
from minibert.tasks.records import NamedEntity


def tuned(task, examples, **options):
    """A model that has learnt the small task."""
    options = {"steps": 30, "peak_rate": 3e-3, "progress": False} | options
    return finetune(task, small_encoder(), TOKENIZER, examples, **options)[0]


@pytest.fixture(scope="module")
def sentiment():
    return tuned("sst2", EXAMPLES)


TAGGED = [
    Sentence("the film was fine".split(), ["O", "B-X", "O", "B-Y"], 1),
    Sentence("a film is dull".split(), ["O", "B-X", "O", "O"], 1),
    Sentence("it was lovely good".split(), ["O", "O", "B-Y", "I-Y"], 1),
]


def test_a_list_gives_a_list_and_a_single_text_belongs_to_each_of_the_others(sentiment):
    texts = ["it was awful", "the film is lovely", "it is dull"]
    assert sentiment.predict(texts) == [sentiment.predict(text) for text in texts] == ["0", "1", "0"]
    assert sentiment.predict(iter(texts[:1])) == ["0"] and sentiment.predict([]) == []
    qa = echo()
    context = "Eva sang in Rome."
    assert minibert.predict(qa, question=["Rome", "Eva"], context=context) == ["Rome", "Eva"]
    assert minibert.predict(qa, question="Rome", context=context) == "Rome"


def test_the_probabilities_of_labels_sum_to_1_and_the_predicted_one_comes_first(sentiment):
    found = sentiment.predict(["it was awful", "it was good"], probabilities=True)
    assert [list(table) for table in found] == [["0", "1"], ["1", "0"]]
    for table in found:
        assert sum(table.values()) == pytest.approx(1) and 0.5 < next(iter(table.values())) < 1
    (example,) = sentiment.examples({"text": "it was awful"})
    (logits,) = sentiment.task.logits(sentiment.model, sentiment.task.encode([example])[0])
    odds = math.log(found[0]["1"] / found[0]["0"])
    assert odds == pytest.approx(logits[1] - logits[0], rel=1e-3)
    assert sentiment.predict("it was awful", probabilities=True) == pytest.approx(found[0])


def test_an_entity_has_the_probability_of_all_its_tags():
    ner = tuned("ner", TAGGED, steps=60)
    found = ner.predict("it was lovely good", probabilities=True)
    assert found.keys() == {NamedEntity("lovely good", "Y", 7, 18)}
    assert list(found) == ner.predict("it was lovely good")
    (logits,) = ner.task.logits(ner.model, ner.task.encode(ner.examples({"text": "it was lovely good"}))[0])
    shares = [max(math.exp(x) for x in row) / sum(math.exp(x) for x in row) for row in logits]
    assert found[NamedEntity("lovely good", "Y", 7, 18)] == pytest.approx(shares[3] * shares[4])


def test_an_answer_has_its_probability_among_the_best(tmp_path):
    found = echo(unanswerable=True).predict(question="Rome", context="Eva sang in Rome.", probabilities=True)
    assert next(iter(found)) == "Rome" and "" in found and sum(found.values()) == pytest.approx(1)


def records(model, path, text):
    """The lines that `predict_file` writes, with probabilities, for a file of this text."""
    path.write_text(text)
    lines = path.with_suffix(".lines")
    assert model.predict_file(path, lines, probabilities=True) == len(lines.read_text().splitlines())
    return [json.loads(line) for line in lines.read_text().splitlines()]


def test_a_file_gets_the_probabilities_of_single_inputs_as_lines_of_json(sentiment, tmp_path):
    texts = ["it was awful", "the film is lovely"]
    table = "index\tsentence\n7\tit was awful\n8\tthe film is lovely\n"
    found = records(sentiment, tmp_path / "dev.tsv", table)
    assert [(one["id"], one["prediction"]) for one in found] == [("7", "0"), ("8", "1")]
    for one, text in zip(found, texts):
        assert one["probabilities"] == pytest.approx(sentiment.predict(text, probabilities=True))
    ner = tuned("ner", TAGGED, steps=60)
    (found,) = records(ner, tmp_path / "dev.conll", "it O\nwas O\nlovely O\ngood O\n")
    ((entity, share),) = ner.predict("it was lovely good", probabilities=True).items()
    assert found == {
        "text": "it was lovely good",
        "entities": [{**entity._asdict(), "probability": pytest.approx(share)}],
    }
    text = squad(tmp_path / "dev.json", [("Rome", "Rome"), ("Paris", "")]).read_text()
    found = records(echo(unanswerable=True), tmp_path / "dev.json", text)
    assert [one["prediction"] for one in found] == ["Rome", ""]
    assert found[0]["id"] == "q0" and next(iter(found[0]["probabilities"])) == "Rome"


def test_a_file_of_multiple_choice_gets_the_probability_of_each_option(tmp_path):
    rows = [ChoiceExample("it was", "", ["good", "bad"], label, ["0", "1"]) for label in (0, 1)]
    table = "sent1,sent2,ending0,ending1\nit was,a,good film,bad film\n"
    (found,) = records(tuned("swag", rows, steps=3), tmp_path / "dev.csv", table)
    shares = found["probabilities"]
    assert list(shares) == ["0", "1"] and sum(shares.values()) == pytest.approx(1)
    assert shares[found["prediction"]] == max(shares.values()) < 1


@pytest.mark.parametrize(
    "inputs, message",
    [
        ({"text": ["it", " "]}, "input 1: the text is empty"),
        ({"text": [float("nan")]}, "text 0: expected a text, not float: nan"),
        (
            {"text": ["it"], "text_pair": ["a", "b"]},
            "the same length, but there are 1 in text and 2 in text_pair",
        ),
        ({"text": ["it"], "text_pair": "a"}, "input 0: a model for sst2 needs text, but got text and"),
    ],
)
def test_wrong_inputs_are_named(sentiment, inputs, message):
    with pytest.raises(ValueError, match=message):
        sentiment.predict(**inputs)


def test_scores_have_no_probabilities(tmp_path):
    pairs = [TextExample("it is good", "it is fine", score, "0", 1) for score in (1.0, 4.0)]
    with pytest.raises(ValueError, match="the predictions of this task have no probabilities"):
        tuned("stsb", pairs, steps=1).predict("it", text_pair="is", probabilities=True)
    (tmp_path / "dev.tsv").write_text("sentence1\tsentence2\nit\tis\n")
    with pytest.raises(ValueError, match="the predictions of this task have no probabilities"):
        tuned("stsb", pairs, steps=1).predict_file(tmp_path / "dev.tsv", tmp_path / "out", probabilities=True)
    assert not (tmp_path / "out").exists()


def test_truncated_examples_are_counted_once_for_each_file_and_each_call(tmp_path, capsys):
    table = tmp_path / "dev.tsv"
    table.write_text("sentence\tlabel\nit was a good film\t1\nit is bad\t0\nit was the film\t1\n")
    model = tuned("sst2", EXAMPLES, steps=1, max_length=5, dev=EXAMPLES[:4])
    assert capsys.readouterr().err == (
        "dev: 3 examples are longer than 5 tokens and were truncated\n"
        "train: 18 examples are longer than 5 tokens and were truncated\n"
    )
    one = "is longer than 5 tokens and was truncated\n"
    many = "2 examples are longer than 5 tokens and were truncated\n"
    minibert.evaluate(model, table)
    assert capsys.readouterr().err == f"{table}: {many}"
    model.predict_file(table, tmp_path / "out.txt")
    assert capsys.readouterr().err == f"{table}: {many}"
    model.predict(["it was a good film", "it"])
    assert capsys.readouterr().err == f"sst2: 1 example {one}"
    tuned("sst2", EXAMPLES, steps=1)
    assert capsys.readouterr().err == ""


def test_a_long_question_is_counted_and_a_long_passage_is_not(tmp_path, capsys):
    model = echo(longest_question=4)
    path = squad(tmp_path / "dev.json", [("Rome", "Rome")])
    minibert.evaluate(model, path)
    assert capsys.readouterr().err == ""
    model.predict(question="Rome or Paris", context="Eva sang in Rome. " * 30)
    assert capsys.readouterr().err == "qa: 1 question is longer than 4 tokens and was truncated\n"


def test_a_model_and_its_report_say_in_one_line_what_they_are(sentiment, tmp_path):
    table = tmp_path / "dev.tsv"
    table.write_text("sentence\tlabel\nit is good\t1\n")
    size = "BERT, 2 layers of 32"
    assert repr(sentiment) == f"Finetuned(sst2: {size}, 0.0M parameters, 2 labels)"
    assert repr(minibert.evaluate(sentiment, table)) == "Report(1 example: accuracy 100.0)"
    start = Pretrained(sentiment.model, TOKENIZER, name="small")
    assert repr(start) == f"Pretrained('small': {size}, 0.0M parameters, 17 tokens)"
