"""The scores of SQuAD's official script over all questions, and the threshold for unanswerable questions.

Rajpurkar et al. (2018, arXiv 1806.03822), version 2.0.
"""

from collections.abc import Sequence

import numpy as np

from ..readers.squad import QAExample
from .answers import exact_match_and_f1, normalize_answer

__all__ = ["best_threshold", "exact_match_and_f1", "gold_answers", "mean_scores", "normalize_answer"]


def gold_answers(example: QAExample) -> list[str]:
    """Return the reference answers that are not empty after normalisation, or [""] if there are none."""
    return [text for text, _ in example.answers if normalize_answer(text)] or [""]


def mean_scores(scores: Sequence[tuple[float, float]], answerable: Sequence[bool]) -> dict[str, float]:
    """Return mean scores in percent, by name.

    scores: (exact match, F1) of each question, 0 to 1. answerable: whether each question has an answer. If
    some have none (version 2.0), the scores of both groups are added, under the official script's names.
    Raises ValueError if there are no questions.

    >>> mean_scores([(1.0, 1.0), (0.0, 0.5)], [True, True])
    {'exact match': 50.0, 'F1': 75.0}
    """
    if not len(scores):
        raise ValueError("there are no questions to score")
    table, has_answer = np.array(scores, float), np.array(answerable, bool)  # (N, 2), (N,)
    parts = {"": np.ones(len(scores), bool)}
    if not has_answer.all():
        parts |= {"HasAns ": has_answer, "NoAns ": ~has_answer}
    return {
        part + name: float(table[chosen, column].mean() * 100)
        for part, chosen in parts.items()
        if chosen.any()
        for column, name in enumerate(("exact match", "F1"))
    }


def best_threshold(
    scores: Sequence[float], answerable: Sequence[bool], null_odds: Sequence[float]
) -> tuple[float, float]:
    """Return (best mean score in percent, threshold); questions with null odds up to it are answered.

    scores: (N,), 0 to 1, of the best non-empty answers. answerable: (N,) bool, whether a question has an
    answer. null_odds: (N,), the score of "no answer" minus that of the best answer. A question left
    unanswered scores 1 if it has no answer, else 0. Of equally good thresholds the lowest is returned; if it
    is best to answer nothing, it is 1 below all odds. Raises ValueError if there are no questions.

    >>> best_threshold([1.0, 0.5, 0.0], [True, True, False], [-3.0, 1.0, 2.0])
    (83.33333333333333, 1.0)
    """
    if not len(scores):
        raise ValueError("there are no questions to find a threshold for")
    gain, unanswerable = np.array(scores, float), ~np.array(answerable, bool)  # (N,)
    ranks = np.argsort(null_odds, kind="stable")
    odds = np.array(null_odds, float)[ranks]
    odds = np.concatenate([[odds[0] - 1], odds])  # (N + 1,)
    gains = np.cumsum((gain - unanswerable)[ranks])
    totals = unanswerable.sum() + np.concatenate([[0.0], gains])  # total if 0, 1, .. N are answered
    totals[:-1][odds[:-1] == odds[1:]] = -np.inf  # no threshold separates equal odds
    best = int(totals.argmax())
    return 100 * float(totals[best]) / len(scores), float(odds[best])
