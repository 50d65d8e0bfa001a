"""Known mistakes about `best_span`.

Devlin et al. (2019, arXiv 1810.04805), section 4.2: the largest start score + end score with start <= end. T:
positions.
"""

import math

import numpy as np

from minibert import reference

from ..checks.edits import edits, pairs_of_edits


def search(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    """Do what `best_span` does, with two loops."""
    best, T = (0, 0, -math.inf), len(start_logits)
    for start in range(T):
        for end in range(start, min(start + longest, T)):
            score = float(start_logits[start] + end_logits[end])
            if score > best[2]:
                best = start, end, score
    return best


SPANS = edits(
    search,
    r"""
    $starts = range(T)
    $ends = range(start, min(start + longest, T))
    $sum = start_logits[start] + end_logits[end]
    $better = score > best[2]
    $new = best = start, end, score

    you take the best start and the best end, each by itself. Together they may not form a span: the end
    before the start, or too far after it. Search the pairs.
        $starts => [np.argmax(start_logits)]
        $ends => [np.argmax(end_logits)]
    best start and best end are taken each by itself, and swapped where they are the wrong way round: then a
    start score is that of an end. Search the pairs.
        $starts => [np.argmax(start_logits)]
        $ends => [np.argmax(end_logits)]
        $new => best = min(start, end), max(start, end), score
    you take the best start, then the best end after it. A start a little worse may have a far better end:
    search all pairs.
        $starts => [np.argmax(start_logits)]
    you take the best end, then the best start before it. An end a little worse may have a far better start:
    search all pairs.
        $better => end == np.argmax(end_logits) and $better
    the end may come before the start. Try only start <= end.
        range(start, min => range(min
    an answer of one piece is left out. start = end is allowed.
        range(start, => range(start + 1,
    `longest` is ignored.
        $ends => range(start, T)
    one piece too long: from start to end, both counted, there are end - start + 1 pieces.
        start + longest => start + longest + 1
    one piece too short: end - start may be longest - 1.
        start + longest => start + longest - 1
    scores are multiplied; add them. Two large negative scores would give a large positive product.
        $sum => start_logits[start] * end_logits[end]
    the end does not count: score = start score + end score.
        $sum => start_logits[start]
    the start does not count: score = start score + end score.
        $sum => end_logits[end]
    the search begins with the score 0, so spans with a negative score are never found. Begin with -np.inf.
        -math.inf => 0.0
    of equal scores you keep the last. Keep the first: take a new span only where it is better.
        $better => score >= best[2]
    you look for the smallest score.
        -math.inf => math.inf
        $better => score < best[2]
    the end runs past the last position. It is below start + longest and below T: range(start, min(start +
    longest, T)).
        $ends => range(start, start + longest)
    the last position is never tried: range(n) ends at n - 1.
        len(start_logits) => len(start_logits) - 1
    the end is one too high: `end` is the answer's last piece, not the one after it.
        $new => best = start, end + 1, score
    the third result is the length; it should be the score.
        return (*result[:2], result[1] - result[0] + 1)
    the score is missing: return (start, end, score).
        return result[:2]
    the score comes first; return (start, end, score).
        return (result[2], *result[:2])
    the score is a probability. Return start score + end score itself, so that windows can be compared.
        return (*result[:2], float(softmax(start_logits)[result[0]] * softmax(end_logits)[result[1]]))
    of equal scores you keep the shortest span. Keep the first: the smaller start, then the smaller end.
        $better => (score, start - end, -start) > (best[2], best[0] - best[1], -best[0])
    of equal scores you keep the longest span. Keep the first: the smaller start, then the smaller end.
        $better => (score, end - start, -start) > (best[2], best[1] - best[0], -best[0])
    of equal scores you keep the larger end. Keep the first: the smaller start, then the smaller end.
        $better => (score, -start, end) > (best[2], -best[0], best[1])
    of equal scores you keep the larger start. Keep the first: the smaller start, then the smaller end.
        $better => (score, start, -end) > (best[2], best[0], -best[1])
    only a few of the best starts and ends are tried. Another pair may be the best that is allowed: try all.
        $starts => np.argsort(-start_logits)[: (few := {2 | 3 | 4 | 5})]
        $ends => [end for end in np.argsort(-end_logits)[:few] if 0 <= end - start < longest]
    position 0 is never tried. Here it is a position like any other.
        $starts => range(1, T)
    all scores between start and end are added. Only two count: the start's and the end's.
        $sum => (start_logits + end_logits)[start : end + 1].sum()
    the sign of a score is lost. A score below 0 is a low one.
        $sum => abs($sum)
    the inner loop stops at the first end that is not better. A later one may be: try all.
        if $better: => if score <= best[2]:\n    break\nif $better:
    the score is rounded. Return it as it is.
        return (*result[:2], round(result[2], {0 | 1 | 2 | 3}))
    the end comes first; return (start, end, score).
        return result[1], result[0], result[2]
    the score is the mean of the two; return their sum.
        $sum => ($sum) / 2
    """,
    softmax=reference.softmax,
) + pairs_of_edits(
    search,
    """
    an answer of one piece is left out
        range(start, => range(start + 1,
    `longest` is ignored
        start + longest => T
    the search begins with the score 0; begin with -np.inf
        -math.inf => 0.0
    of equal scores you keep the last
        score > best[2] => score >= best[2]
    scores are multiplied; add them
        start_logits[start] + end_logits[end] => start_logits[start] * end_logits[end]
    """,
)
