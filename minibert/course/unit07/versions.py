"""Versions of `best_span`, right and wrong, that the student's test has to tell apart."""

from functools import partial

import numpy as np

from ..checks.edits import edited, named
from ..checks.student_tests import Version
from .span_mistakes import SPANS, search

slip = partial(named, SPANS)


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
    Version("written with two loops", search),
    Version("which sorts all legal spans", by_sorting),
    Version("with a matrix of all pairs, whose score is NumPy's kind of number", by_matrix),
)
WRONG = (
    Version("takes the best start and the best end, each by itself", slip("take the best start and the")),
    Version("takes the best start, and then the best end after it", slip("then the best end after it")),
    Version("ignores `longest`", edited(search, "start + longest => T")),
    Version("allows one piece more than `longest`", slip("one piece too long")),
    Version("never answers with a single piece", slip("start = end is allowed")),
    Version("finds nothing better than a score of 0", slip("spans with a negative score are never")),
    Version("returns half the score", slip("the mean of the two")),
)
MORE = (
    Version("takes the best end, and then the best start before it", slip("then the best start before it")),
    Version("allows one piece less than `longest`", slip("one piece too short")),
    Version("lets the end stand before the start", slip("the end may come before")),
    Version("multiplies the two scores", slip("would give a large positive product")),
)
