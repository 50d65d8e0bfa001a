"""Right and wrong versions of `combined`, which the student's test must tell apart.

Cormack et al. (2009, SIGIR), reciprocal rank fusion. Axes: N texts.
"""

from functools import partial

import numpy as np

from ..checks.edits import edited
from ..checks.student_tests import Version


def combined(first: np.ndarray, second: np.ndarray, constant: float) -> np.ndarray:
    """Return the sum of 1 / (constant + rank) for both scores (N,), where the highest has rank 1."""
    total = np.zeros(len(first))
    for scores in (first, second):
        order = np.argsort(-scores)
        ranks = np.empty(len(scores))
        ranks[order] = np.arange(len(scores)) + 1
        total = total + 1 / (constant + ranks)
    return total


def by_counting(first: np.ndarray, second: np.ndarray, constant: float) -> np.ndarray:
    ranks = [(scores[None, :] > scores[:, None]).sum(1) + 1 for scores in (first, second)]  # (N,) each
    return 1 / (constant + ranks[0]) + 1 / (constant + ranks[1])


def by_sorting_twice(first: np.ndarray, second: np.ndarray, constant: float) -> np.ndarray:
    both = np.stack([first, second])  # (2, N)
    return (1 / (constant + 1 + (-both).argsort(1).argsort(1))).sum(0)


def one_by_one(first: np.ndarray, second: np.ndarray, constant: float) -> np.ndarray:
    total = np.zeros(len(first), np.float32)
    for scores in (first, second):
        for place, text in enumerate(sorted(range(len(scores)), key=lambda n: -scores[n])):
            total[text] += 1 / (constant + place + 1)
    return total


def sorted_in_place(first: np.ndarray, second: np.ndarray, constant: float) -> np.ndarray:
    """Return the right sums, but sort the arguments."""
    result = combined(first, second, constant)
    first.sort()
    second.sort()
    return result


RIGHT = (
    Version("one that counts the higher scores", by_counting),
    Version("one that sorts twice", by_sorting_twice),
    Version("one that goes from text to text, in float32", one_by_one),
)
slip = partial(edited, combined)
WRONG = (
    Version("gives rank 1 to the lowest score", slip("argsort(-scores) => argsort(scores)")),
    Version("counts ranks from 0", slip("np.arange(len(scores)) + 1 => np.arange(len(scores))")),
    Version("ignores `second`", slip("(first, second): => (first, first):")),
    Version("ignores `constant`", slip("(constant + ranks) => (60 + ranks)")),
    Version("adds the scores themselves", slip("1 / (constant + ranks) => scores")),
    Version("subtracts the constant from the rank", slip("constant + ranks => ranks - constant")),
    Version(
        "takes the order of the texts for their ranks",
        slip("ranks[order] = np.arange(len(scores)) + 1 => ranks = order + 1"),
    ),
)
MORE = (
    Version("ignores `first`", slip("(first, second): => (second, second):")),
    Version("takes the mean of both instead of the sum", slip("return total => return total / 2")),
    Version(
        "takes the better rank of both",
        slip("total + 1 / (constant + ranks) => np.maximum(total, 1 / (constant + ranks))"),
    ),
    Version(
        "adds the ranks, so the best text has the lowest number", slip("1 / (constant + ranks) => ranks")
    ),
    Version("leaves out `constant`", slip("(constant + ranks) => ranks")),
    Version("sorts the result", slip("return total => return np.sort(total)[::-1]")),
    Version("returns the texts' numbers, best first", slip("return total => return np.argsort(-total)")),
    Version("changes its inputs in place", sorted_in_place),
)
