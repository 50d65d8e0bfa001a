"""Correct and wrong versions of `best_span`, which the student's test must tell apart."""

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
    Version("one written with two loops", search),
    Version("one that sorts all allowed spans", by_sorting),
    Version("one with a matrix of all pairs, whose score is a NumPy number", by_matrix),
)
WRONG = (
    Version("takes the best start and the best end separately", slip("Together they may not form")),
    Version("takes the best start, and then the best end after it", slip("then the best end after it")),
    Version("ignores `longest`", edited(search, "start + longest => T")),
    Version("allows one token more than `longest`", slip("one token too many")),
    Version("never answers with a single token", slip("start = end is allowed")),
    Version("finds nothing better than a score of 0", slip("spans with a negative score are never")),
    Version("returns half the score", slip("the mean of the two")),
)
MORE = (
    Version("takes the best end, and then the best start before it", slip("then the best start before it")),
    Version("allows one token less than `longest`", slip("one token too few")),
    Version("allows the end to come before the start", slip("the end may come before")),
    Version("returns the last of several spans with the same score", slip("you keep the last span")),
    Version("multiplies the two scores", slip("would give a large positive product")),
)
