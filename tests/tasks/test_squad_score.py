"""Exact match, F1 and the threshold for \"no answer\", as SQuAD's official scripts."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minibert.readers.squad import iter_squad
from minibert.tasks.squad_score import (
    best_threshold,
    exact_match_and_f1,
    gold_answers,
    mean_scores,
    normalize_answer,
)


@pytest.mark.parametrize(
    "answer, gold, scores",
    [
        ("the Cat!", ["cat"], (1, 1)),
        ("", [""], (1, 1)),
        ("cat", [""], (0, 0)),
        ("a b", ["b c"], (0, 2 / 3)),
        ("x", ["y", "x"], (1, 1)),
    ],
)
def test_scores_by_hand(answer, gold, scores):
    assert exact_match_and_f1(answer, gold) == pytest.approx(scores)


def test_articles_inside_words_stay():
    assert normalize_answer("The theatre, an anthem") == "theatre anthem"


@pytest.mark.parametrize(
    "name", ["BERT_ensemble_Google_AI_Language", "Logistic_Regression_Baseline_Stanford_University"]
)
def test_scores_equal_the_official_script(shared, name):
    examples, answers, expected = parts(shared, name, "v1.1")
    found = [
        exact_match_and_f1(answer, [text for text, _ in example.answers])
        for example, answer in zip(examples, answers)
    ]
    # a question without an answer scores 0
    scores = 100 * np.sum(found, axis=0) / len(list(iter_squad(shared / "data/squad_v1/dev_small.json")))
    assert scores == pytest.approx((expected["exact_match"], expected["f1"]), abs=1e-9)


def parts(shared, name, version):
    """The questions that a published system answered, its answers, and the official script's scores."""
    folder, data = shared / "golden" / "squad_eval", f"data/squad_{version[:2]}/dev_small.json"
    predictions = json.loads((folder / f"shared_{version}_{name}.predictions.json").read_text())
    expected = json.loads((folder / "expected_scores.json").read_text())[f"{version}_{name}"][data]
    examples = [example for example in iter_squad(shared / data) if example.id in predictions]
    return examples, [predictions[example.id] for example in examples], expected


def test_scores_of_version_2_and_of_its_parts_equal_the_official_script(shared):
    examples, answers, expected = parts(shared, "BERT_single_model_Google_AI_Language", "v2.0")
    assert len(examples) == expected["total"]
    scores = mean_scores(
        [exact_match_and_f1(answer, gold_answers(example)) for example, answer in zip(examples, answers)],
        [bool(example.answers) for example in examples],
    )
    for ours, official in (("", ""), ("HasAns ", "HasAns_"), ("NoAns ", "NoAns_")):
        assert scores[f"{ours}exact match"] == pytest.approx(expected[f"{official}exact"], abs=1e-9)
        assert scores[f"{ours}F1"] == pytest.approx(expected[f"{official}f1"], abs=1e-9)
    assert sum(bool(example.answers) for example in examples) == expected["HasAns_total"]


def test_an_answer_of_articles_and_signs_alone_counts_as_none():
    class Question:
        answers = [("The", 0), ("!", 4)]

    assert gold_answers(Question) == [""]
    Question.answers = [("The", 0), ("cat", 4)]
    assert gold_answers(Question) == ["cat"]


def test_parts_are_named_only_where_some_questions_have_no_answer():
    assert set(mean_scores([(1, 1)], [True])) == {"exact match", "F1"}
    assert set(mean_scores([(1, 1)], [False])) == {"exact match", "F1", "NoAns exact match", "NoAns F1"}
    with pytest.raises(ValueError, match="there are no questions to score"):
        mean_scores([], [])


def score_at(threshold, scores, answerable, odds):
    """The definition: the mean score when questions with higher odds stay unanswered."""
    return 100 * np.mean(
        [score if odd <= threshold else float(not has) for score, has, odd in zip(scores, answerable, odds)]
    )


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.booleans(), st.integers(-3, 3)),
        min_size=1,
        max_size=12,
    )
)
def test_the_threshold_gives_its_score_and_none_is_better(questions):
    scores, answerable, odds = zip(*[(score if has else 0.0, has, odd) for score, has, odd in questions])
    best, threshold = best_threshold(scores, answerable, odds)
    assert score_at(threshold, scores, answerable, odds) == pytest.approx(best)
    every = [score_at(t, scores, answerable, odds) for t in (min(odds) - 1, *odds)]
    assert best == pytest.approx(max(every))
    assert all(score_at(t, scores, answerable, odds) < best + 1e-9 for t in range(-5, 5))


def official_threshold(scores, answerable, odds):
    """The walk of the official script over the questions in the order of their odds, one at a time."""
    now = best = sum(not has for has in answerable)
    threshold = 0.0
    for i in sorted(range(len(odds)), key=lambda i: odds[i]):
        now += scores[i] if answerable[i] else -1
        if now > best:
            best, threshold = now, odds[i]
    return 100 * best / len(scores), threshold


@given(
    st.permutations(range(9)),
    *(st.lists(kind, min_size=9, max_size=9) for kind in (st.floats(0, 1), st.booleans())),
)
def test_the_best_score_is_the_official_one_and_so_is_the_threshold_where_something_is_answered(
    odds, scores, answerable
):
    scores = [score if has else 0.0 for score, has in zip(scores, answerable)]
    best, threshold = best_threshold(scores, answerable, odds)
    expected, official = official_threshold(scores, answerable, odds)
    assert best == pytest.approx(expected, abs=1e-9)
    if threshold not in (-1, official):
        assert score_at(official, scores, answerable, odds) == pytest.approx(best, abs=1e-9)


def test_no_question_has_no_threshold():
    with pytest.raises(ValueError, match="there are no questions to find a threshold for"):
        best_threshold([], [], [])
