"""Known mistakes about `self_similarity`, how alike a word's vectors are in different sentences, and inputs.

Ethayarajh (2019, arXiv 1909.00512), sections 3.3 and 3.4. Axes: N occurrences, D hidden.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Mistake, pairs

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


def cosine(vectors: np.ndarray) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def two_different(similar: np.ndarray, vectors: np.ndarray) -> float:
    """The mean over all pairs of two different rows."""
    n = len(similar)
    return (similar.sum() - np.trace(similar)) / (n * n - n)


def everything(similar: np.ndarray, vectors: np.ndarray) -> float:
    return similar.mean()


def over_all(similar: np.ndarray, vectors: np.ndarray, words: np.ndarray) -> float:
    return two_different(similar, vectors)


def across_words(similar: np.ndarray, vectors: np.ndarray, words: np.ndarray) -> float:
    """The mean over the pairs of different words alone; over all pairs where there is one word."""
    apart = words[:, None] != words
    return similar[apart].mean() if apart.any() else 0.0


def of_words(similar: np.ndarray, vectors: np.ndarray, words: np.ndarray) -> float:
    """The mean of the words' own self-similarities."""
    rows = [np.flatnonzero(words == word) for word in np.unique(words)]
    return float(np.mean([two_different(similar[np.ix_(r, r)], vectors[r]) for r in rows if len(r) > 1]))


def measured(
    similar: Callable = cosine,
    inside: Callable = two_different,
    base: Callable = over_all,
    combine: Callable = lambda value, base: value - base,
    least: int = 2,
    single: Callable | None = None,
    prepared: Callable = lambda vectors: vectors,
) -> Callable:
    """Build the function with some pieces replaced.

    similar(vectors): (N, N); inside(block, vectors): the number of a word; base(similar, vectors, words): the
    baseline; least: occurrences that a word needs; single(base): of words that occur once.
    """

    def self_similarity(vectors, words):
        vectors = prepared(vectors)
        table = similar(vectors)
        baseline = base(table, vectors, words)
        found = {}
        for word in np.unique(words):
            rows = np.flatnonzero(words == word)
            if len(rows) >= least:
                value = inside(table[np.ix_(rows, rows)], vectors[rows])
                found[int(word)] = float(combine(value, baseline))
            elif single and len(rows) == 1:
                found[int(word)] = float(single(baseline))
        return found

    return self_similarity


def to_the_mean(similar: np.ndarray, vectors: np.ndarray) -> float:
    """The mean cosine of a word's vectors with their mean vector."""
    mean = vectors.mean(0)
    return (vectors @ mean / np.linalg.norm(vectors, axis=1) / np.linalg.norm(mean)).mean()


def length_of_the_mean(similar: np.ndarray, vectors: np.ndarray) -> float:
    """The squared norm of the mean vector, over the mean squared norm."""
    return (vectors.mean(0) ** 2).sum() / (vectors**2).sum(1).mean()


def with_nothing(similar: np.ndarray, vectors: np.ndarray) -> float:
    """The sum without the diagonal, divided by the number of all entries."""
    return (similar.sum() - np.trace(similar)) / similar.size


def half(similar: np.ndarray, vectors: np.ndarray) -> float:
    return np.triu(similar, 1).sum() / (similar.size - len(similar))


def neighbours(similar: np.ndarray, vectors: np.ndarray) -> float:
    return np.diagonal(similar, 1).mean()


def largest(similar: np.ndarray, vectors: np.ndarray) -> float:
    return similar[~np.eye(len(similar), dtype=bool)].max()


def median(similar: np.ndarray, vectors: np.ndarray) -> float:
    return float(np.median(similar[~np.eye(len(similar), dtype=bool)]))


def products(vectors: np.ndarray) -> np.ndarray:
    return vectors @ vectors.T


def once_divided(vectors: np.ndarray) -> np.ndarray:
    return vectors @ vectors.T / np.linalg.norm(vectors, axis=1)


def distances(vectors: np.ndarray) -> np.ndarray:
    return np.linalg.norm(vectors[:, None] - vectors, axis=-1)


def correlations(vectors: np.ndarray) -> np.ndarray:
    return np.atleast_2d(np.corrcoef(vectors))


def zero_base(similar: np.ndarray, vectors: np.ndarray, words: np.ndarray) -> float:
    return 0.0


TWO = "a pair is two different occurrences"
SIMILARITY = (
    Mistake(
        f"each occurrence is compared with itself, too, which adds cosines of 1: {TWO}, not i = j.",
        measured(inside=everything),
    ),
    Mistake(
        f"in the baseline each row is compared with itself, too: {TWO}.",
        measured(base=lambda s, v, w: s.mean()),
    ),
    Mistake(
        f"each row is compared with itself, for the words and for the baseline: {TWO}, not i = j.",
        measured(inside=everything, base=lambda s, v, w: s.mean()),
    ),
    Mistake(
        "the baseline is missing: subtract the mean cosine of all pairs of rows. In a narrow cone all "
        "vectors are alike, whatever the words.",
        measured(base=zero_base),
    ),
    Mistake(
        "these are scalar products, not cosines: divide by both norms, or make each vector one of norm 1 "
        "first.",
        measured(products),
    ),
    Mistake("you divide by one of the two norms. A cosine is divided by both.", measured(once_divided)),
    Mistake(
        "you average a word's vectors before the cosine, and compare each with the mean. Take the cosine "
        "of each pair first, then the mean.",
        measured(inside=to_the_mean),
    ),
    Mistake(
        "you average a word's vectors first, and measure how long the mean is. Take the cosine of each "
        "pair first, then the mean.",
        measured(inside=length_of_the_mean),
    ),
    Mistake(
        "your baseline is taken over pairs of different words. It is the mean over all pairs of "
        "different rows, whatever their words.",
        measured(base=across_words),
    ),
    Mistake(
        "your baseline is taken over pairs of one word. It is the mean over all pairs of different rows, "
        "whatever their words.",
        measured(base=of_words),
    ),
    Mistake("the baseline is added. Subtract it.", measured(combine=lambda value, base: value + base)),
    Mistake("you divide by the baseline. Subtract it.", measured(combine=lambda value, base: value / base)),
    Mistake(
        "the self-similarity is subtracted from the baseline. It is the other way round.",
        measured(combine=lambda value, base: base - value),
    ),
    Mistake(
        "you leave i = j out of the sum, but count it: n occurrences have n (n - 1) ordered pairs, not n n.",
        measured(inside=with_nothing),
    ),
    Mistake(
        "you sum each pair once and divide by n (n - 1), which counts each twice. There are n (n - 1) / "
        "2 pairs.",
        measured(inside=half),
    ),
    Mistake(
        "you compare each occurrence with the next one only. All pairs of a word count.",
        measured(inside=neighbours),
    ),
    Mistake(
        "you take the most similar pair of a word. The mean over all its pairs is asked for.",
        measured(inside=largest),
    ),
    Mistake("you take the median over a word's pairs. The mean is asked for.", measured(inside=median)),
    Mistake("these are Euclidean distances. Self-similarity is a mean of cosines.", measured(distances)),
    Mistake(
        "these are correlations: each vector has lost its mean. A cosine takes the vectors as they are.",
        measured(correlations),
    ),
    Mistake(
        "the sign of the cosines is lost. Vectors may point away from each other.",
        measured(lambda vectors: np.abs(cosine(vectors))),
    ),
    Mistake(
        "you take the mean vector off all vectors before the cosine. Leave the vectors, and subtract the "
        "baseline from the cosines.",
        measured(prepared=lambda vectors: vectors - vectors.mean(0)),
    ),
    Mistake(
        "a word that occurs once has a value in your answer: it has no pair, so leave it out.",
        measured(single=lambda base: 1 - base),
    ),
    Mistake(
        "a word that occurs once has a value in your answer: it has no pair, so leave it out.",
        measured(single=lambda base: -base),
    ),
    Mistake(
        "a word that occurs once has a value in your answer: it has no pair, so leave it out.",
        measured(single=lambda base: 0.0),
    ),
    Mistake(
        "a word that occurs once has nan in your answer: it has no pair, so leave it out.",
        measured(single=lambda base: np.nan),
    ),
    Mistake(
        "words that occur twice are missing in your answer. Two occurrences are one pair.", measured(least=3)
    ),
    *pairs(
        measured,
        (dict(inside=everything), "each occurrence is compared with itself, too"),
        (dict(base=zero_base), "the baseline is missing"),
        (dict(similar=products), "scalar products stand in place of cosines"),
        (dict(single=lambda base: 1 - base), "a word that occurs once has a value"),
        (dict(base=across_words), "the baseline is taken over pairs of different words"),
    ),
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
