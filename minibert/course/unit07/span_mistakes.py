"""Known mistakes about `best_span`.

Devlin et al. (2019, arXiv 1810.04805), section 4.2: the largest start score + end score with start <= end. T:
positions.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.data import spans

from ..checks.exercise import Mistake, pairs


def span(
    least: int = 0,
    most: Callable = lambda longest: longest - 1,
    score: Callable = lambda s, e: s + e,
    first: float = -math.inf,
    better: Callable = lambda new, old: new > old,
    out: Callable = lambda start, end, value: (start, end, value),
    order: Callable = lambda T: range(T),
) -> Callable:
    """Build the search with some of its pieces replaced.

    least, most: of end - start; first: the score that it begins with.
    """

    def wrong(start_logits, end_logits, longest):
        best, T = (0, 0, first), len(start_logits)
        for i in order(T):
            for j in range(max(i + least, 0), min(T, i + most(longest) + 1)):
                value = float(score(start_logits[i], end_logits[j]))
                if better(value, best[2]):
                    best = i, j, value
        return out(*best)

    return wrong


def separate(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    start, end = int(np.argmax(start_logits)), int(np.argmax(end_logits))
    return start, end, float(start_logits[start] + end_logits[end])


def turned_round(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    start, end, score = separate(start_logits, end_logits, longest)
    return min(start, end), max(start, end), score


def start_first(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    start = int(np.argmax(start_logits))
    end = start + int(np.argmax(end_logits[start : start + longest]))
    return start, end, float(start_logits[start] + end_logits[end])


def end_first(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    end = int(np.argmax(end_logits))
    low = max(0, end - longest + 1)
    start = low + int(np.argmax(start_logits[low : end + 1]))
    return start, end, float(start_logits[start] + end_logits[end])


def of_probabilities(
    start_logits: np.ndarray, end_logits: np.ndarray, longest: int
) -> tuple[int, int, float]:
    start, end, _ = spans.best_span(start_logits, end_logits, longest)
    return start, end, float(reference.softmax(start_logits)[start] * reference.softmax(end_logits)[end])


def allowed(T: int, longest: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(T) for j in range(i, min(T, i + longest))]


def of_equals(key: Callable) -> Callable:
    """Build the search that chooses among spans of equal score by the smallest key(i, j)."""

    def wrong(start_logits, end_logits, longest):
        pairs = allowed(len(start_logits), longest)
        i, j = min(pairs, key=lambda pair: (-(start_logits[pair[0]] + end_logits[pair[1]]), key(*pair)))
        return i, j, float(start_logits[i] + end_logits[j])

    return wrong


def of_the_best(count: int) -> Callable:
    """Build the search among the `count` best starts and ends alone."""

    def wrong(start_logits, end_logits, longest):
        starts, ends = (np.argsort(-scores)[:count] for scores in (start_logits, end_logits))
        return max(
            (
                (int(i), int(j), float(start_logits[i] + end_logits[j]))
                for i in starts
                for j in ends
                if 0 <= j - i < longest
            ),
            key=lambda span: span[2],
            default=(0, 0, -math.inf),
        )

    return wrong


def until_worse(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    """The search that leaves a start at its first end that is not better."""
    best, T = (0, 0, -math.inf), len(start_logits)
    for i in range(T):
        for j in range(i, min(T, i + longest)):
            if start_logits[i] + end_logits[j] <= best[2]:
                break
            best = i, j, float(start_logits[i] + end_logits[j])
    return best


def summed(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    """The search with all scores of a span instead of those of its two ends."""
    both = np.asarray(start_logits) + end_logits
    return max(
        ((i, j, float(both[i : j + 1].sum())) for i, j in allowed(len(both), longest)),
        key=lambda span: span[2],
    )


def any_length(longest: int) -> int:
    return 10**9


SPANS = (
    Mistake(
        "you take the best start and the best end, each by itself. Together they may not form a span: "
        "the end before the start, or too far after it. Search the pairs.",
        separate,
    ),
    Mistake(
        "best start and best end are taken each by itself, and swapped where they are the wrong way "
        "round: then a start score is that of an end. Search the pairs.",
        turned_round,
    ),
    Mistake(
        "you take the best start, then the best end after it. A start a little worse may have a far "
        "better end: search all pairs.",
        start_first,
    ),
    Mistake(
        "you take the best end, then the best start before it. An end a little worse may have a far "
        "better start: search all pairs.",
        end_first,
    ),
    Mistake("the end may stand before the start. Try only start <= end.", span(least=-(10**9))),
    Mistake("an answer of one piece is left out. start = end is allowed.", span(least=1)),
    Mistake("`longest` is ignored.", span(most=any_length)),
    Mistake(
        "one piece too long: from start to end, both counted, there are end - start + 1 pieces.",
        span(most=lambda n: n),
    ),
    Mistake("one piece too short: end - start may be longest - 1.", span(most=lambda n: n - 2)),
    Mistake(
        "scores are multiplied; add them. Two large negative scores would give a large positive product.",
        span(score=lambda s, e: s * e),
    ),
    Mistake("the end does not count: score = start score + end score.", span(score=lambda s, e: s)),
    Mistake("the start does not count: score = start score + end score.", span(score=lambda s, e: e)),
    Mistake(
        "the search begins with the score 0, so spans with a negative score are never found. Begin with "
        "-np.inf.",
        span(first=0.0),
    ),
    Mistake(
        "of equal scores you keep the last. Keep the first: take a new span only where it is better.",
        span(better=lambda new, old: new >= old),
    ),
    Mistake("you look for the smallest score.", span(first=math.inf, better=lambda new, old: new < old)),
    Mistake(
        "the end runs past the last position. It is below start + longest and below T: range(start, "
        "min(start + longest, T)).",
        lambda s, e, n: e[len(e)],
    ),
    Mistake(
        "the last position is never tried: range(n) ends at n - 1.", lambda s, e, n: span()(s[:-1], e[:-1], n)
    ),
    Mistake(
        "the end is one too high: `end` is the answer's last piece, not the one after it.",
        span(out=lambda start, end, value: (start, end + 1, value)),
    ),
    Mistake(
        "the third result is the length; it should be the score.",
        span(out=lambda start, end, value: (start, end, end - start + 1)),
    ),
    Mistake(
        "the score is missing: return (start, end, score).", span(out=lambda start, end, value: (start, end))
    ),
    Mistake(
        "the score comes first; return (start, end, score).",
        span(out=lambda start, end, value: (value, start, end)),
    ),
    Mistake(
        "the score is a probability. Return start score + end score itself, so that windows can be compared.",
        of_probabilities,
    ),
    *(
        Mistake(
            f"of equal scores you keep {which}. Keep the first: the smaller start, then the smaller end.",
            of_equals(key),
        )
        for which, key in (
            ("the shortest span", lambda i, j: (j - i, i)),
            ("the longest span", lambda i, j: (i - j, i)),
            ("the larger end", lambda i, j: (i, -j)),
            ("the larger start", lambda i, j: (-i, j)),
        )
    ),
    *(
        Mistake(
            "only a few of the best starts and ends are tried. Another pair may be the best that is "
            "allowed: "
            "try all.",
            of_the_best(count),
        )
        for count in (2, 3, 4, 5)
    ),
    Mistake(
        "position 0 is never tried. Here it is a position like any other.", span(order=lambda T: range(1, T))
    ),
    Mistake("all scores between start and end are added. Only two count: the start's and the end's.", summed),
    Mistake(
        "the sign of a score is lost. A score below 0 is a low one.", span(score=lambda s, e: abs(s + e))
    ),
    Mistake(
        "the inner loop stops at the first end that is not better. A later one may be: try all.", until_worse
    ),
    *(
        Mistake(
            "the score is rounded. Return it as it is.",
            span(out=lambda start, end, value, digits=digits: (start, end, round(value, digits))),
        )
        for digits in (0, 1, 2, 3)
    ),
    Mistake(
        "the end comes first; return (start, end, score).",
        span(out=lambda start, end, value: (end, start, value)),
    ),
    Mistake("the score is the mean of the two; return their sum.", span(score=lambda s, e: (s + e) / 2)),
    *pairs(
        span,
        (dict(least=1), "an answer of one piece is left out"),
        (dict(most=any_length), "`longest` is ignored"),
        (dict(first=0.0), "the search begins with the score 0; begin with -np.inf"),
        (dict(better=lambda new, old: new >= old), "of equal scores you keep the last"),
        (dict(score=lambda s, e: s * e), "scores are multiplied; add them"),
    ),
)
