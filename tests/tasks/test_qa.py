"""Questions to rows, logits to spans of the original text, scores as SQuAD's."""
import json
from dataclasses import dataclass, field

import numpy as np
import pytest

from minibert.batch import Specials
from minibert.tasks.qa import QA, best_span, exact_match_and_f1, normalize_answer, windows


@dataclass
class Example:
    question: str
    context: str
    answers: list = field(default_factory=list)


class Characters:
    """A tokenizer whose pieces are the characters."""

    specials = Specials()

    def encode(self, text):
        return type("Encoding", (), {"ids": [5 + ord(c) % 90 for c in text], "offsets": [(i, i + 1) for i in range(len(text))]})


def example(context="the cat sat on the mat by the door", answer="on the mat"):
    return Example("where?", context, [(answer, context.index(answer))])


def perfect_logits(rows, labels):
    """Logits that point at the labels, rows without an answer flat."""
    logits = []
    for (a, b), (start, end) in zip(rows, labels):
        row = np.zeros((len(a) + len(b) + 3, 2))
        if start:
            row[start, 0] = row[end, 1] = 5
        logits.append(row)
    return logits


@pytest.mark.parametrize("max_length", [64, 40, 31])
def test_encode_then_decode_finds_the_answer_also_over_windows(max_length):
    task, examples = QA(Characters(), max_length), [example(), example(answer="door"), example(answer="the cat")]
    rows, labels, origins = task.encode(examples)
    assert all(len(a) + len(b) + 3 <= max_length for a, b in rows)
    answers = task.decode(examples, origins, perfect_logits(rows, labels))
    assert answers == [e.answers[0][0] for e in examples]
    assert task.metric(examples, answers) == {"exact match": 100, "F1": 100}


def test_a_window_without_the_answer_is_labelled_cls():
    rows, labels, _ = QA(Characters(), 23).encode([example(answer="door")])
    assert (0, 0) in labels and any(start > 0 for start, _ in labels)


def test_a_question_that_fills_the_row_is_an_error():
    with pytest.raises(ValueError, match="max_length=10 leaves no room beside a question of 20 pieces"):
        QA(Characters(), 10).encode([Example("x" * 20, "abc")])


@pytest.mark.parametrize("length, room", [(1, 5), (5, 5), (6, 5), (23, 5), (24, 6), (7, 2)])
def test_windows_cover_every_piece_and_overlap(length, room):
    starts = windows(length, room)
    assert set(range(length)) <= {i for s in starts for i in range(s, s + room)}
    assert len(set(starts)) == len(starts) and all(s + room <= max(length, room) for s in starts)


def test_best_span_is_the_best_of_all_legal_spans():
    rng = np.random.default_rng(0)
    for _ in range(50):
        start, end = rng.normal(size=(2, 12))
        legal = [(start[i] + end[j], i, j) for i in range(12) for j in range(i, min(12, i + 4))]
        assert best_span(start, end, longest=4)[:2] == max(legal)[1:]


def test_ends_before_starts_are_never_chosen():
    assert best_span(np.array([0, 9.0]), np.array([9.0, 0]))[:2] in ((0, 0), (1, 1))


@pytest.mark.parametrize("answer, gold, scores", [("the Cat!", ["cat"], (1, 1)), ("", [""], (1, 1)), ("cat", [""], (0, 0)),
                                                  ("a b", ["b c"], (0, 2 / 3)), ("x", ["y", "x"], (1, 1))])
def test_scores_by_hand(answer, gold, scores):
    assert exact_match_and_f1(answer, gold) == pytest.approx(scores)


def test_articles_inside_words_stay():
    assert normalize_answer("The theatre, an anthem") == "theatre anthem"


@pytest.mark.parametrize("name", ["BERT_ensemble_Google_AI_Language", "Logistic_Regression_Baseline_Stanford_University"])
def test_scores_equal_the_official_script(shared, name):
    folder = shared / "golden" / "squad_eval"
    predictions = json.loads((folder / f"shared_v1.1_{name}.predictions.json").read_text())
    expected = json.loads((folder / "expected_scores.json").read_text())[f"v1.1_{name}"]["data/squad_v1/dev_small.json"]
    questions = [q for article in json.loads((shared / "data/squad_v1/dev_small.json").read_text())["data"]
                 for p in article["paragraphs"] for q in p["qas"]]
    scores = np.mean([exact_match_and_f1(predictions[q["id"]], [a["text"] for a in q["answers"]]) if q["id"] in predictions
                      else (0, 0) for q in questions], axis=0) * 100
    assert scores == pytest.approx((expected["exact_match"], expected["f1"]), abs=1e-9)
