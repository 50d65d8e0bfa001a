"""Search: BM25, which counts shared words, and an index of vectors, which compares meanings.

Robertson and Zaragoza (2009, "The Probabilistic Relevance Framework", section 3.2) for BM25; Reimers and
Gurevych (2019, arXiv 1908.10084) for vectors compared by their cosine. Both are small enough to compare a
query with every text.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from scipy.stats import rankdata

WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the lowercase words of a text, without punctuation.

    >>> words("[CLS] is a token.")
    ['cls', 'is', 'a', 'token']
    """
    return WORD.findall(text.lower())


class BM25:
    """An index of texts by their words; rare words count more, and repeated ones less each time.

    k1: how soon repetitions of a word stop counting. b: how much long texts are penalised, 0 to 1.
    """

    def __init__(self, texts: Sequence[str], k1: float = 1.2, b: float = 0.75):
        counts = [Counter(words(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], float)  # (N,)
        texts_with = Counter(word for count in counts for word in count)
        self.size, self.weights = len(texts), {}
        for word, number in texts_with.items():
            rarity = np.log(1 + (self.size - number + 0.5) / (number + 0.5))
            tf = np.array([count[word] for count in counts], float)  # (N,)
            self.weights[word] = rarity * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths / lengths.mean()))

    def scores(self, query: str) -> np.ndarray:
        """Return the score of each text for a query, (N,); 0 if they share no word."""
        return sum((self.weights[word] for word in words(query) if word in self.weights), np.zeros(self.size))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Scale vectors (..., D) to length 1, so that their products are cosine similarities."""
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


class VectorIndex:
    """An index of texts by their vectors.

    encode: maps a list of texts to vectors (N, D), such as `minibert.load("english").encode`.
    """

    def __init__(self, texts: Sequence[str], encode: Callable[[list[str]], np.ndarray]):
        self.encode, self.vectors = encode, unit(encode(list(texts)))  # (N, D)

    def scores(self, query: str) -> np.ndarray:
        """Return the cosine similarity of each text to a query, (N,)."""
        return self.vectors @ unit(self.encode([query])[0])


def best(scores: np.ndarray, k: int = 3) -> list[tuple[int, float]]:
    """Return the k highest scores as pairs (index, score), best first; of equal ones, the first.

    >>> best(np.array([0.1, 0.5, 0.5]), 2)
    [(1, 0.5), (2, 0.5)]
    """
    return [(int(i), float(scores[i])) for i in np.argsort(-scores, kind="stable")[:k]]


def combined(*scores: np.ndarray, constant: float = 60) -> np.ndarray:
    """Combine the scores (N,) of several indexes by reciprocal rank fusion, (N,).

    Cormack et al. (2009, SIGIR): the sum of 1 / (constant + rank), which ignores how differently the indexes
    scale their scores. Equal scores share their mean rank.

    >>> combined(np.array([3.0, 1.0, 2.0]), np.array([0.3, 0.2, 0.1])).argsort()[::-1].tolist()
    [0, 2, 1]
    """
    return sum((1 / (constant + rankdata(-one)) for one in scores), np.zeros(len(scores[0])))
