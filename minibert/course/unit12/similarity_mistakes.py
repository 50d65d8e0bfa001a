"""Test inputs for `self_similarity`, which compares a word's vectors across sentences, and common mistakes.

Ethayarajh (2019, arXiv 1909.00512), sections 3.3 and 3.4. Axes: N occurrences, D hidden.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits

# The words by occurrence, which occur once, twice or more often, next to each other or not
WORDS = (
    [3, 3, 8, 3, 8, 5],
    [2, 9, 2, 2, 9, 4, 2, 7, 9, 1],
    [0, 0],
    [6, 1, 6, 1, 6, 1, 6],
    [12, 40, 40, 7, 12, 12, 40, 33],
    [5, 2, 9, 5],
)


def inputs(rng: np.random.Generator, words: list[int], D: int = 4, dtype: type = np.float64) -> tuple:
    """Return (vectors, words), with one vector for each item of `words`, all in a narrow cone.

    The vectors of the same word are closer together.
    """
    own = rng.normal(size=(max(words) + 1, D))
    vectors = own[words] + rng.normal(size=(len(words), D)) + rng.normal(size=D)
    return (vectors * rng.uniform(0.5, 2, size=(len(words), 1))).astype(dtype), np.array(words)


def allowed(vectors: np.ndarray, words: np.ndarray) -> bool:
    """Return whether no vector is 0."""
    return bool(vectors.any(1).all())


def cases(rng: np.random.Generator) -> list[tuple]:
    sizes = (3, 4, 2, 5, 6, 3)
    return [inputs(rng, words, D, np.float32 if D == 5 else np.float64) for words, D in zip(WORDS, sizes)]


def two_different(similar: np.ndarray) -> float:
    """Return the mean of the off-diagonal entries of a matrix of similarities."""
    n = len(similar)
    return (similar.sum() - np.trace(similar)) / (n * n - n)


def plain(vectors: np.ndarray, words: np.ndarray) -> dict[int, float]:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similar = unit @ unit.T
    base = two_different(similar)
    found = {}
    for word in np.unique(words):
        rows = np.flatnonzero(words == word)
        pairs = similar[np.ix_(rows, rows)]
        if len(rows) > 1:
            found[int(word)] = float(two_different(pairs) - base)
    return found


def across_words(similar: np.ndarray, words: np.ndarray) -> float:
    """Return the mean similarity of two occurrences of different words, or 0 if there is only one word."""
    apart = words[:, None] != words
    return similar[apart].mean() if apart.any() else 0.0


def of_words(similar: np.ndarray, words: np.ndarray) -> float:
    """Return the mean over all words of the similarity between occurrences of the same word."""
    rows = [np.flatnonzero(words == word) for word in np.unique(words)]
    return float(np.mean([two_different(similar[np.ix_(r, r)]) for r in rows if len(r) > 1]))


def off_diagonal(similar: np.ndarray) -> np.ndarray:
    return similar[~np.eye(len(similar), dtype=bool)]


def to_the_mean(vectors: np.ndarray) -> float:
    """Return the mean cosine similarity between a word's vectors and their mean vector."""
    mean = vectors.mean(0)
    return (vectors @ mean / np.linalg.norm(vectors, axis=1) / np.linalg.norm(mean)).mean()


SIMILARITY = edits(
    plain,
    """
    $similar = unit @ unit.T
    $base = two_different(similar)
    $inside = two_different(pairs)
    $difference = two_different(pairs) - base
    $if = if len(rows) > 1:

    you also compare each occurrence with itself, which adds cosines of 1. Leave these out.
        $inside => pairs.mean()
    in the baseline, you also compare each row with itself. Leave these cosines of 1 out.
        $base => similar.mean()
    you also compare each row with itself, for the words and the baseline. Leave these cosines of 1 out.
        $inside => pairs.mean()
        $base => similar.mean()
    the baseline is missing. Subtract the mean cosine of all pairs of rows.
        $difference => $inside
    you use dot products, not cosines. Divide each vector by its norm first.
        $similar => vectors @ vectors.T
    you divide by only one of the two norms. Divide by both to get a cosine.
        $similar => vectors @ unit.T
    you compare each vector with its word's mean vector. Take the cosine of each pair, then their mean.
        $inside => to_the_mean(vectors[rows])
    you compute the norm of a word's mean vector. Take the cosine of each pair, then their mean.
        $inside => (vectors[rows].mean(0) ** 2).sum() / (vectors[rows] ** 2).sum(1).mean()
    your baseline uses only pairs of different words. Take the mean over all pairs of different rows, whatever
    their words.
        $base => across_words(similar, words)
    your baseline uses only pairs of the same word. Take the mean over all pairs of different rows, whatever
    their words.
        $base => of_words(similar, words)
    you add the baseline to the mean cosine. Subtract it.
        $difference => $inside + base
    you divide the mean cosine by the baseline. Subtract the baseline.
        $difference => $inside / base
    you subtract the self-similarity from the baseline. Subtract the baseline from the self-similarity.
        $difference => base - $inside
    you leave pairs of an occurrence with itself out of the sum, but not out of the count.
        $inside => (pairs.sum() - np.trace(pairs)) / pairs.size
    you add each pair once, but the number by which you divide counts each pair twice.
        $inside => two_different(np.triu(pairs))
    you compare each occurrence only with the next one. Use all pairs of occurrences of a word.
        $inside => np.diagonal(pairs, 1).mean()
    you use only the most similar pair of a word. Take the mean over all its pairs.
        $inside => off_diagonal(pairs).max()
    you take the median over a word's pairs. Take the mean over them.
        $inside => np.median(off_diagonal(pairs))
    you use Euclidean distances. Use cosines.
        $similar => np.linalg.norm(vectors[:, None] - vectors, axis=-1)
    you subtract each vector's mean, which gives correlations. Leave the vectors as they are.
        $similar => np.atleast_2d(np.corrcoef(vectors))
    you take the absolute value of the cosines. Keep the sign: vectors that point in opposite directions have
    a negative cosine.
        $similar => np.abs($similar)
    you subtract the mean vector first. Leave the vectors as they are, and subtract the baseline at the end.
        unit = vectors => vectors = vectors - vectors.mean(0)\\nunit = vectors
    you return a value for a word that occurs once. Leave this word out, because it has no pair.
        $if => if len(rows) == 1:\\n    found[int(word)] = float(1 - base)\\n$if
        or
        $if => if len(rows) == 1:\\n    found[int(word)] = float(-base)\\n$if
        or
        $if => if len(rows) == 1:\\n    found[int(word)] = 0.0\\n$if
    you return nan for a word that occurs once. Leave this word out, because it has no pair.
        $if => if len(rows) == 1:\\n    found[int(word)] = np.nan\\n$if
    you leave out words that occur twice. Include them, because two occurrences make one pair.
        > 1 => > 2
    """,
) + pairs_of_edits(
    plain,
    """
    you also compare each occurrence with itself, although i = j should be left out
        two_different(pairs) => pairs.mean()
    you do not subtract the baseline from the mean cosine
        base = two_different(similar) => base = 0.0
    you use dot products instead of cosines
        unit @ unit.T => vectors @ vectors.T
    you return a value for a word that occurs once, which should be left out
        if len(rows) > 1: => if len(rows) == 1:\\n    found[int(word)] = float(1 - base)\\nif len(rows) > 1:
    the baseline uses only pairs of different words, not all pairs of different rows
        two_different(similar) => across_words(similar, words)
    """,
)


def length_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's result is the same for vectors with the same directions but different norms."""
    vectors, words = inputs(rng, WORDS[1])
    return close(f(vectors, words), f(vectors * rng.uniform(0.5, 3, size=(len(words), 1)), words))


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    vectors, words = inputs(rng, WORDS[1])
    order = rng.permutation(len(words))
    return close(f(vectors, words), f(vectors[order], words[order]))


def one_word_is_its_own_baseline(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f returns 0 if all occurrences are of one word, which is then its own baseline."""
    vectors, words = inputs(rng, [4, 4, 4])
    return close(f(vectors, words), {4: 0.0})
