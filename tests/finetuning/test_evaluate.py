"""What evaluation leaves: scores, a line an example, tables of where the model errs, and a plot."""

import json
from types import SimpleNamespace

import pytest
from echo import Characters, capitals, echo, squad

from minibert.course.widgets.error_analysis import ROWS, errors_figure
from minibert.course.widgets.view import figure_html
from minibert.finetuning.evaluate import check_threshold, evaluate_file, keep_threshold
from minibert.tasks.classification import Similarity
from minibert.tasks.error_analysis import (
    Table,
    answer_length,
    answer_type,
    confusion,
    entity_pairs,
    markdown,
    question_word,
)

QUESTIONS = [("Rome", "Rome"), ("sang in", "Eva"), ("Paris", ""), ("Eva", "Eva sang")]


def test_scores_are_the_metric_of_the_answers_and_best_thresholds_are_added(tmp_path):
    tuned = echo(unanswerable=True, threshold=9)  # answers everything, though it should not
    report = evaluate_file(tuned, squad(tmp_path / "dev.json", QUESTIONS))
    expected = {
        "exact match": 25,
        "F1": 100 * (1 + 2 / 3) / 4,
        "HasAns exact match": 100 / 3,
        "NoAns exact match": 0,
    }
    assert report.count == 4 and {name: report.scores[name] for name in expected} == pytest.approx(expected)
    assert report.scores["best exact match"] == 50 and report.scores["best F1 threshold"] == -2
    assert report.scores["best F1"] == pytest.approx(100 * (2 + 2 / 3) / 4)
    silent = evaluate_file(
        echo(unanswerable=True, threshold=-99), tmp_path / "dev.json"
    )  # leaves every question open
    assert silent.scores["F1"] == 25 and silent.scores["best F1"] == report.scores["best F1"]
    assert "best F1" not in evaluate_file(echo(), squad(tmp_path / "dev.json", QUESTIONS[:2])).scores


def test_the_best_threshold_can_be_kept_with_the_model(tmp_path):
    (tmp_path / "task.json").write_text(json.dumps({"task": "qa", "settings": {}}))
    path, tuned = squad(tmp_path / "dev.json", QUESTIONS), echo(unanswerable=True, threshold=9)
    report = evaluate_file(tuned, path)
    assert keep_threshold(tuned, report, tmp_path) == -2
    assert evaluate_file(tuned, path).scores["F1"] == pytest.approx(report.scores["best F1"])
    kept = json.loads((tmp_path / "task.json").read_text())
    assert kept == {"task": "qa", "settings": tuned.task.settings} and kept["settings"]["threshold"] == -2
    with pytest.raises(ValueError, match="answers every question, so it has no threshold to fit"):
        check_threshold(echo(), tmp_path)


def test_a_folder_gets_each_example_the_predictions_and_the_analysis(tmp_path):
    out = tmp_path / "deep" / "out"
    report = evaluate_file(echo(unanswerable=True), squad(tmp_path / "dev.json", QUESTIONS), out)
    assert {p.name for p in out.iterdir()} == {
        "predictions.json",
        "nbest.json",
        "null_odds.json",
        "examples.jsonl",
        "scores.json",
        "analysis.md",
    }
    lines = [json.loads(line) for line in (out / "examples.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["id"], line["answer"], line["exact match"]) for line in lines] == [
        ("q0", "Rome", 1),
        ("q1", "sang in", 0),
        ("q2", "", 1),
        ("q3", "Eva", 0),
    ]
    assert lines[2]["by length of the right answer"] == "no answer" and lines[0]["null odds"] == -2
    assert {line["id"]: line["answer"] for line in lines} == json.loads(
        (out / "predictions.json").read_text()
    )
    assert json.loads((out / "scores.json").read_text()) == {"examples": 4, **report.scores}
    assert (out / "analysis.md").read_text() == report.markdown and "## By question word" in report.markdown


def test_the_parts_of_a_table_add_up_to_the_whole(tmp_path):
    report = evaluate_file(echo(unanswerable=True), squad(tmp_path / "dev.json", QUESTIONS))
    for table in report.tables:
        assert sum(row[1] for row in table.rows) == 4
        assert sum(row[1] * row[3] for row in table.rows) / 4 == pytest.approx(report.scores["F1"])
    assert [row[0] for row in report.tables[1].rows] == ["1 word", "2 words", "no answer"]


def test_entities_are_counted_by_right_and_given_type(tmp_path):
    (tmp_path / "x.conll").write_text("Mira B-PER\nX B-PER\nleft O\n\nAsh B-LOC\nHouse I-LOC\n")
    report = evaluate_file(capitals(), tmp_path / "x.conll", tmp_path / "out")
    scores, taken = report.tables
    assert scores.head == ["type", "entities", "precision", "recall", "F1"]
    assert scores.rows == [["LOC", 1, 0, 0, 0], ["PER", 2, pytest.approx(100 / 3), 50, pytest.approx(40)]]
    assert taken.head == ["right entity", "LOC", "PER", "(none)"]
    assert taken.rows == [["LOC", 0, 0, 1], ["PER", 1, 1, 0], ["(none)", 0, 2, 0]]
    line = json.loads((tmp_path / "out" / "examples.jsonl").read_text().splitlines()[0])
    assert line["words"] == ["Mira", "X", "left"]
    assert line["answer"] == ["B-PER", "B-LOC", "O"]
    assert line["tags"][1] == "B-PER"
    assert (tmp_path / "out" / "predictions.txt").read_text().startswith("Mira B-PER B-PER\nX B-PER B-LOC\n")


@pytest.mark.parametrize("text", ["", '{"data": []}'])
def test_a_file_that_cannot_be_read_leaves_no_folder(tmp_path, text):
    (tmp_path / "dev.json").write_text(text)
    with pytest.raises(ValueError, match=r"dev\.json: the file (is empty|has no questions)"):
        evaluate_file(echo(), tmp_path / "dev.json", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "question, word",
    [
        ("Who sang?", "who"),
        ("Whose is it?", "who"),
        ("In what year?", "what"),
        ("What’s it?", "what"),
        ("How many?", "how"),
        ("Is it so?", "other"),
        ("", "other"),
        ("WHERE", "where"),
    ],
)
def test_questions_by_their_first_question_word(question, word):
    assert question_word(question) == word


@pytest.mark.parametrize(
    "answer, length, kind",
    [
        ("", "no answer", "no answer"),
        ("1912", "1 word", "date"),
        ("the 5th of May", "3 to 5 words", "date"),
        ("three", "1 word", "number"),
        ("$5", "1 word", "number"),
        ("may", "1 word", "phrase"),
        ("??", "1 word", "phrase"),
        ("University of Ashby", "3 to 5 words", "name"),
        ("a b c d e f", "6 to 10 words", "phrase"),
        ("东京", "1 word", "phrase"),
        (" ".join("x" * 11), "more than 10 words", "phrase"),
    ],
)
def test_answers_by_length_and_type(answer, length, kind):
    assert (answer_length(answer), answer_type(answer)) == (length, kind)


def test_an_entity_with_other_words_counts_on_both_sides():
    assert entity_pairs({("A", 0, 1)}, {("A", 0, 0)}) == [("(none)", "A"), ("A", "(none)")]


def test_markdown_is_aligned_and_keeps_bars_inside_cells():
    table = confusion([("a|b", "a|b"), ("a|b", "c")])
    lines = markdown([table]).splitlines()
    assert len({len(line) for line in lines[1:]}) == 1 and "a\\|b" in lines[1]
    assert markdown([Table("t", ["k", "F1"], [["x", 2.25]])]).splitlines()[-1].split() == [
        "|",
        "x",
        "|",
        "2.2",
        "|",
    ]


def test_the_plot_says_in_words_what_it_shows():
    bars = Table("By size", ["size", "questions", "F1"], [["small", 3, 50.0], ["large", 1, 100.0]])
    fig, alt = errors_figure(
        [bars, confusion([("a", "b"), ("a", "a"), ("b", "b"), ("a", "b")])], "Where it errs"
    )
    assert "small (3) 50, large (1) 100" in alt
    assert "2 of 4 are right; the most frequent errors are a as b 2 times" in alt
    assert len(fig.axes) == 2 and [text.get_text() for text in fig.axes[1].texts] == ["1", "2", "0", "1"]
    assert errors_figure([confusion([("a", "a")])], "t")[1].endswith("1 of 1 are right; none are wrong.")
    with pytest.raises(ValueError, match="there are no tables to draw"):
        errors_figure([], "t")


def test_dollar_signs_and_broken_names_are_drawn_as_they_are():
    labels = ["under $10", "$10-$20", r"$\frac$"]
    drawing = errors_figure([confusion([(label, label) for label in labels])], "Errors on $x_$\udcff.tsv")
    svg = figure_html(*drawing)
    assert all(f">{label}<" in svg for label in labels) and ">Errors on $x_$?.tsv<" in svg


def test_of_many_labels_the_most_frequent_are_drawn():
    pairs = [(str(i), str(i)) for i in range(ROWS + 5) for _ in range(i + 1)]
    fig, alt = errors_figure([confusion([*pairs, ("16", "0"), ("0", "16")])], "t")
    assert sorted(int(label.get_text()) for label in fig.axes[0].get_yticklabels()) == list(
        range(5, ROWS + 5)
    )
    assert f"the {ROWS} most frequent of {ROWS + 5} labels" in fig.axes[0].get_title()
    assert f"{len(pairs)} of {len(pairs) + 2} are right" in alt and "16 as 0 1 times" in alt, (
        "what is said is of all"
    )


def test_scores_in_numbers_are_rounded_to_see_which_are_taken_for_which():
    examples = [SimpleNamespace(label=label) for label in (4.6, 0.2, 5.0)]
    (table,) = Similarity(Characters(), 9, 2.5, 1).errors(examples, [3.2, 0.4, 4.8])
    assert table.rows == [["0", 1, 0, 0], ["3", 0, 0, 0], ["5", 0, 1, 1]]
