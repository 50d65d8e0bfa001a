"""Known mistakes about `self_similarity`, how alike a word's vectors are in different sentences, and inputs.

Ethayarajh (2019, arXiv 1909.00512), sections 3.3 and 3.4. Axes: N occurrences, D hidden.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits

# Words by occurrence: twice, three times and once; some stand apart
WORDS = (
    [3, 3, 8, 3, 8, 5],
    [2, 9, 2, 2, 9, 4, 2, 7, 9, 1],
    [0, 0],
    [6, 1, 6, 1, 6, 1, 6],
    [12, 40, 40, 7, 12, 12, 40, 33],
    [5, 2, 9, 5],
)


def inputs(rng: np.random.Generator, words: list[int], D: int = 4, dtype: type = np.float64) -> tuple:
    """(vectors, words): vectors of unlike lengths in a narrow cone, those of a word closer together."""
    own = rng.normal(size=(max(words) + 1, D))
    vectors = own[words] + rng.normal(size=(len(words), D)) + rng.normal(size=D)
    return (vectors * rng.uniform(0.5, 2, size=(len(words), 1))).astype(dtype), np.array(words)


def cases(rng: np.random.Generator) -> list[tuple]:
    sizes = (3, 4, 2, 5, 6, 3)
    return [inputs(rng, words, D, np.float32 if D == 5 else np.float64) for words, D in zip(WORDS, sizes)]


def two_different(similar: np.ndarray) -> float:
    """Return the mean over all pairs of two different rows."""
    n = len(similar)
    return (similar.sum() - np.trace(similar)) / (n * n - n)


def plain(vectors: np.ndarray, words: np.ndarray) -> dict[int, float]:
    """Return what `self_similarity` returns."""
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
    """Return the mean over the pairs of different words alone; 0 if there is one word only."""
    apart = words[:, None] != words
    return similar[apart].mean() if apart.any() else 0.0


def of_words(similar: np.ndarray, words: np.ndarray) -> float:
    """Return the mean of the words' own self-similarities."""
    rows = [np.flatnonzero(words == word) for word in np.unique(words)]
    return float(np.mean([two_different(similar[np.ix_(r, r)]) for r in rows if len(r) > 1]))


def off_diagonal(similar: np.ndarray) -> np.ndarray:
    return similar[~np.eye(len(similar), dtype=bool)]


def to_the_mean(vectors: np.ndarray) -> float:
    """Return the mean cosine of a word's vectors with their mean vector."""
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

    each occurrence is compared with itself, too, which adds cosines of 1: a pair is two different
    occurrences, not i = j.
        $inside => pairs.mean()
    in the baseline each row is compared with itself, too: a pair is two different occurrences.
        $base => similar.mean()
    each row is compared with itself, for the words and for the baseline: a pair is two different occurrences,
    not i = j.
        $inside => pairs.mean()
        $base => similar.mean()
    the baseline is missing: subtract the mean cosine of all pairs of rows. In a narrow cone all vectors are
    alike, whatever the words.
        $difference => $inside
    these are scalar products, not cosines: divide by both norms, or make each vector one of norm 1 first.
        $similar => vectors @ vectors.T
    you divide by one of the two norms. A cosine is divided by both.
        $similar => vectors @ unit.T
    you average a word's vectors before the cosine, and compare each with the mean. Take the cosine of each
    pair first, then the mean.
        $inside => to_the_mean(vectors[rows])
    you average a word's vectors first, and measure how long the mean is. Take the cosine of each pair first,
    then the mean.
        $inside => (vectors[rows].mean(0) ** 2).sum() / (vectors[rows] ** 2).sum(1).mean()
    your baseline is taken over pairs of different words. It is the mean over all pairs of different rows,
    whatever their words.
        $base => across_words(similar, words)
    your baseline is taken over pairs of one word. It is the mean over all pairs of different rows, whatever
    their words.
        $base => of_words(similar, words)
    the baseline is added. Subtract it.
        $difference => $inside + base
    you divide by the baseline. Subtract it.
        $difference => $inside / base
    the self-similarity is subtracted from the baseline. It is the other way round.
        $difference => base - $inside
    you leave i = j out of the sum, but count it: n occurrences have n (n - 1) ordered pairs, not n n.
        $inside => (pairs.sum() - np.trace(pairs)) / pairs.size
    you sum each pair once and divide by n (n - 1), which counts each twice. There are n (n - 1) / 2 pairs.
        $inside => two_different(np.triu(pairs))
    you compare each occurrence with the next one only. All pairs of a word count.
        $inside => np.diagonal(pairs, 1).mean()
    you take the most similar pair of a word. The mean over all its pairs is asked for.
        $inside => off_diagonal(pairs).max()
    you take the median over a word's pairs. The mean is asked for.
        $inside => np.median(off_diagonal(pairs))
    these are Euclidean distances. Self-similarity is a mean of cosines.
        $similar => np.linalg.norm(vectors[:, None] - vectors, axis=-1)
    these are correlations: each vector has lost its mean. A cosine takes the vectors as they are.
        $similar => np.atleast_2d(np.corrcoef(vectors))
    the sign of the cosines is lost. Vectors may point away from each other.
        $similar => np.abs($similar)
    you take the mean vector off all vectors before the cosine. Leave the vectors, and subtract the baseline
    from the cosines.
        unit = vectors => vectors = vectors - vectors.mean(0)\\nunit = vectors
    a word that occurs once has a value in your answer: it has no pair, so leave it out.
        $if => if len(rows) == 1:\\n    found[int(word)] = float(1 - base)\\n$if
        or
        $if => if len(rows) == 1:\\n    found[int(word)] = float(-base)\\n$if
        or
        $if => if len(rows) == 1:\\n    found[int(word)] = 0.0\\n$if
    a word that occurs once has nan in your answer: it has no pair, so leave it out.
        $if => if len(rows) == 1:\\n    found[int(word)] = np.nan\\n$if
    words that occur twice are missing in your answer. Two occurrences are one pair.
        > 1 => > 2
    """,
) + pairs_of_edits(
    plain,
    """
    each occurrence is compared with itself, too
        two_different(pairs) => pairs.mean()
    the baseline is missing
        base = two_different(similar) => base = 0.0
    scalar products stand in place of cosines
        unit @ unit.T => vectors @ vectors.T
    a word that occurs once has a value
        if len(rows) > 1: => if len(rows) == 1:\\n    found[int(word)] = float(1 - base)\\nif len(rows) > 1:
    the baseline is taken over pairs of different words
        two_different(similar) => across_words(similar, words)
    """,
)


def length_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """True if vectors of other lengths give the same."""
    vectors, words = inputs(rng, WORDS[1])
    return close(f(vectors, words), f(vectors * rng.uniform(0.5, 3, size=(len(words), 1)), words))


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    vectors, words = inputs(rng, WORDS[1])
    order = rng.permutation(len(words))
    return close(f(vectors, words), f(vectors[order], words[order]))


def one_word_is_its_own_baseline(f: Callable, rng: np.random.Generator) -> bool:
    """True if a text of one word alone has a self-similarity of 0 above the baseline."""
    vectors, words = inputs(rng, [4, 4, 4])
    return close(f(vectors, words), {4: 0.0})
