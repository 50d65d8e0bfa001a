"""Known mistakes about `nearest_sense`, the sense of the most similar other occurrence, and its inputs.

Wiedemann et al. (2019, arXiv 1909.10430). Axes: L layers, N occurrences, D hidden.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs

LAST, UNKNOWN = 4, -1  # the layers that count; the sense of an occurrence without a neighbour
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
    """(layers, words, senses): vectors of unlike lengths, layers of unlike size, some vectors opposite."""
    N = len(words)
    layers = rng.normal(size=(L, N, D)) * rng.uniform(0.5, 3, size=(N, 1))
    layers *= (0.4 + np.arange(L) % 3)[:, None, None]
    layers[:, 1] = -layers[:, 0] + rng.normal(size=(L, D)) / 20  # most unlike, whatever is between them
    return layers.astype(dtype), np.array(words), rng.integers(7, size=N)


def opposite(rng: np.random.Generator) -> tuple:
    """A word whose two occurrences point away from each other, and another word that is nearer to both."""
    layers, words, senses = inputs(rng, [3, 3, 8, 8])
    layers[:, 2], layers[:, 3] = layers[:, 0] * 1.5, layers[:, 1] / 2
    return layers, words, np.array([1, 2, 3, 4])


def cases(rng: np.random.Generator) -> list[tuple]:
    sizes = ((6, 3), (5, 2), (4, 4), (7, 3), (6, 2), (13, 4))
    return [
        *(
            inputs(rng, words, L, D, np.float32 if L == 7 else np.float64)
            for words, (L, D) in zip(WORDS, sizes)
        ),
        opposite(rng),
    ]


def last_four(layers: np.ndarray) -> np.ndarray:
    if len(layers) < LAST:
        raise ValueError(f"{len(layers)} layers, but {LAST} are needed")  # no example shrinks below them
    return np.concatenate(list(layers[-LAST:]), -1)


def cosine(vectors: np.ndarray) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit @ unit.T


def of_the_word(words: np.ndarray) -> np.ndarray:
    return (words[:, None] == words) & ~np.eye(len(words), dtype=bool)


def most_similar(similar: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.where(others, similar, -np.inf).argmax(1)


def neighbour(
    stands_for: Callable = last_four,
    similar: Callable = cosine,
    others: Callable = of_the_word,
    pick: Callable = most_similar,
    alone: Callable = lambda senses: UNKNOWN,
    read: Callable = lambda senses, nearest: senses[nearest],
) -> Callable:
    """Build the function with some pieces replaced.

    stands_for(layers): (N, D'); similar: (N, N); others(words): (N, N) bool; pick(similar, others): (N,);
    alone(senses): the answer without a neighbour.
    """

    def nearest_sense(layers, words, senses):
        may = others(words)
        nearest = pick(similar(stands_for(layers)), may)
        return np.where(may.any(1), read(senses, nearest), alone(senses))

    return nearest_sense


def euclidean(vectors: np.ndarray) -> np.ndarray:
    return -np.linalg.norm(vectors[:, None] - vectors, axis=-1)


def each_layer_alike(layers: np.ndarray) -> np.ndarray:
    """The last layers side by side, each made one of norm 1 first."""
    top = layers[-LAST:]
    return np.concatenate(list(top / np.linalg.norm(top, axis=-1, keepdims=True)), -1)


def most_frequent(layers: np.ndarray, words: np.ndarray, senses: np.ndarray) -> np.ndarray:
    """The most frequent sense among the other occurrences of the word, the smallest of several."""
    result = np.full(len(words), UNKNOWN)
    for n, may in enumerate(of_the_word(words)):
        if may.any():
            result[n] = np.bincount(senses[may]).argmax()
    return result


def centroid(layers: np.ndarray, words: np.ndarray, senses: np.ndarray) -> np.ndarray:
    """The sense whose mean vector, of the other occurrences, is the most similar."""
    vectors, result = last_four(layers), np.full(len(words), UNKNOWN)
    for n, may in enumerate(of_the_word(words)):
        if may.any():
            known = np.unique(senses[may])
            means = np.stack([vectors[may & (senses == sense)].mean(0) for sense in known])
            result[n] = known[(means @ vectors[n] / np.linalg.norm(means, axis=1)).argmax()]
    return result


CUT = "The last four layers stand side by side: 4 D numbers for each occurrence."
SENSES = (
    Mistake(
        "you found each occurrence itself, which is the most similar of all: its sense is what you are "
        "to guess. Leave i = j out.",
        neighbour(others=lambda words: words[:, None] == words),
    ),
    Mistake(
        "you look among all words. The senses of another word say nothing: only occurrences of the same "
        "word are neighbours.",
        neighbour(others=lambda words: ~np.eye(len(words), dtype=bool)),
    ),
    Mistake(
        "these are scalar products, which prefer long vectors. Divide by the norms: cosine.",
        neighbour(similar=lambda x: x @ x.T),
    ),
    Mistake("these are Euclidean distances. Similar means by cosine.", neighbour(similar=euclidean)),
    Mistake(
        "you took the most unlike occurrence. The most similar one has the largest cosine.",
        neighbour(similar=lambda x: -cosine(x)),
    ),
    Mistake(
        "the sign of the cosine is lost: vectors that point away from each other are most unlike.",
        neighbour(similar=lambda x: np.abs(cosine(x))),
    ),
    Mistake(
        "this is the number of the nearest occurrence. Give its sense: senses[nearest].",
        neighbour(read=lambda senses, nearest: nearest),
    ),
    Mistake(
        "this is the number of the nearest occurrence, and 0 for a word that occurs once. Give its "
        "sense, senses[nearest], or -1.",
        neighbour(read=lambda senses, nearest: nearest, alone=lambda senses: 0),
    ),
    Mistake(f"you use the last layer alone. {CUT}", neighbour(lambda layers: layers[-1])),
    Mistake(
        f"you add the last four layers up, or average them. {CUT}",
        neighbour(lambda layers: layers[-LAST:].sum(0)),
    ),
    Mistake(
        f"you mix the occurrences: the axes (L, N, D) must become (N, L, D) before `reshape`. {CUT}",
        neighbour(lambda layers: layers[-LAST:].reshape(layers.shape[1], -1)),
    ),
    Mistake(
        f"you use the first four layers. {CUT}",
        neighbour(lambda layers: np.concatenate(list(layers[:LAST]), -1)),
    ),
    Mistake(f"you use all layers. {CUT}", neighbour(lambda layers: np.concatenate(list(layers), -1))),
    Mistake(
        f"you use the last three layers. {CUT}",
        neighbour(lambda layers: np.concatenate(list(layers[-LAST + 1 :]), -1)),
    ),
    Mistake(
        f"you leave the last layer out: layers[-4:-1] has three. {CUT}",
        neighbour(lambda layers: np.concatenate(list(layers[-LAST:-1]), -1)),
    ),
    Mistake(
        "you take the cosine in each layer and add up. Put the four layers side by side first, then one "
        "cosine.",
        neighbour(each_layer_alike),
    ),
    Mistake(
        "an occurrence that is the only one of its word has no neighbour: -1.",
        neighbour(alone=lambda senses: senses),
    ),
    Mistake(
        "an occurrence that is the only one of its word gets the sense of the first occurrence in your "
        "answer: argmax of a row without a choice is 0. It gets -1.",
        neighbour(alone=lambda senses: senses[0]),
    ),
    Mistake(
        "an occurrence that is the only one of its word gets the sense 0 in your answer, which is a "
        "sense. It gets -1.",
        neighbour(alone=lambda senses: 0),
    ),
    Mistake(
        "you set what may not be chosen to 0, and a cosine may be below 0. Set it to -np.inf.",
        neighbour(pick=lambda similar, others: np.where(others, similar, 0).argmax(1)),
    ),
    Mistake(
        "this is the most frequent sense of the word. Take that of the most similar occurrence.",
        most_frequent,
    ),
    Mistake(
        "you compare with the mean vector of each sense. Compare with each occurrence, and take the "
        "sense of the most similar one.",
        centroid,
    ),
    Mistake(
        "you look at earlier occurrences only. Later ones are neighbours, too.",
        neighbour(others=lambda words: np.tril(of_the_word(words))),
    ),
    Mistake(
        "you look at later occurrences only. Earlier ones are neighbours, too.",
        neighbour(others=lambda words: np.triu(of_the_word(words))),
    ),
    Mistake(
        "your neighbours are occurrences of other words. They must be of the same word.",
        neighbour(others=lambda words: words[:, None] != words),
    ),
    *pairs(
        neighbour,
        (dict(stands_for=lambda layers: layers[-1]), "the last layer alone is used"),
        (dict(similar=lambda x: x @ x.T), "scalar products stand in place of cosines"),
        (dict(others=lambda words: ~np.eye(len(words), dtype=bool)), "you look among all words"),
        (
            dict(pick=lambda similar, others: np.where(others, similar, 0).argmax(1)),
            "what may not be chosen is set to 0",
        ),
        (dict(similar=euclidean), "distances are Euclidean"),
    ),
)


def own_sense_is_not_read(f: Callable, rng: np.random.Generator) -> bool:
    """True if another sense of one occurrence leaves the answer about it."""
    layers, words, senses = inputs(rng, WORDS[1])
    before = np.asarray(f(layers, words, senses))
    for n in range(len(words)):
        other = senses.copy()
        other[n] += 50
        if np.asarray(f(layers, words, other))[n] != before[n]:
            return False
    return True


def copies_find_each_other(f: Callable, rng: np.random.Generator) -> bool:
    """True if two occurrences with the same vectors get each other's senses."""
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
