"""Scores equal to the reference programs', and what they are where they are not defined."""

import json
import math
import warnings

import pytest

from minibert.tasks import metrics


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture(scope="module")
def golden(shared):
    return json.loads((shared / "golden/metrics/classification_metrics.json").read_text())


SCORES = {
    "accuracy": metrics.accuracy,
    "f1_macro": metrics.macro_f1,
    "mcc": metrics.matthews,
    "pearson": metrics.pearson,
    "spearman": metrics.spearman,
    "f1_positive": lambda gold, pred: metrics.f1(gold, pred, positive=1),
}


def test_every_score_equals_the_reference(golden):
    held = set()
    for name, case in golden.items():
        for key, score in SCORES.items():
            if case.get(key) is not None:
                assert score(case["gold"], case["pred"]) == pytest.approx(case[key], abs=1e-9), (name, key)
                held.add(key)
    assert held == set(SCORES)


@pytest.mark.parametrize("key", ["accuracy", "f1_macro", "mcc"])
def test_labels_may_be_words(golden, key):
    case, words = golden["three_classes"], ["entailment", "neutral", "contradiction"]
    score = SCORES[key]([words[i] for i in case["gold"]], [words[i] for i in case["pred"]])
    assert score == pytest.approx(case[key], abs=1e-9)


@pytest.mark.parametrize(
    "gold, answers",
    [(["1", "0", "1"], ["1", "1", "1"]), (["1", "1", "1"], ["0", "1", "1"]), (["1", "1"], ["1", "1"])],
)
def test_matthews_of_a_constant_is_nought(gold, answers):
    assert metrics.matthews(gold, answers) == 0


@pytest.mark.parametrize("score", [metrics.pearson, metrics.spearman])
def test_a_correlation_with_a_constant_is_nought_and_of_numbers_only(score):
    assert score([1.0, 2.0, 4.0], [3.3, 3.3, 3.3]) == 0
    assert score([3.3, 3.3], [1.0, 2.0]) == score([1.0], [2.0]) == 0
    assert score([1.0, 2.0, 4.0], [1e9, 1e9 + 1e-6, 1e9 + 2e-6]) > 0.9  # nearly constant
    with pytest.raises(ValueError, match="answer 1 is nan, but a correlation needs finite numbers"):
        score([1.0, 2.0], [1.0, math.nan])
    with pytest.raises(ValueError, match="label 0 is inf, but"):
        score([math.inf, 2.0], [1.0, math.nan])


def test_spearman_asks_for_the_order_alone_and_pearson_for_a_line():
    assert metrics.spearman([1, 2, 3, 3], [5, 6, 700, 700]) == pytest.approx(1)
    assert metrics.pearson([1, 2, 3], [5, 6, 700]) < 0.9
    assert [
        metrics.pearson([1, 2, 3], [-1, -3, -5]),
        metrics.spearman([1, 2, 3], [9, 8, 0]),
    ] == pytest.approx([-1, -1])
    assert metrics.pearson([1, 2, 3, 4], [1, 1, 4, 2]) == pytest.approx(3 / math.sqrt(5 * 6))


@pytest.mark.parametrize(
    "gold, answers, expected",
    [("001", "000", 0), ("000", "001", 0), ("000", "000", 0), ("111", "111", 1), ("1100", "1011", 0.4)],
)
def test_f1_is_that_of_one_label_and_nought_where_it_never_stands(gold, answers, expected):
    assert metrics.f1(list(gold), list(answers), positive="1") == pytest.approx(expected)


def test_macro_f1_counts_rare_labels_as_much_as_frequent_ones():
    gold, answers = ["a"] * 9 + ["b"], ["a"] * 10
    assert metrics.macro_f1(gold, answers) == pytest.approx((18 / 19 + 0) / 2)


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_lists_that_do_not_fit_are_refused(score):
    with pytest.raises(ValueError, match="2 answers for 3 examples"):
        score([1, 0, 1], [1, 0])
    with pytest.raises(ValueError, match="there are no examples to score"):
        score([], [])
