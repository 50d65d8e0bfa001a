"""Word senses by nearest neighbours, and words in a plane.

Wiedemann et al. (2019, arXiv 1909.10430): the sense of the most similar labelled occurrence. Here with a
training set; `definitions.nearest_sense` leaves one out in turn. Pilehvar and Camacho-Collados (2019,
arXiv 1808.09121), WiC: do two occurrences have one sense? Axes: L layers, N occurrences, D hidden.
"""

from collections import Counter

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.neighbors import KNeighborsClassifier

from .definitions import LAST_LAYERS


def last_layers(layers: np.ndarray, count: int = LAST_LAYERS) -> np.ndarray:
    """The last layers side by side: (L, N, D) -> (N, count D). Raises ValueError for fewer layers."""
    if len(layers) < count:
        raise ValueError(f"{len(layers)} layers, {count} wanted")
    return np.concatenate(list(layers[-count:]), axis=-1)


def frequent_senses(words: np.ndarray, senses: np.ndarray) -> dict:
    """The most frequent sense of each word: the baseline that is hard to beat; the first of several."""
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
    """The sense of each new occurrence by the k most similar labelled ones of its word, None for a new word.

    vectors (N, D), words and senses (N,): labelled; new (M, D), new_words (M,). Similar: by cosine; where a
    word has fewer than k occurrences, all of them.

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
    """The cosine above which two occurrences count as one sense, and its accuracy on these pairs.

    similar (P,): cosines; same (P,) bool. Choose it on the training pairs, and measure on others: its
    accuracy here is too good. Halfway between two cosines, the lowest of equally good ones.

    >>> best_threshold(np.array([0.2, 0.4, 0.8]), np.array([False, False, True]))
    (0.6, 1.0)
    """
    order = np.unique(similar)
    cuts = np.concatenate([[order[0] - 1], (order[1:] + order[:-1]) / 2, [order[-1] + 1]])
    right = ((np.asarray(similar) > cuts[:, None]) == np.asarray(same, bool)).mean(axis=1)
    return float(cuts[right.argmax()].round(12)), float(right.max())


def in_the_plane(vectors: np.ndarray, method: str = "pca", seed: int = 0) -> np.ndarray:
    """Two numbers for each vector, to be drawn: (N, D) -> (N, 2).

    method: "pca" keeps the directions of largest variance, so that distances mean something; "tsne" keeps
    neighbours together (van der Maaten and Hinton, 2008), so that distances between groups, and their sizes,
    mean nothing. seed: of t-SNE. Raises ValueError for another method, or too few vectors.
    """
    if method not in ("pca", "tsne"):
        raise ValueError(f"{method!r}: there are pca and tsne")
    if len(vectors) < 3:
        raise ValueError(f"{len(vectors)} vectors: a plane needs three")
    if method == "pca":
        return PCA(2, svd_solver="full").fit_transform(vectors)
    perplexity = min(30.0, (len(vectors) - 1) / 3)
    return TSNE(2, perplexity=perplexity, init="pca", random_state=seed).fit_transform(np.asarray(vectors))
