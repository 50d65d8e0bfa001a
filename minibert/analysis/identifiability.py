"""Measures of what can be identified from attention weights and from hidden states.

Brunner et al. (2020, arXiv 1908.04211): section 3, different attention weights with the same output; section
4, identifying input tokens from upper layers. Axes: H heads, T tokens, S attended tokens, K head size, D
hidden, N tokens of many sentences.
"""

import numpy as np
from sklearn.linear_model import Ridge

from .definitions import SMALLEST, effective_attention


def null_dimension(values: np.ndarray) -> np.ndarray:
    """Return the dimension of the left null space of each head's values, S minus the rank: (H, S, K) -> (H,).

    For a text of more than K tokens, it is above 0: attention weights can change without changing the output.

    >>> null_dimension(np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]))
    array([1])
    """
    sizes = np.linalg.svd(values, compute_uv=False)  # (H, R)
    return values.shape[1] - (sizes > SMALLEST * sizes[:, :1]).sum(axis=1)


def raw_and_effective(probs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation between raw and effective attention for each head: (H,).

    probs (H, T, S), values (H, S, K): see `effective_attention`. The correlation is 1 for a text of at most K
    tokens, and nan if either is constant.
    """
    flat = [
        x.reshape(len(x), -1) - x.reshape(len(x), -1).mean(axis=1, keepdims=True)
        for x in (probs, effective_attention(probs, values))
    ]
    size = np.prod([np.linalg.norm(x, axis=1) for x in flat], axis=0)
    return np.where(size > 0, (flat[0] * flat[1]).sum(axis=1) / np.where(size > 0, size, 1), np.nan)


def identified(hidden: np.ndarray, inputs: np.ndarray, sentence: np.ndarray) -> np.ndarray:
    """Return whether each hidden state is closer to its own input than to the sentence's others: (N,) bool.

    hidden (N, D): the states of one layer, or the result of `linear_map`; inputs (N, D): the embeddings at
    the same positions; sentence (N,): the sentence of each token. Similarity is the cosine.

    >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> identified(np.array([[2.0, 0.1], [1.0, 0.2], [0.0, 1.0]]), x, np.array([0, 0, 1])).tolist()
    [True, False, True]
    """
    sentence = np.asarray(sentence)
    found = np.zeros(len(sentence), bool)
    for one in np.unique(sentence):
        rows = np.flatnonzero(sentence == one)
        unit = inputs[rows] / np.linalg.norm(inputs[rows], axis=1, keepdims=True)
        found[rows] = (hidden[rows] @ unit.T).argmax(axis=1) == np.arange(len(rows))
    return found


def linear_map(hidden: np.ndarray, inputs: np.ndarray, trained: np.ndarray, alpha: float = 1.0) -> np.ndarray:
    """Predict the input embeddings from hidden states with ridge regression: (N, D) -> (N, D).

    trained (N,) bool: the tokens that the regression is trained on, which should form complete sentences;
    alpha: the penalty's weight. Raises ValueError if there are no training tokens.
    """
    trained = np.asarray(trained, bool)
    if not trained.any():
        raise ValueError(f"none of the {len(trained)} tokens is a training token")
    return Ridge(alpha=alpha).fit(hidden[trained], inputs[trained]).predict(hidden)
