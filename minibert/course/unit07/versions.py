"""Versions of `best_span`, right and wrong, that the student's test has to tell apart."""

import numpy as np

from ..checks.student_tests import Version
from .span_mistakes import any_length, end_first, separate, span, start_first


def by_matrix(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    T = len(start_logits)
    legal = np.triu(np.ones((T, T), bool)) & np.tril(np.ones((T, T), bool), longest - 1)
    scores = np.where(legal, np.asarray(start_logits)[:, None] + np.asarray(end_logits)[None, :], -np.inf)
    start, end = divmod(int(scores.argmax()), T)
    return start, end, scores[start, end]


def by_sorting(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    found = [
        (-float(start_logits[i] + end_logits[j]), i, j)
        for i in range(len(start_logits))
        for j in range(i, min(i + longest, len(end_logits)))
    ]
    score, start, end = min(found)
    return start, end, -score


RIGHT = (
    Version("written with two loops", span()),
    Version("which sorts all legal spans", by_sorting),
    Version("with a matrix of all pairs, whose score is NumPy's kind of number", by_matrix),
)
WRONG = (
    Version("takes the best start and the best end, each by itself", separate),
    Version("takes the best start, and then the best end after it", start_first),
    Version("ignores `longest`", span(most=any_length)),
    Version("allows one piece more than `longest`", span(most=lambda n: n)),
    Version("never answers with a single piece", span(least=1)),
    Version("finds nothing better than a score of 0", span(first=0.0)),
    Version("returns half the score", span(score=lambda s, e: (s + e) / 2)),
)
MORE = (
    Version("takes the best end, and then the best start before it", end_first),
    Version("allows one piece less than `longest`", span(most=lambda n: n - 2)),
    Version("lets the end stand before the start", span(least=-(10**9))),
    Version("multiplies the two scores", span(score=lambda s, e: s * e)),
)
