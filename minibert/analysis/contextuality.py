"""Measures of how much the vectors of a word depend on the sentence, in each layer.

Ethayarajh (2019, arXiv 1909.00512), sections 3.3 and 3.4. Axes: N occurrences, D hidden.
"""

import numpy as np

from .definitions import cosines, self_similarity


def anisotropy(vectors: np.ndarray) -> float:
    """Return the mean cosine similarity of all pairs of vectors (N, D), near 0 if their directions vary.

    It is the baseline for the other measures: how similar arbitrary words are. Raises ValueError if there are
    fewer than two vectors.
    """
    N = len(vectors)
    if N < 2:
        raise ValueError(f"a pair needs at least two vectors, but got {N}")
    return float((cosines(vectors).sum() - N) / (N * (N - 1)))


def intra_sentence_similarity(vectors: np.ndarray, sentence: np.ndarray) -> float:
    """Return the mean cosine similarity of vectors to the mean vector of their sentence.

    vectors (N, D); sentence (N,): the sentence of each vector. Returns the mean over the sentences, without
    subtracting the baseline.

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
    """Return the share of variance explained by the first principal direction of a word's vectors, 0 to 1.

    This is the paper's maximum explainable variance: the first squared singular value of vectors (n, D),
    which are neither centred nor scaled, as a share of their sum. At 1, one vector per word would be enough.

    >>> explainable_variance(np.array([[3.0, 4.0], [6.0, 8.0]]))
    1.0
    """
    sizes = np.linalg.svd(vectors, compute_uv=False)
    return float(sizes[0] ** 2 / (sizes**2).sum())


def word_variances(vectors: np.ndarray, words: np.ndarray, least: int = 2) -> np.ndarray:
    """Return each word's explainable variance, minus the baseline for equally many arbitrary vectors.

    vectors (N, D): one for each occurrence of a word; words (N,): the word of each occurrence; least: the
    minimum number of occurrences of a word. The arbitrary vectors are evenly spaced rows of `vectors`.
    """
    # paper: the baseline is that of random occurrences, the same for all words
    found = []
    for word, count in zip(*np.unique(words, return_counts=True)):
        if count >= least:
            others = vectors[np.linspace(0, len(vectors) - 1, count).round().astype(int)]
            found.append(explainable_variance(vectors[words == word]) - explainable_variance(others))
    return np.array(found)


def most_contextual(vectors: np.ndarray, words: np.ndarray, least: int = 5) -> list[tuple[int, float]]:
    """Return (word, self-similarity) for each word with at least `least` vectors, the lowest first.

    For the measure, vectors (N, D) and words (N,), see `self_similarity`.
    """
    counts = dict(zip(*(x.tolist() for x in np.unique(words, return_counts=True))))
    found = self_similarity(vectors, words).items()
    return sorted((pair for pair in found if counts[pair[0]] >= least), key=lambda pair: (pair[1], pair[0]))
