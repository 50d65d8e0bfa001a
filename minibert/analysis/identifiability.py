"""What can be known from attention weights, and which input token a hidden state still tells.

Brunner et al. (2020, arXiv 1908.04211): section 3, attention weights that give the same output; section 4,
input tokens found again in upper layers. `definitions.effective_attention` is the projection. Axes: H
heads, T tokens, S tokens that are attended to, K head size, D hidden, N tokens of many sentences.
"""

import numpy as np
from sklearn.linear_model import Ridge

from .definitions import SMALLEST, effective_attention


def null_dimension(values: np.ndarray) -> np.ndarray:
    """The dimension of the left null space of each head's values: (H, S, K) -> (H,), S minus the rank.

    At least S - K: in a text that is longer than a head has numbers, weights can change and the output stays.

    >>> null_dimension(np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]))
    array([1])
    """
    sizes = np.linalg.svd(values, compute_uv=False)  # (H, R)
    return values.shape[1] - (sizes > SMALLEST * sizes[:, :1]).sum(axis=1)


def raw_and_effective(probs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Pearson's correlation of raw with effective attention in each head: (H,), 1 in a short text.

    nan where one of the two is constant.
    """
    flat = [
        x.reshape(len(x), -1) - x.reshape(len(x), -1).mean(axis=1, keepdims=True)
        for x in (probs, effective_attention(probs, values))
    ]
    size = np.prod([np.linalg.norm(x, axis=1) for x in flat], axis=0)
    return np.where(size > 0, (flat[0] * flat[1]).sum(axis=1) / np.where(size > 0, size, 1), np.nan)


def identified(hidden: np.ndarray, inputs: np.ndarray, sentence: np.ndarray) -> np.ndarray:
    """Whether a hidden state is most like its own input among those of its sentence: (N,) bool.

    hidden (N, D): of one layer, or mapped by `linear_map`; inputs (N, D): the embeddings at the same places;
    sentence (N,). Likeness is the cosine.

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
    """Map hidden states back to their inputs by the best linear map of the training tokens: (N, D).

    trained (N,) bool: choose whole sentences. alpha: of ridge regression. Raises ValueError without a
    training token.
    """
    trained = np.asarray(trained, bool)
    if not trained.any():
        raise ValueError(f"none of {len(trained)} tokens is trained on")
    return Ridge(alpha=alpha).fit(hidden[trained], inputs[trained]).predict(hidden)
