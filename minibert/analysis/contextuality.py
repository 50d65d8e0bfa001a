"""How much a word's vectors depend on its sentence, layer by layer.

Ethayarajh (2019, arXiv 1909.00512), sections 3.3 and 3.4. Self-similarity is in `definitions`;
here are the other measures and their baselines. Axes: N occurrences, D hidden.
"""

import numpy as np

from .definitions import cosines, self_similarity


def anisotropy(vectors: np.ndarray) -> float:
    """The mean cosine of all pairs of two different vectors (N, D): 0 = they point everywhere.

    What two words have in common whatever they are: it is subtracted from self- and intra-sentence
    similarity. Raises ValueError for fewer than two vectors.
    """
    N = len(vectors)
    if N < 2:
        raise ValueError(f"{N} vectors: a pair needs two")
    return float((cosines(vectors).sum() - N) / (N * (N - 1)))


def intra_sentence_similarity(vectors: np.ndarray, sentence: np.ndarray) -> float:
    """How alike the words of a sentence are: the mean cosine of each vector with its sentence's mean vector.

    vectors (N, D); sentence (N,): which sentence each is in. The mean of the sentences' values, without the
    baseline.

    >>> round(intra_sentence_similarity(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([4, 4])), 3)
    0.707
    """
    sentence = np.asarray(sentence)
    values = []
    for one in np.unique(sentence):
        own = vectors[sentence == one]
        mean = own.mean(axis=0)
        values.append(np.mean(own @ mean / np.linalg.norm(own, axis=1) / np.linalg.norm(mean)))
    return float(np.mean(values))


def explainable_variance(vectors: np.ndarray) -> float:
    """How well one vector could stand for all of a word's: the first squared singular value's share, 0 to 1.

    The maximum explainable variance: vectors (n, D), as they are, neither centred nor scaled. 1 = a table
    with one row a word would do.

    >>> explainable_variance(np.array([[3.0, 4.0], [6.0, 8.0]]))
    1.0
    """
    sizes = np.linalg.svd(vectors, compute_uv=False)
    return float(sizes[0] ** 2 / (sizes**2).sum())


def word_variances(vectors: np.ndarray, words: np.ndarray, least: int = 2) -> np.ndarray:
    """The explainable variance of each word, minus that of as many vectors of any words.

    vectors (N, D), words (N,); least: occurrences of the words that count. The baseline of a word with n
    occurrences takes n rows, spread evenly over all of them.

    # paper: the baseline is that of occurrences drawn at random, once for all words
    """
    found = []
    for word, count in zip(*np.unique(words, return_counts=True)):
        if count >= least:
            others = vectors[np.linspace(0, len(vectors) - 1, count).round().astype(int)]
            found.append(explainable_variance(vectors[words == word]) - explainable_variance(others))
    return np.array(found)


def most_contextual(vectors: np.ndarray, words: np.ndarray, least: int = 5) -> list[tuple[int, float]]:
    """Words with their self-similarity, the most context-specific first; those with `least` occurrences."""
    counts = dict(zip(*(x.tolist() for x in np.unique(words, return_counts=True))))
    found = self_similarity(vectors, words).items()
    return sorted((pair for pair in found if counts[pair[0]] >= least), key=lambda pair: (pair[1], pair[0]))
