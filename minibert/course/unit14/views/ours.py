"""The course's versions of the small functions that students write in the lesson."""

from collections.abc import Callable

import numpy as np


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine similarity of two vectors: their dot product, divided by both lengths.

    >>> cosine(np.array([3.0, 4.0]), np.array([6.0, 8.0]))
    1.0
    """
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def batch_loss(scores: np.ndarray) -> float:
    """Return the mean loss of scores (B, B): in row i, the right answer is number i.

    >>> round(batch_loss(np.zeros((4, 4))), 4)
    1.3863
    """
    shifted = scores - scores.max(axis=1, keepdims=True)
    return float(np.mean(np.log(np.exp(shifted).sum(axis=1)) - np.diag(shifted)))


def draw_again(
    words: list[str],
    place: int,
    predict: Callable[[list[str]], tuple[list[str], np.ndarray]],
    rng: np.random.Generator,
) -> list[str]:
    """Return a copy of the words, in which the word at `place` is masked and drawn again.

    predict: maps words with one [MASK] to candidates and their probabilities.

    >>> draw_again(["a", "b"], 1, lambda words: (["c"], [1.0]), np.random.default_rng(0))
    ['a', 'c']
    """
    masked = [*words[:place], "[MASK]", *words[place + 1 :]]
    candidates, probs = predict(masked)
    return [*words[:place], str(rng.choice(candidates, p=probs)), *words[place + 1 :]]
