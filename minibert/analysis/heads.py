"""Which heads follow a relation between words, and what a model loses without them.

Clark et al. (2019, arXiv 1906.04341), section 4, look for heads that point from a word to its syntactic head;
Michel et al. (2019, arXiv 1905.10650) and Kovaleva et al. (2019, arXiv 1908.08593) switch heads off. A model
comes in as a function: evaluate(gate (L, H)) -> (N,), a score or a loss for each of N examples, where 0 in
the gate removes a head. Axes: L layers, H heads, T tokens, W words, N examples.
"""

from collections.abc import Callable, Iterable

import numpy as np
from scipy import stats

from .significance import holm, is_significant

Evaluate = Callable[[np.ndarray], np.ndarray]


def to_words(probs: np.ndarray, word_of: np.ndarray) -> np.ndarray:
    """Attention between words from that between tokens: (..., T, T) -> (..., W, W).

    Clark et al., section 4.1: attention to a word is the sum over its tokens, attention from a word their
    mean. word_of (T,): the word of each token, -1 for [CLS], [SEP] and padding, which are left out, so that
    rows may sum to less than 1. Raises ValueError where a word from 0 to the largest has no token.

    >>> probs = np.array([[0.25, 0.25, 0.5], [0.5, 0.5, 0.0], [0.0, 1.0, 0.0]])
    >>> to_words(probs, np.array([0, 0, 1])).tolist()
    [[0.75, 0.25], [1.0, 0.0]]
    """
    word_of = np.asarray(word_of)
    member = (word_of[:, None] == np.arange(word_of.max() + 1)).astype(float)  # (T, W)
    sizes = member.sum(axis=0)
    if (sizes == 0).any():
        raise ValueError(f"word {int(np.argmin(sizes))} has no token: {word_of.tolist()}")
    return (member / sizes).T @ probs @ member


def follows(attention: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Whether the most attended word is the right one: (..., W, W) -> (..., P) bool.

    pairs (P, 2): from which word to which, such as from a word to its head, or from a pronoun to its
    antecedent. A word's attention to itself does not count. Clark et al., section 4.2.

    >>> attention = np.array([[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.9, 0.1, 0.0]])
    >>> follows(attention, np.array([[0, 1], [2, 1]])).tolist()
    [True, False]
    """
    pairs, W = np.asarray(pairs).reshape(-1, 2), attention.shape[-1]
    others = np.where(np.eye(W, dtype=bool), -np.inf, attention)  # (..., W, W)
    return others.argmax(axis=-1)[..., pairs[:, 0]] == pairs[:, 1]


def best_offset(pairs: Iterable[np.ndarray]) -> tuple[int, float]:
    """The fixed offset that finds the most pairs, and its accuracy: what a head must beat that follows them.

    pairs: (P, 2) for each sentence. Clark et al., section 4.2: always guess the word at one distance. Raises
    ValueError without a pair.

    >>> best_offset([np.array([[0, 1], [2, 3]]), np.array([[4, 1]])])[0]
    1
    """
    steps = np.concatenate([np.asarray(some).reshape(-1, 2) for some in pairs]).astype(int)
    if not len(steps):
        raise ValueError("no pairs: there is no relation to follow")
    offsets, counts = np.unique(steps[:, 1] - steps[:, 0], return_counts=True)
    return int(offsets[counts.argmax()]), float(counts.max() / len(steps))


def one_off(evaluate: Evaluate, L: int, H: int) -> np.ndarray:
    """The scores without one head, for each head: (L, H, N). Michel et al., section 3.2."""
    return np.stack(
        [np.stack([evaluate(gate_without(L, H, [(layer, head)])) for head in range(H)]) for layer in range(L)]
    )


def one_left(evaluate: Evaluate, L: int, H: int) -> np.ndarray:
    """The scores with one head left in a layer, for each head: (L, H, N). Michel et al., section 3.3."""

    def others(layer, head):
        return [(layer, other) for other in range(H) if other != head]

    return np.stack(
        [
            np.stack([evaluate(gate_without(L, H, others(layer, head))) for head in range(H)])
            for layer in range(L)
        ]
    )


def gate_without(L: int, H: int, heads: Iterable[tuple[int, int]]) -> np.ndarray:
    """(L, H) of 1, with 0 for each of the heads (layer, head)."""
    gate = np.ones((L, H))
    for layer, head in heads:
        gate[layer, head] = 0
    return gate


def paired_difference(before: np.ndarray, after: np.ndarray) -> tuple[float, float]:
    """(mean of after - before, p): two results on the same examples, (N,) each.

    p, two-sided: of McNemar's exact test where both are bool (right or wrong), else of a paired t test. It is
    1 where nothing differs. A table of many heads needs a stricter level: see `clear_differences`. Raises
    ValueError for unequal lengths.

    >>> paired_difference(np.array([True] * 8), np.array([False] * 8))
    (-1.0, 0.0078125)
    """
    before, after = np.asarray(before), np.asarray(after)
    if before.shape != after.shape:
        raise ValueError(f"{before.shape} and {after.shape}: both results must be on the same examples")
    change = after.astype(float) - before.astype(float)
    if not change.any():
        return 0.0, 1.0
    if before.dtype == bool and after.dtype == bool:
        p = is_significant(before, after, level=0.05)[0]
    else:
        p = stats.ttest_rel(after, before).pvalue if np.ptp(change) else 0.0
    return float(change.mean()), float(p)


def clear_differences(p: np.ndarray, level: float = 0.05) -> np.ndarray:
    """Which of many differences are clear: at most `level` chance of one that is not (Holm's rule).

    >>> clear_differences(np.array([[0.001, 0.03], [0.04, 0.9]])).tolist()
    [[True, False], [False, False]]
    """
    return (holm(np.ravel(p)) <= level).reshape(np.shape(p))


def pruning_curve(
    evaluate: Evaluate, importance: Callable[[np.ndarray], np.ndarray], L: int, H: int, step: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Remove the least important heads, `step` at a time: (number of heads left, mean score), (n,) each.

    Michel et al., section 4. importance(gate) -> (L, H): asked anew before each step, with what is already
    removed; by gradient it is `definitions.head_importance`, by oracle `one_off` minus the score of
    all. The first point has all heads, the last one none.
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
    """The cosine similarity of two arrays, such as weights before and after fine-tuning, for each layer.

    Kovaleva et al., section 4.3. before, after: (L, ...); kept: how many axes stay, 2 = layer and head.
    """
    a, b = (np.asarray(x, float).reshape(*np.shape(x)[:kept], -1) for x in (before, after))
    return (a * b).sum(axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)
