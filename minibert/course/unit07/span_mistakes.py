"""Students' common mistakes in `best_span`.

Devlin et al. (2019, arXiv 1810.04805), section 4.2: the best span has the largest sum of start and end
scores. Axes: T positions.
"""

import math

import numpy as np

from minibert import reference

from ..checks.edits import edits, pairs_of_edits


def search(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    """Return (start, end, score) of the best span of at most `longest` tokens, found with two loops."""
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

    you take the best start and the best end separately. Together they may not form an allowed span. Try all
    pairs.
        $starts => [np.argmax(start_logits)]
        $ends => [np.argmax(end_logits)]
    you take the best start and end separately, and swap them if they are in the wrong order. Then each has
    the wrong score. Try all pairs.
        $starts => [np.argmax(start_logits)]
        $ends => [np.argmax(end_logits)]
        $new => best = min(start, end), max(start, end), score
    you take the best start, then the best end after it. A slightly worse start may have a much better end.
    Try all pairs.
        $starts => [np.argmax(start_logits)]
    you take the best end, then the best start before it. A slightly worse end may have a much better start.
    Try all pairs.
        $better => end == np.argmax(end_logits) and $better
    in your answer the end may come before the start. Try only ends from the start on.
        range(start, min => range(min
    you leave out answers of one token. Try them too: start = end is allowed.
        range(start, => range(start + 1,
    `longest` is ignored. Try only spans of at most `longest` tokens.
        $ends => range(start, T)
    you allow one token too many. Both the start and the end belong to the span.
        start + longest => start + longest + 1
    you allow one token too few. Both the start and the end belong to the span.
        start + longest => start + longest - 1
    you multiply the two scores. Add them: two large negative scores would give a large positive product.
        $sum => start_logits[start] * end_logits[end]
    you ignore the end score. Add it to the start score.
        $sum => start_logits[start]
    you ignore the start score. Add it to the end score.
        $sum => end_logits[end]
    your search begins with the score 0, so spans with a negative score are never found. Begin with minus
    infinity.
        -math.inf => 0.0
    if scores are equal, you keep the last span. Keep the first.
        $better => score >= best[2]
    you search for the lowest score. Search for the highest.
        -math.inf => math.inf
        $better => score < best[2]
    your end goes beyond the last position. Limit it by `longest` and by the number of positions.
        $ends => range(start, start + longest)
    you never try the last position. Check the end of your range.
        len(start_logits) => len(start_logits) - 1
    your end is one too large. Return the position of the answer's last token, not of the one after it.
        $new => best = start, end + 1, score
    your third result is the length of the span. Return its score.
        return (*result[:2], result[1] - result[0] + 1)
    the score is missing. Return (start, end, score).
        return result[:2]
    you return the score first. The order is (start, end, score).
        return (result[2], *result[:2])
    your score is a probability. Return the sum of the two scores, which can be compared across windows.
        return (*result[:2], float(softmax(start_logits)[result[0]] * softmax(end_logits)[result[1]]))
    if scores are equal, you keep the shortest span. Keep the one with the smaller start, then the smaller
    end.
        $better => (score, start - end, -start) > (best[2], best[0] - best[1], -best[0])
    if scores are equal, you keep the longest span. Keep the one with the smaller start, then the smaller end.
        $better => (score, end - start, -start) > (best[2], best[1] - best[0], -best[0])
    if scores are equal, you keep the larger end. Keep the smaller start, then the smaller end.
        $better => (score, -start, end) > (best[2], -best[0], best[1])
    if scores are equal, you keep the larger start. Keep the smaller start, then the smaller end.
        $better => (score, start, -end) > (best[2], best[0], -best[1])
    you try only a few of the best starts and ends. The best allowed span may not be among them.
        $starts => np.argsort(-start_logits)[: (few := {2 | 3 | 4 | 5})]
        $ends => [end for end in np.argsort(-end_logits)[:few] if 0 <= end - start < longest]
    you never try position 0. Include it: here it is a position like any other.
        $starts => range(1, T)
    you add up all scores between start and end. Add only the start score and the end score.
        $sum => (start_logits + end_logits)[start : end + 1].sum()
    you take the absolute value of the score. Keep the sign: a score below 0 is a low score.
        $sum => abs($sum)
    your inner loop stops at the first end that is not better. A later end may be better, so try all.
        if $better: => if score <= best[2]:\n    break\nif $better:
    you round the score. Return it as it is.
        return (*result[:2], round(result[2], {0 | 1 | 2 | 3}))
    you return the end first. The order is (start, end, score).
        return result[1], result[0], result[2]
    your score is the mean of the two scores. Return the sum of the start score and the end score.
        $sum => ($sum) / 2
    """,
    softmax=reference.softmax,
) + pairs_of_edits(
    search,
    """
    answers of one token are left out, although a span may have a single token
        range(start, => range(start + 1,
    `longest` is ignored, although it limits the length of a span
        start + longest => T
    the search begins with the score 0, but it should begin with -np.inf
        -math.inf => 0.0
    if scores are equal, the last span is kept, not the first
        score > best[2] => score >= best[2]
    scores are multiplied, not added
        start_logits[start] + end_logits[end] => start_logits[start] * end_logits[end]
    """,
)
