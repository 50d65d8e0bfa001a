"""Functions that predict word senses from nearest neighbours, and project word vectors onto a plane.

Wiedemann et al. (2019, arXiv 1909.10430): the sense of the most similar labelled occurrence. Pilehvar and
Camacho-Collados (2019, arXiv 1808.09121), WiC: whether two occurrences have the same sense. Axes: L layers, N
occurrences, D hidden.
"""

from collections import Counter

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.neighbors import KNeighborsClassifier

from .definitions import LAST_LAYERS


def last_layers(layers: np.ndarray, count: int = LAST_LAYERS) -> np.ndarray:
    """Concatenate the last `count` layers: (L, N, D) -> (N, count D). Raises ValueError if L < count."""
    if len(layers) < count:
        raise ValueError(f"count={count} must be at most the number of layers, which is {len(layers)}")
    return np.concatenate(list(layers[-count:]), axis=-1)


def frequent_senses(words: np.ndarray, senses: np.ndarray) -> dict:
    """Return a dict that maps each word to its most frequent sense, as a baseline.

    words, senses (N,): the word and the sense of each occurrence.
    """
    counts: dict = {}
    for word, sense in zip(np.asarray(words).tolist(), np.asarray(senses).tolist()):
        counts.setdefault(word, Counter())[sense] += 1
    return {word: found.most_common(1)[0][0] for word, found in counts.items()}


def knn_senses(
    vectors: np.ndarray,
    words: np.ndarray,
    senses: np.ndarray,
    new: np.ndarray,
    new_words: np.ndarray,
    k: int = 1,
) -> list:
    """Predict the sense of each new occurrence of a word from its k nearest labelled occurrences.

    vectors (N, D), words and senses (N,): the labelled occurrences; new (M, D), new_words (M,): the new ones.
    Similarity is the cosine. If a word has fewer than k labelled occurrences, all of them are used; if it has
    none, the prediction is None.

    >>> x = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> new = np.array([[0.2, 0.9], [1.0, 0.0]])
    >>> knn_senses(x, np.array([3, 3]), np.array([0, 1]), new, np.array([3, 8]))
    [1, None]
    """
    words, senses, new_words = map(np.asarray, (words, senses, new_words))
    found: list = [None] * len(new_words)
    for word in np.unique(new_words[np.isin(new_words, words)]):
        own, asked = words == word, np.flatnonzero(new_words == word)
        knn = KNeighborsClassifier(min(k, int(own.sum())), metric="cosine").fit(vectors[own], senses[own])
        for place, sense in zip(asked, knn.predict(new[asked]).tolist()):
            found[place] = sense
    return found


def best_threshold(similar: np.ndarray, same: np.ndarray) -> tuple[float, float]:
    """Return the best cosine above which to predict that two words have the same sense, and its accuracy.

    similar (P,): the cosine of each pair; same (P,) bool: whether its senses are the same. The accuracy on
    these pairs is too optimistic, so measure it on other pairs. The threshold is halfway between two cosines;
    in a tie, the lowest threshold is chosen.

    >>> best_threshold(np.array([0.2, 0.4, 0.8]), np.array([False, False, True]))
    (0.6, 1.0)
    """
    order = np.unique(similar)
    cuts = np.concatenate([[order[0] - 1], (order[1:] + order[:-1]) / 2, [order[-1] + 1]])
    right = ((np.asarray(similar) > cuts[:, None]) == np.asarray(same, bool)).mean(axis=1)
    return float(cuts[right.argmax()].round(12)), float(right.max())


def project_to_plane(vectors: np.ndarray, method: str = "pca", seed: int = 0) -> np.ndarray:
    """Project vectors to two dimensions for plotting: (N, D) -> (N, 2).

    method: "pca" keeps the directions of largest variance, so that distances are meaningful; "tsne" keeps
    neighbours together (van der Maaten and Hinton, 2008), but the sizes of groups and the distances between
    them mean nothing. Raises ValueError if the method is unknown or there are too few vectors.
    """
    if method not in ("pca", "tsne"):
        raise ValueError(f"unknown method {method!r}; known methods: pca, tsne")
    if len(vectors) < 3:
        raise ValueError(f"a projection onto a plane needs at least three vectors, but got {len(vectors)}")
    if method == "pca":
        return PCA(2, svd_solver="full").fit_transform(vectors)
    perplexity = min(30.0, (len(vectors) - 1) / 3)
    return TSNE(2, perplexity=perplexity, init="pca", random_state=seed).fit_transform(np.asarray(vectors))
