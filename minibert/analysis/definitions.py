"""Look inside a model, in NumPy: six measures of attention heads and hidden states that papers rest on.

Each function takes arrays and computes one published quantity in the plainest way: Ethayarajh (2019, arXiv
1909.00512), Brunner et al. (2020, arXiv 1908.04211), Michel et al. (2019, arXiv 1905.10650), Wiedemann et al.
(2019, arXiv 1909.10430), Hewitt and Liang (2019, arXiv 1909.03368). `minibert.analysis` builds on them. Axes:
N occurrences, L layers, B sequences, H heads, T tokens, S tokens that are attended to, K head size, D hidden.
"""

from collections.abc import Callable

import numpy as np

SMALLEST = 1e-8  # a singular value below this share of the largest counts as 0
LAST_LAYERS = 4  # that stand for a word in its sentence: Wiedemann et al.; Devlin et al. (2019), table 7
UNKNOWN = -1  # the sense of an occurrence that has no neighbour


def cosines(x: np.ndarray) -> np.ndarray:
    """The cosine similarity of each pair of rows: (N, D) -> (N, N)."""
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)  # (N, D)
    return unit @ unit.T


def self_similarity(vectors: np.ndarray, words: np.ndarray) -> dict[int, float]:
    """How alike the vectors of a word are in different sentences, minus how alike any two vectors are.

    Ethayarajh, sections 3.3 and 3.4. vectors (N, D): one for each occurrence of a word; words (N,): which
    word it is. The self-similarity of a word is the mean cosine similarity of all pairs of two different
    occurrences of it; the baseline is the mean over all pairs of two different rows, whatever their words.
    Returns word -> self-similarity minus baseline, for the words that occur at least twice.

    # paper: the baseline is estimated from occurrences drawn at random; all pairs are its expectation

    >>> x = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> {word: round(value, 3) for word, value in self_similarity(x, np.array([7, 7, 3])).items()}
    {7: 0.667}
    """
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
    """The part of attention weights that changes a head's output: (H, T, S), as `probs`.

    Brunner et al., section 3. probs (H, T, S): the attention weights A; values (H, S, K): the values V, with
    or without the output projection (the paper's T has it). The output is A V. A row of A may be changed by
    any x with x V = 0 and the output stays; such x are the left null space of V, of dimension S - rank V. The
    effective attention is A without its part in that null space: A projected onto the space that the columns
    of V span. Its rows need not sum to 1, and may have negative numbers. A singular value below SMALLEST
    times the largest counts as 0.

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
    """How much the loss would change if a head were turned down a little: (L, H), each layer of norm 1.

    Michel et al., section 4.1. contexts (L, B, H, T, K): the output of each head for each sequence;
    gradients, of the same shape: of that sequence's loss. The derivative of the loss for a factor on a head
    is the sum of context times gradient over tokens and numbers; its size is averaged over the sequences, and
    each layer's scores are divided by their Euclidean norm. A layer with nothing but 0 stays 0.

    >>> head_importance(np.array([[[[[3.0]], [[4.0]]]]]), np.ones((1, 1, 2, 1, 1)))
    array([[0.6, 0.8]])
    """
    per_sequence = (contexts * gradients).sum(axis=(3, 4))  # (L, B, H)
    scores = np.abs(per_sequence).mean(axis=1)  # (L, H)
    norms = np.linalg.norm(scores, axis=1, keepdims=True)  # (L, 1)
    return scores / np.where(norms == 0, 1, norms)


def nearest_sense(layers: np.ndarray, words: np.ndarray, senses: np.ndarray) -> np.ndarray:
    """Give each occurrence of a word the sense of the most similar other occurrence of the same word: (N,).

    Wiedemann et al., with k = 1. layers (L, N, D): hidden states, the last LAST_LAYERS of which stand side by
    side for an occurrence; words, senses (N,): which word, and in which sense. Similar: by cosine. UNKNOWN
    where a word occurs once.

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
    """What each input token contributes to each output: (share (T, T), by_distance (T,)).

    Brunner et al., section 5. jacobian (T, D, T, E): [t, i, s, j] is the derivative
    of number i of the output at t for number j of the input at s. The contribution of s to t is the norm (the
    root of the sum of squares) of its derivatives, as a share of those of all tokens: each row of `share`
    sums to 1. by_distance[d]: the mean share over all pairs with |t - s| = d, the token itself first.

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
    """Train a linear probe on x (N, D) and labels (N,); return the label that it gives each row of new (M,
    D).

    Ridge regression on one number for each label: the largest wins. It has no randomness and one solution.
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
    """How much better a probe learns a task than it learns random labels of words: selectivity.

    Hewitt and Liang, section 2. x (N, D): vectors of tokens; words (N,): their words; labels (N,): the task;
    behaviour (V,): a random label for each word, the same wherever it occurs; trained (N,) bool: True = the
    probe learns from this token. Both probes are trained and scored on the same tokens. Returns (accuracy,
    accuracy on the control task, accuracy minus control accuracy), on the tokens that are not trained on and
    whose word is. Raises ValueError where there is no such token.

    # paper: all held-out tokens count; nobody can know the random label of a word that is not trained on, so
    # here both ceilings are 1

    >>> x = np.array([[-2.0], [2.0], [-2.0], [2.0]])
    >>> trained = np.array([True, True, False, False])
    >>> control_selectivity(x, np.array([0, 1, 0, 1]), np.array([5, 6, 5, 6]), np.array([6, 6]), trained)
    (1.0, 1.0, 0.0)
    """
    words, labels, behaviour = map(np.asarray, (words, labels, behaviour))
    tested = ~trained & np.isin(words, words[trained])
    if not tested.any():
        raise ValueError(f"none of {len(words)} tokens is held out and has a word that is trained on")

    def accuracy(wanted):
        return float((probe(x[trained], wanted[trained], x[tested]) == wanted[tested]).mean())

    right, control = accuracy(labels), accuracy(behaviour[words])
    return right, control, right - control
