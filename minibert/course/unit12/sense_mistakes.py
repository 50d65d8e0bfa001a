"""Test inputs for `nearest_sense`, which takes the sense of the most similar occurrence, and common mistakes.

Wiedemann et al. (2019, arXiv 1909.10430). Axes: L layers, N occurrences, D hidden.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits

LAST, UNKNOWN = 4, -1  # the number of layers used; the sense of an occurrence without a neighbour
WORDS = (
    [7, 7, 7, 2, 2, 7, 2, 5],
    [1, 4, 4, 1, 9, 4, 1, 4, 1, 4],
    [3, 3],
    [6, 0, 8, 6, 0, 6, 0, 6, 0, 6, 6, 0],
    [2, 2, 2, 2, 2, 2, 2, 2, 2],
    [5, 1, 5, 1, 5, 5, 1, 3, 1, 1, 5],
)


def inputs(
    rng: np.random.Generator, words: list[int], L: int = 6, D: int = 3, dtype: type = np.float64
) -> tuple:
    """Return random (layers, words, senses) with vectors of different norms, some nearly opposite."""
    N = len(words)
    layers = rng.normal(size=(L, N, D)) * rng.uniform(0.5, 3, size=(N, 1))
    layers *= (0.4 + np.arange(L) % 3)[:, None, None]
    layers[:, 1:2] = rng.normal(size=(L, 1, D)) / 20 - layers[:, :1]  # the least similar pair
    return layers.astype(dtype), np.array(words), rng.integers(7, size=N)


def allowed(layers: np.ndarray, words: np.ndarray, senses: np.ndarray) -> bool:
    """Return whether there are enough layers, and no occurrence has only zeros in the last ones."""
    return len(layers) >= LAST and bool(layers[-LAST:].any((0, 2)).all())


def opposite(rng: np.random.Generator) -> tuple:
    """Return inputs in which a word's two occurrences have opposite vectors, closer to another word's."""
    layers, words, senses = inputs(rng, [3, 3, 8, 8])
    layers[:, 2], layers[:, 3] = layers[:, 0] * 1.5, layers[:, 1] / 2
    return layers, words, np.array([1, 2, 3, 4])


def exactly_opposite(rng: np.random.Generator) -> tuple:
    """Return inputs in which a word's only other occurrence has the cosine -1, as low as possible."""
    layers, words, senses = inputs(rng, [5, 8, 8])
    layers[:, :, 1:] = 0
    layers[:-1, 1:] = 0
    layers[:, 1], layers[:, 2] = abs(layers[:, 1]), -abs(layers[:, 2])
    return layers, words, np.array([1, 2, 3])


def short_and_nearest(rng: np.random.Generator) -> tuple:
    """Return inputs in which the nearest occurrence has the norm 1e-5, and another is almost as near."""
    layers, words, senses = inputs(rng, [4, 4, 4], L=4, D=2)
    layers[:, 0] = rng.uniform(0.5, 1, size=(4, 2))
    turned = layers[:, 0] * ([[1, -1], [-1, 1]] * 2)
    layers[:, 1] = (layers[:, 0] + 0.003 * turned) * 1e-5 / np.linalg.norm(layers[:, 0])
    layers[:, 2] = layers[:, 0] + 0.03 * turned  # a cosine of about 0.9995
    return layers, words, np.array([1, 2, 3])


def cases(rng: np.random.Generator) -> list[tuple]:
    sizes = ((6, 3), (5, 2), (4, 4), (7, 3), (6, 2), (13, 4))
    return [
        *(
            inputs(rng, words, L, D, np.float32 if L == 7 else np.float64)
            for words, (L, D) in zip(WORDS, sizes)
        ),
        opposite(rng),
        exactly_opposite(rng),
        short_and_nearest(rng),
        inputs(rng, [4]),
    ]


def plain(layers: np.ndarray, words: np.ndarray, senses: np.ndarray) -> np.ndarray:
    vectors = np.concatenate(list(layers[-LAST:]), -1)  # (N, 4 D)
    unit = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    similar = unit @ unit.T
    others = (words[:, None] == words) & ~np.eye(len(words), dtype=bool)
    nearest = np.where(others, similar, -np.inf).argmax(1)
    return np.where(others.any(1), senses[nearest], UNKNOWN)


def most_frequent(senses: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the most frequent sense among a word's other occurrences; in a tie, the smallest number."""
    return np.array([np.bincount(senses[may]).argmax() if may.any() else UNKNOWN for may in others])


def centroid(vectors: np.ndarray, senses: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return, for each occurrence, the sense whose mean vector, without the occurrence, is most similar."""
    result = np.full(len(senses), UNKNOWN)
    for n, may in enumerate(others):
        if may.any():
            known = np.unique(senses[may])
            means = np.stack([vectors[may & (senses == sense)].mean(0) for sense in known])
            result[n] = known[(means @ vectors[n] / np.linalg.norm(means, axis=1)).argmax()]
    return result


SENSES = (
    *edits(
        plain,
        """
        $vectors = np.concatenate(list(layers[-LAST:]), -1)
        $similar = unit @ unit.T
        $others = (words[:, None] == words) & ~np.eye(len(words), dtype=bool)
        $result = np.where(others.any(1), senses[nearest], UNKNOWN)

        you compare each occurrence with itself, which is always the most similar. Leave it out.
            $others => words[:, None] == words
        you search among all words. Search only among occurrences of the same word.
            $others => ~np.eye(len(words), dtype=bool)
        you use dot products, which favour long vectors. Divide by the norms to get cosines.
            $similar => vectors @ vectors.T
        you use Euclidean distances. Use cosines.
            $similar => -np.linalg.norm(vectors[:, None] - vectors, axis=-1)
        you choose the least similar occurrence. Choose the most similar one, which has the largest cosine.
            $similar => -unit @ unit.T
        you take the absolute value of the cosine. Keep the sign: vectors that point in opposite directions
        are the least similar.
            $similar => np.abs(unit @ unit.T)
        you return the index of the nearest occurrence. Return its sense.
            senses[nearest] => nearest
        you return the index of the nearest occurrence, and 0 for a word that occurs once. Return its sense,
        and -1 for such a word.
            senses[nearest], UNKNOWN => nearest, 0
        you use only the last layer. Concatenate the last four.
            $vectors => layers[-1]
        you add or average the last four layers. Concatenate them.
            $vectors => layers[-LAST:].sum(0)
        you mix different occurrences. Put the occurrence axis first before you reshape.
            $vectors => layers[-LAST:].reshape(layers.shape[1], -1)
        you use the first four layers. Concatenate the last four.
            layers[-LAST:] => layers[:LAST]
        you use all layers. Concatenate the last four.
            layers[-LAST:] => layers
        you use the last three layers. Concatenate the last four.
            layers[-LAST:] => layers[-LAST + 1 :]
        you leave out the last layer. Check the end of your slice.
            layers[-LAST:] => layers[-LAST:-1]
        you normalise each layer separately. Concatenate the four layers as they are.
            layers[-LAST:] => layers[-LAST:] / np.linalg.norm(layers[-LAST:], axis=-1, keepdims=True)
        you return a sense for a word that occurs only once. Return -1, because it has no neighbour.
            UNKNOWN => senses
        you return the sense of occurrence 0 for a word that occurs only once. Return -1.
            UNKNOWN => senses[0]
        you return 0 for a word that occurs only once, but 0 is a sense. Return -1.
            UNKNOWN => 0
        you set cosines that are not allowed to 0, but allowed ones may be negative. Use minus infinity.
            -np.inf => 0
        you return the most frequent sense of the word. Return the sense of the most similar occurrence.
            $result => most_frequent(senses, others)
        you compare with the mean vector of each sense. Compare with each occurrence separately.
            $result => centroid(vectors, senses, others)
        you use only earlier occurrences. Use later ones too.
            $others => np.tril($others)
        you use only later occurrences. Use earlier ones too.
            $others => np.triu($others)
        you choose neighbours among the occurrences of other words. Choose them among those of the same word.
            $others => words[:, None] != words
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        you use only the last layer instead of the last four
            np.concatenate(list(layers[-LAST:]), -1) => layers[-1]
        you use dot products instead of cosines
            unit @ unit.T => vectors @ vectors.T
        you search among all words, not among occurrences of the same word
            (words[:, None] == words) & ~ => ~
        you set cosines that are not allowed to 0 instead of -np.inf
            -np.inf => 0
        you use Euclidean distances instead of cosines
            unit @ unit.T => -np.linalg.norm(vectors[:, None] - vectors, axis=-1)
        """,
    ),
)


def own_sense_is_not_read(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the sense that f predicts is independent of an occurrence's true sense."""
    layers, words, senses = inputs(rng, WORDS[1])
    before = np.asarray(f(layers, words, senses))
    for n in range(len(words)):
        other = senses.copy()
        other[n] += 50
        if np.asarray(f(layers, words, other))[n] != before[n]:
            return False
    return True


def copies_find_each_other(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f gives each of two occurrences with equal vectors the sense of the other."""
    layers, words, senses = inputs(rng, [4, 4, 4, 4, 4])
    layers[:, 3] = layers[:, 2]
    found = np.asarray(f(layers, words, senses + np.arange(5) * 10))
    return bool(found[2] == senses[3] + 30 and found[3] == senses[2] + 20)


def other_words_are_not_read(f: Callable, rng: np.random.Generator) -> bool:
    layers, words, senses = inputs(rng, WORDS[3])
    six = words == 6
    return np.array_equal(
        np.asarray(f(layers, words, senses))[six], f(layers[:, six], words[six], senses[six])
    )
