"""Six published measures of attention heads and hidden states, in NumPy.

Each function takes arrays and computes one quantity from a paper in the simplest way: Ethayarajh (2019, arXiv
1909.00512), Brunner et al. (2020, arXiv 1908.04211), Michel et al. (2019, arXiv 1905.10650), Wiedemann et al.
(2019, arXiv 1909.10430), Hewitt and Liang (2019, arXiv 1909.03368). The other files of `minibert.analysis`
build on them. Axes: N occurrences, L layers, B sequences, H heads, T tokens, S attended tokens, K head size,
D hidden.
"""

from collections.abc import Callable

import numpy as np

SMALLEST = 1e-8  # singular values below this share of the largest one count as 0
LAST_LAYERS = 4  # layers that represent a word in context: Wiedemann et al.; Devlin et al. (2019), table 7
UNKNOWN = -1  # the sense of an occurrence without a neighbour


def cosines(x: np.ndarray) -> np.ndarray:
    """Return the cosine similarity of each pair of rows: (N, D) -> (N, N)."""
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)  # (N, D)
    return unit @ unit.T


def self_similarity(vectors: np.ndarray, words: np.ndarray) -> dict[int, float]:
    """Measure how similar a word's vectors are across sentences, compared with arbitrary vectors.

    Ethayarajh, sections 3.3 and 3.4. vectors (N, D): one for each occurrence of a word; words (N,): the word
    of each occurrence. The self-similarity of a word is the mean cosine similarity of all pairs of its
    occurrences; the baseline is the mean over all pairs of rows, whatever their words. Returns a dict that
    maps each word that occurs at least twice to its self-similarity minus the baseline.

    >>> x = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> {word: round(value, 3) for word, value in self_similarity(x, np.array([7, 7, 3])).items()}
    {7: 0.667}
    """
    # paper: the baseline is estimated from random occurrences; the mean of all pairs is its expectation
    similar = cosines(vectors)  # (N, N)

    def mean_of_pairs(rows):
        pairs = ~np.eye(len(rows), dtype=bool)  # all but i = j
        return similar[np.ix_(rows, rows)][pairs].mean()

    names, counts = np.unique(words, return_counts=True)
    baseline = mean_of_pairs(np.arange(len(vectors)))
    return {
        int(word): float(mean_of_pairs(np.flatnonzero(np.asarray(words) == word)) - baseline)
        for word in names[counts > 1]
    }


def effective_attention(probs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the part of the attention weights that changes a head's output: (H, T, S), like `probs`.

    Brunner et al., section 3. probs (H, T, S): the attention weights A; values (H, S, K): the values V, with
    or without the output projection (included in the paper's T). The output is A V. Adding any x with x V = 0
    to a row of A does not change the output; these x form the left null space of V, of dimension S - rank V.
    The effective attention is A without its part in this null space, that is, A projected onto the space
    spanned by the columns of V. Its rows need not sum to 1 and may have negative numbers. A singular value
    below SMALLEST times the largest counts as 0.

    >>> probs, values = np.array([[[0.2, 0.6, 0.2]]]), np.array([[[1.0], [1.0], [0.0]]])
    >>> effective_attention(probs, values).round(2).tolist()
    [[[0.4, 0.4, 0.0]]]
    """
    result = np.empty_like(probs)
    for h, (weights, value) in enumerate(zip(probs, values)):
        u, sizes, _ = np.linalg.svd(value, full_matrices=False)  # (S, R), (R,)
        span = u[:, sizes > SMALLEST * sizes[0]]  # (S, rank)
        result[h] = weights @ span @ span.T
    return result


def head_importance(contexts: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    """Measure how sensitive the loss is to scaling each head: (L, H), with norm 1 in each layer.

    Michel et al., section 4.1. contexts (L, B, H, T, K): the output of each head for each sequence;
    gradients, of the same shape: the gradients of that sequence's loss. The derivative of the loss with
    respect to a factor that scales a head is the sum of context times gradient over tokens and components.
    Its absolute value is averaged over the sequences, and the scores of each layer are divided by their
    Euclidean norm. A layer in which all scores are 0 stays 0.

    >>> head_importance(np.array([[[[[3.0]], [[4.0]]]]]), np.ones((1, 1, 2, 1, 1)))
    array([[0.6, 0.8]])
    """
    per_sequence = (contexts * gradients).sum(axis=(3, 4))  # (L, B, H)
    scores = np.abs(per_sequence).mean(axis=1)  # (L, H)
    norms = np.linalg.norm(scores, axis=1, keepdims=True)  # (L, 1)
    return scores / np.where(norms == 0, 1, norms)


def nearest_sense(layers: np.ndarray, words: np.ndarray, senses: np.ndarray) -> np.ndarray:
    """Return the sense of the most similar other occurrence of the same word, for each occurrence: (N,).

    Wiedemann et al.: k nearest neighbours, with k = 1. layers (L, N, D): hidden states, of which the last
    LAST_LAYERS are concatenated to represent an occurrence; words, senses (N,): the word and the sense of
    each occurrence. Similarity is the cosine. The result is UNKNOWN if a word occurs only once.

    >>> x = np.array([[[1.0, 0.0], [0.0, 1.0], [0.9, 0.1], [0.9, 0.0]]])
    >>> nearest_sense(x, np.array([5, 5, 5, 6]), np.array([0, 1, 0, 2]))
    array([ 0,  0,  0, -1])
    """
    vectors = np.concatenate(list(layers[-LAST_LAYERS:]), axis=-1)  # (N, 4 D)
    words, senses = np.asarray(words), np.asarray(senses)
    others = np.equal.outer(words, words) & ~np.eye(len(words), dtype=bool)  # (N, N)
    nearest = np.where(others, cosines(vectors), -np.inf).argmax(axis=1)  # (N,)
    return np.where(others.any(axis=1), senses[nearest], UNKNOWN)


def token_attribution(jacobian: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the contribution of each input token to each output: (share (T, T), by_distance (T,)).

    Brunner et al., section 5. jacobian (T, D, T, E): [t, i, s, j] is the derivative of component i of the
    output at t with respect to component j of the input at s. The contribution of s to t is the norm (the
    root of the sum of squares) of its derivatives, as a share of the contributions of all tokens, so that
    each row of `share` sums to 1. by_distance[d] is the mean share over all pairs with |t - s| = d, beginning
    with the token itself.

    >>> share, by_distance = token_attribution(np.array([[[[3.0], [1.0]]], [[[1.0], [1.0]]]]))
    >>> share.tolist(), by_distance.tolist()
    ([[0.75, 0.25], [0.5, 0.5]], [0.625, 0.375])
    """
    norms = np.sqrt((jacobian**2).sum(axis=(1, 3)))  # (T, T)
    share = norms / norms.sum(axis=1, keepdims=True)
    T = np.arange(len(share))
    distance = np.abs(np.subtract.outer(T, T))  # (T, T)
    return share, np.array([share[distance == d].mean() for d in T])


def linear_probe(x: np.ndarray, labels: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Train a linear probe on x (N, D) and labels (N,), and return its predictions (M,) for new (M, D).

    The probe is ridge regression with one output per label; the label with the largest output is chosen. It
    has a unique solution and no randomness.
    """
    names = np.unique(labels)
    x, new = (np.c_[rows, np.ones(len(rows))] for rows in (x, new))  # the last column is a bias
    wanted = (labels[:, None] == names).astype(float)  # (N, C)
    weights = np.linalg.solve(x.T @ x + np.eye(x.shape[1]), x.T @ wanted)  # (D + 1, C)
    return names[(new @ weights).argmax(axis=1)]


def control_selectivity(
    x: np.ndarray,
    words: np.ndarray,
    labels: np.ndarray,
    behaviour: np.ndarray,
    trained: np.ndarray,
    probe: Callable = linear_probe,
) -> tuple[float, float, float]:
    """Measure selectivity: how much better a probe learns a task than random word labels.

    Hewitt and Liang, section 2. x (N, D): vectors of tokens; words (N,): their words; labels (N,): the labels
    of the task; behaviour (V,): a random label for each word, the same wherever it occurs; trained (N,) bool:
    the training tokens. Both probes are trained and scored on the same tokens. Returns (accuracy, control
    accuracy, accuracy minus control accuracy) on the held-out tokens whose word is among the training tokens.
    Raises ValueError if there are no such tokens.

    >>> x = np.array([[-2.0], [2.0], [-2.0], [2.0]])
    >>> trained = np.array([True, True, False, False])
    >>> control_selectivity(x, np.array([0, 1, 0, 1]), np.array([5, 6, 5, 6]), np.array([6, 6]), trained)
    (1.0, 1.0, 0.0)
    """
    # paper: all held-out tokens count. A probe cannot know the random label of a word without training
    # tokens, so such words are left out here, and both accuracies can reach 1.
    words, labels, behaviour = map(np.asarray, (words, labels, behaviour))
    tested = ~trained & np.isin(words, words[trained])
    if not tested.any():
        raise ValueError(
            f"none of the {len(words)} tokens is a held-out token whose word also occurs in the "
            "training tokens"
        )

    def accuracy(wanted):
        return float((probe(x[trained], wanted[trained], x[tested]) == wanted[tested]).mean())

    right, control = accuracy(labels), accuracy(behaviour[words])
    return right, control, right - control
