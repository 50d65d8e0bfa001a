"""Measures of which heads follow a relation between words, and of what a model loses without a head.

Clark et al. (2019, arXiv 1906.04341), section 4, look for heads that point from a word to its syntactic head;
Michel et al. (2019, arXiv 1905.10650) and Kovaleva et al. (2019, arXiv 1908.08593) remove heads. A model is
given as a function evaluate(gate (L, H)) -> (N,) that returns a score or a loss for each of N examples; a 0
in the gate removes a head. Axes: L layers, H heads, T tokens, W words, N examples.
"""

from collections.abc import Callable, Iterable

import numpy as np
from scipy import stats

from .significance import holm, is_significant

Evaluate = Callable[[np.ndarray], np.ndarray]


def to_words(probs: np.ndarray, word_of: np.ndarray) -> np.ndarray:
    """Convert attention between tokens to attention between words: (..., T, T) -> (..., W, W).

    Clark et al., section 4.1: attention to a word is the sum over its tokens, and attention from a word is
    the mean over its tokens. word_of (T,): the word of each token, or -1 for [CLS], [SEP] and padding, which
    are left out, so that rows may sum to less than 1. Raises ValueError if a word between 0 and the largest
    one has no tokens.

    >>> probs = np.array([[0.25, 0.25, 0.5], [0.5, 0.5, 0.0], [0.0, 1.0, 0.0]])
    >>> to_words(probs, np.array([0, 0, 1])).tolist()
    [[0.75, 0.25], [1.0, 0.0]]
    """
    word_of = np.asarray(word_of)
    member = (word_of[:, None] == np.arange(word_of.max() + 1)).astype(float)  # (T, W)
    sizes = member.sum(axis=0)
    if (sizes == 0).any():
        raise ValueError(f"word {int(np.argmin(sizes))} has no tokens: {word_of.tolist()}")
    return (member / sizes).T @ probs @ member


def follows(attention: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Return whether the most attended word is correct, for each pair: (..., W, W) -> (..., P) bool.

    pairs (P, 2): pairs of a word and the correct word to attend to, such as its head, or the antecedent of a
    pronoun. A word's attention to itself does not count. Clark et al., section 4.2.

    >>> attention = np.array([[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.9, 0.1, 0.0]])
    >>> follows(attention, np.array([[0, 1], [2, 1]])).tolist()
    [True, False]
    """
    pairs, W = np.asarray(pairs).reshape(-1, 2), attention.shape[-1]
    others = np.where(np.eye(W, dtype=bool), -np.inf, attention)  # (..., W, W)
    return others.argmax(axis=-1)[..., pairs[:, 0]] == pairs[:, 1]


def best_offset(pairs: Iterable[np.ndarray]) -> tuple[int, float]:
    """Return the fixed offset that is correct for the most pairs, and its accuracy.

    This is the baseline for heads: always choose the word at a fixed distance. pairs: for each sentence, (P,
    2) as in `follows`. Clark et al., section 4.2. Raises ValueError if there are no pairs.

    >>> best_offset([np.array([[0, 1], [2, 3]]), np.array([[4, 1]])])[0]
    1
    """
    steps = np.concatenate([np.asarray(some).reshape(-1, 2) for some in pairs]).astype(int)
    if not len(steps):
        raise ValueError("there are no pairs, so there is no relation to follow")
    offsets, counts = np.unique(steps[:, 1] - steps[:, 0], return_counts=True)
    return int(offsets[counts.argmax()]), float(counts.max() / len(steps))


def scores_without_head(evaluate: Evaluate, L: int, H: int) -> np.ndarray:
    """Return the scores of N examples without head (l, h), for each of L x H heads: (L, H, N).

    evaluate: a function that returns N scores for a gate (L, H), in which 0 removes a head. Michel et al.,
    section 3.2.
    """
    return np.stack(
        [np.stack([evaluate(gate_without(L, H, [(layer, head)])) for head in range(H)]) for layer in range(L)]
    )


def scores_with_one_head(evaluate: Evaluate, L: int, H: int) -> np.ndarray:
    """Return the scores of N examples with (l, h) as the only head in layer l, for each head: (L, H, N).

    evaluate: see `scores_without_head`. Michel et al., section 3.3.
    """

    def others(layer, head):
        return [(layer, other) for other in range(H) if other != head]

    return np.stack(
        [
            np.stack([evaluate(gate_without(L, H, others(layer, head))) for head in range(H)])
            for layer in range(L)
        ]
    )


def gate_without(L: int, H: int, heads: Iterable[tuple[int, int]]) -> np.ndarray:
    """Return a gate (L, H) that removes the given heads (layer, head): 0 for these heads, else 1."""
    gate = np.ones((L, H))
    for layer, head in heads:
        gate[layer, head] = 0
    return gate


def paired_difference(before: np.ndarray, after: np.ndarray) -> tuple[float, float]:
    """Compare two results on the same examples, each (N,); return (mean of after - before, p).

    The two-sided p comes from McNemar's exact test if both are bool (right or wrong), and from a paired
    t-test otherwise. p is 1 if there is no difference. For many heads, use the stricter
    `significant_differences`. Raises ValueError if the lengths differ.

    >>> paired_difference(np.array([True] * 8), np.array([False] * 8))
    (-1.0, 0.0078125)
    """
    before, after = np.asarray(before), np.asarray(after)
    if before.shape != after.shape:
        raise ValueError(
            f"the results have shapes {before.shape} and {after.shape}; use the same examples for both"
        )
    change = after.astype(float) - before.astype(float)
    if not change.any():
        return 0.0, 1.0
    if before.dtype == bool and after.dtype == bool:
        p = is_significant(before, after, level=0.05)[0]
    else:
        p = stats.ttest_rel(after, before).pvalue if np.ptp(change) else 0.0
    return float(change.mean()), float(p)


def significant_differences(p: np.ndarray, level: float = 0.05) -> np.ndarray:
    """Return which of many differences are significant, with Holm's correction for multiple comparisons.

    p: the p-values, in any shape; the result, bool, has the same shape. level: the probability that any
    difference is significant by chance.

    >>> significant_differences(np.array([[0.001, 0.03], [0.04, 0.9]])).tolist()
    [[True, False], [False, False]]
    """
    return (holm(np.ravel(p)) <= level).reshape(np.shape(p))


def pruning_curve(
    evaluate: Evaluate, importance: Callable[[np.ndarray], np.ndarray], L: int, H: int, step: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Remove the least important heads, `step` at a time; return (counts of remaining heads, mean scores).

    Michel et al., section 4. importance: a function that gets a gate (L, H), 1 for each remaining head and 0
    for the others, and returns scores (L, H); it is called before each step. The first point has all heads,
    and the last has none.
    """
    gate = np.ones((L, H))
    left, scores = [L * H], [np.mean(evaluate(gate.copy()))]
    while gate.any():
        waiting = np.where(gate > 0, importance(gate.copy()), np.inf).ravel()
        gate.ravel()[waiting.argsort(kind="stable")[: min(step, left[-1])]] = 0
        left.append(int(gate.sum()))
        scores.append(np.mean(evaluate(gate.copy())))
    return np.array(left), np.array(scores)


def likeness(before: np.ndarray, after: np.ndarray, kept: int = 1) -> np.ndarray:
    """Return the cosine similarity per layer of two arrays, such as weights before and after fine-tuning.

    Kovaleva et al., section 4.3. before, after: arrays (L, ...). kept: the number of leading axes of the
    result, for example 2 for the similarity of each head, if the shape is (L, H, ...).
    """
    a, b = (np.asarray(x, float).reshape(*np.shape(x)[:kept], -1) for x in (before, after))
    return (a * b).sum(axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)
