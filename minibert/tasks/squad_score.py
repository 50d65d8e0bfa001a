"""Exact match and F1 as SQuAD's official scripts compute them, and the threshold below which a question is
left unanswered.

Rajpurkar et al. (2016, arXiv 1606.05250), section 6.1, and the evaluation script of version 2.0 (Rajpurkar et
al., 2018, arXiv 1806.03822). The two scripts differ where nothing is left of an answer after normalisation;
here as in the second.
"""
import numpy as np

from ..reference.answers import exact_match_and_f1, normalize_answer

__all__ = ["best_threshold", "exact_match_and_f1", "gold_answers", "mean_scores", "normalize_answer"]


def gold_answers(example):
    """The reference answers of an example; [""] for a question that has none, or none with a word in it."""
    return [text for text, _ in example.answers if normalize_answer(text)] or [""]


def mean_scores(scores, answerable):
    """Percentages by name, from one (exact match, F1) per question and whether it has an answer.

    Where some have none (version 2.0), each part is given, too, under the official script's names. Raises
    ValueError for no question.

    >>> mean_scores([(1.0, 1.0), (0.0, 0.5)], [True, True])
    {'exact match': 50.0, 'F1': 75.0}
    """
    if not len(scores):
        raise ValueError("0 questions to score")
    scores, answerable = np.array(scores, float), np.array(answerable, bool)
    parts = {"": np.ones(len(scores), bool)}
    if not answerable.all():
        parts |= {"HasAns ": answerable, "NoAns ": ~answerable}
    return {part + name: float(scores[chosen, column].mean() * 100) for part, chosen in parts.items()
            if chosen.any()
            for column, name in enumerate(("exact match", "F1"))}


def best_threshold(scores, answerable, null_odds):
    """(best mean score in percent, threshold): a question is answered where its null odds are at most the
    threshold.

    scores (N,): 0 to 1, of the best answer that says something; answerable (N,) bool; null_odds (N,). An
    unanswered question scores 1 if it has no answer, else 0. Of equally good thresholds, the lowest. The best
    score is the official script's best_f1 (or best_exact); unlike its threshold, this one gives that score
    also where odds are equal, and where it is best to answer nothing: then it lies 1 below all odds. Raises
    ValueError for no question.

    >>> best_threshold([1.0, 0.5, 0.0], [True, True, False], [-3.0, 1.0, 2.0])
    (83.33333333333333, 1.0)
    """
    if not len(scores):
        raise ValueError("0 questions to find a threshold for")
    scores, unanswerable, null_odds = np.array(scores, float), ~np.array(answerable,
                                                                         bool), np.array(null_odds, float)
    ranks = np.argsort(null_odds, kind="stable")
    odds = np.concatenate([[null_odds.min() - 1], null_odds[ranks]])
    totals = unanswerable.sum() + np.concatenate(
        [[0.0], np.cumsum((scores - unanswerable)[ranks])])     # of answering 0, 1, .. N
    totals[:-1][odds[:-1] == odds[1:]] = -np.inf                    # no threshold parts equal odds
    best = int(totals.argmax())
    return 100 * float(totals[best]) / len(scores), float(odds[best])
