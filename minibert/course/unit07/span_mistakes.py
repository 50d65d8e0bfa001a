"""Known mistakes in `best_span`.

Devlin et al. (2019, arXiv 1810.04805), section 4.2: the largest start score + end score with start <= end. T:
positions.
"""

import math

import numpy as np

from minibert import reference

from ..checks.edits import edits, pairs_of_edits


def search(start_logits: np.ndarray, end_logits: np.ndarray, longest: int) -> tuple[int, int, float]:
    """Find the best span with two loops."""
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

    you take the best start and the best end separately. Together they may not form an allowed span: the end
    may be before the start, or too far after it. Search the pairs.
        $starts => [np.argmax(start_logits)]
        $ends => [np.argmax(end_logits)]
    you take the best start and the best end separately, and swap them if they are in the wrong order, so a
    start score is used for an end. Search the pairs.
        $starts => [np.argmax(start_logits)]
        $ends => [np.argmax(end_logits)]
        $new => best = min(start, end), max(start, end), score
    you take the best start, then the best end after it. A slightly worse start may have a
    much better end: search all pairs.
        $starts => [np.argmax(start_logits)]
    you take the best end, then the best start before it. A slightly worse end may have a much
    better start: search all pairs.
        $better => end == np.argmax(end_logits) and $better
    in your answer the end may come before the start. Try only start <= end.
        range(start, min => range(min
    you leave out answers of one token. start = end is allowed.
        range(start, => range(start + 1,
    `longest` is ignored. Try only spans of at most `longest` tokens.
        $ends => range(start, T)
    you allow one token too many: a span from start to end has end - start + 1 tokens.
        start + longest => start + longest + 1
    you allow one token too few: end - start may be longest - 1.
        start + longest => start + longest - 1
    you multiply the scores. Add them: two large negative scores would give a large positive product.
        $sum => start_logits[start] * end_logits[end]
    you ignore the end score. The score is start score + end score.
        $sum => start_logits[start]
    you ignore the start score. The score is start score + end score.
        $sum => end_logits[end]
    your search begins with the score 0, so spans with a negative score are never found. Begin with -np.inf.
        -math.inf => 0.0
    if scores are equal, you keep the last span. Keep the first: take a new span only if its score is higher.
        $better => score >= best[2]
    you look for the lowest score. Look for the highest.
        -math.inf => math.inf
        $better => score < best[2]
    the end runs past the last position. It must be below both start + longest and T:
    range(start, min(start + longest, T)).
        $ends => range(start, start + longest)
    you never try the last position: range(n) ends at n - 1.
        len(start_logits) => len(start_logits) - 1
    your end is one too high. `end` is the answer's last token, not the one after it.
        $new => best = start, end + 1, score
    your third result is the length. It should be the score.
        return (*result[:2], result[1] - result[0] + 1)
    the score is missing. Return (start, end, score).
        return result[:2]
    you return the score first. Return (start, end, score).
        return (result[2], *result[:2])
    your score is a probability. Return start score + end score itself, so that windows can be compared.
        return (*result[:2], float(softmax(start_logits)[result[0]] * softmax(end_logits)[result[1]]))
    if scores are equal, you keep the shortest span. Keep the first: the smaller start, then the smaller end.
        $better => (score, start - end, -start) > (best[2], best[0] - best[1], -best[0])
    if scores are equal, you keep the longest span. Keep the first: the smaller start, then the smaller end.
        $better => (score, end - start, -start) > (best[2], best[1] - best[0], -best[0])
    if scores are equal, you keep the larger end. Keep the first: the smaller start, then the smaller end.
        $better => (score, -start, end) > (best[2], -best[0], best[1])
    if scores are equal, you keep the larger start. Keep the first: the smaller start, then the smaller end.
        $better => (score, start, -end) > (best[2], best[0], -best[1])
    you try only a few of the best starts and ends. Another pair may be the best allowed one: try all.
        $starts => np.argsort(-start_logits)[: (few := {2 | 3 | 4 | 5})]
        $ends => [end for end in np.argsort(-end_logits)[:few] if 0 <= end - start < longest]
    you never try position 0. Here it is a position like any other.
        $starts => range(1, T)
    you add up all scores between start and end. Add only the start score and the end score.
        $sum => (start_logits + end_logits)[start : end + 1].sum()
    you take the absolute value of the score. A score below 0 is a low score.
        $sum => abs($sum)
    your inner loop stops at the first end that is not better. A later one may be better: try all.
        if $better: => if score <= best[2]:\n    break\nif $better:
    the score is rounded. Return it as it is.
        return (*result[:2], round(result[2], {0 | 1 | 2 | 3}))
    you return the end first. Return (start, end, score).
        return result[1], result[0], result[2]
    your score is the mean of the two scores. Return their sum.
        $sum => ($sum) / 2
    """,
    softmax=reference.softmax,
) + pairs_of_edits(
    search,
    """
    answers of one token are left out
        range(start, => range(start + 1,
    `longest` is ignored
        start + longest => T
    the search begins with the score 0, not -np.inf
        -math.inf => 0.0
    the last of equal scores is kept
        score > best[2] => score >= best[2]
    scores are multiplied, not added
        start_logits[start] + end_logits[end] => start_logits[start] * end_logits[end]
    """,
)
