"""Correct and wrong versions of `tree_distances`, which the student's test must tell apart.

Hewitt and Manning (2019, NAACL), section 2: a structural probe learns the number of edges between any two
words in a dependency tree. Axes: T words.
"""

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from ..checks.student_tests import Version

Parents = Sequence[int]


def to_root(parents: Parents, word: int) -> list[int]:
    """Return the indices of a word, its head, its head's head, and so on up to the root."""
    path = [word]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
    return path


def depths(parents: Parents) -> np.ndarray:
    return np.array([len(to_root(parents, word)) - 1 for word in range(len(parents))])


def by_meeting(parents: Parents) -> np.ndarray:
    """Return the distances between words in a tree, found where their paths to the root first meet."""

    def distance(i, j):
        up, other = to_root(parents, i), to_root(parents, j)
        return next(a + other.index(word) for a, word in enumerate(up) if word in other)

    T = range(len(parents))
    return np.array([[distance(i, j) for j in T] for i in T])


def by_search(parents: Parents) -> np.ndarray:
    """Return the distances between words in a tree as floats, using breadth-first search from each word."""
    T = len(parents)
    result = np.zeros((T, T))
    for start in range(T):
        waiting, seen = deque([(start, 0)]), {start}
        while waiting:
            word, steps = waiting.popleft()
            result[start, word] = steps
            for other in range(T):
                if other not in seen and (parents[other] == word or parents[word] == other):
                    seen.add(other)
                    waiting.append((other, steps + 1))
    return result


def by_shortening(parents: Parents) -> np.ndarray:
    """Return the distances between words in a tree, using the Floyd-Warshall algorithm."""
    T = len(parents)
    result = np.where(np.eye(T, dtype=bool), 0, 2 * T)
    for word, head in enumerate(parents):
        if head >= 0:
            result[word, head] = result[head, word] = 1
    for k in range(T):
        result = np.minimum(result, result[:, k, None] + result[None, k])
    return result


def after(change: Callable) -> Callable:
    """Return a function that returns change(distances, parents) instead of the correct distances."""
    return lambda parents: change(by_meeting(parents), parents)


def along_the_text(distances: np.ndarray, parents: Parents) -> np.ndarray:
    T = np.arange(len(parents))
    return abs(T[:, None] - T)


def over_the_root(distances: np.ndarray, parents: Parents) -> np.ndarray:
    depth = depths(parents)
    return np.where(np.eye(len(parents), dtype=bool), 0, depth[:, None] + depth)


def of_depths(distances: np.ndarray, parents: Parents) -> np.ndarray:
    depth = depths(parents)
    return abs(depth[:, None] - depth)


def upwards(distances: np.ndarray, parents: Parents) -> np.ndarray:
    """Return the distances from each word to its head, its head's head and so on, and 0 for other pairs."""
    return np.array(
        [
            [path.index(j) if j in path else 0 for j in range(len(parents))]
            for path in (to_root(parents, i) for i in range(len(parents)))
        ]
    )


def last_as_head(parents: Parents) -> np.ndarray:
    """Return the wrong distances that result from reading the root's parent, -1, as the last word."""
    T = len(parents)
    result = np.where(np.eye(T, dtype=bool), 0, 2 * T)
    for word, head in enumerate(parents):
        if head % T != word:
            result[word, head] = result[head, word] = 1
    for k in range(T):
        result = np.minimum(result, result[:, k, None] + result[None, k])
    return result


def one_or_two(distances: np.ndarray, parents: Parents) -> np.ndarray:
    return np.minimum(distances, 2)


def in_place(parents: Parents) -> np.ndarray:
    result = by_meeting(parents)
    for word, head in enumerate(parents):
        if head < 0:
            parents[word] = word  # type: ignore[index]  # a list, which is the mistake
    return result


def nought_is_none(parents: Parents) -> np.ndarray:
    """Return the wrong distances that result from reading head 0 as no head, which splits the tree."""
    tops = [[*to_root([head if head > 0 else -1 for head in parents], word)] for word in range(len(parents))]

    def distance(path, other):
        met = [up + other.index(word) for up, word in enumerate(path) if word in other]
        return met[0] if met else len(path) + len(other) - 2

    return np.array([[distance(path, other) for other in tops] for path in tops])


def first_as_root(parents: Parents) -> np.ndarray:
    """Return the wrong distances that result from ignoring the first word's head."""
    return by_shortening([-1, *parents[1:]])


RIGHT = (
    Version("one that goes up from both words until the paths meet", by_meeting),
    Version("one that searches from each word, and returns floats", by_search),
    Version("one that shortens paths by going through third words", by_shortening),
)
WRONG = (
    Version("returns the distance in the text, |i - j|", after(along_the_text)),
    Version("goes through the root, even if the two words meet below it", after(over_the_root)),
    Version("returns the difference of the depths, which is 0 for two words with one head", after(of_depths)),
    Version("goes only from a word up to its heads, so that the table is not symmetric", after(upwards)),
    Version(
        "counts the words on the path, not the edges: one too many for two different words",
        after(lambda distances, parents: distances + (distances > 0)),
    ),
    Version("reads the root's -1 as the last word, like a Python index", last_as_head),
    Version("returns 2 for all pairs of words that are not head and dependent", after(one_or_two)),
)
MORE = (
    Version("leaves the lower triangle at 0", after(lambda distances, parents: np.triu(distances))),
    Version(
        "stops at 3, however far two words are apart",
        after(lambda distances, parents: np.minimum(distances, 3)),
    ),
    Version(
        "has 1 on its diagonal", after(lambda distances, parents: distances + np.eye(len(parents), dtype=int))
    ),
    Version(
        "returns the squared distance, which is the same for 0 and 1",
        after(lambda distances, parents: distances**2),
    ),
    Version("changes its input in place", in_place),
    Version("takes head 0 for no head, like `if head:`", nought_is_none),
    Version("takes the first word for the root, and ignores its head", first_as_root),
)
