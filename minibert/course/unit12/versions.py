"""Versions of `tree_distances`, right and wrong, that the student's test has to tell apart.

Hewitt and Manning (2019, NAACL), section 2: a structural probe learns the number of edges between each two
words of a dependency tree. Axes: T words.
"""

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from ..checks.student_tests import Version

Parents = Sequence[int]


def to_root(parents: Parents, word: int) -> list[int]:
    """The word, its head, the head of that, up to the root."""
    path = [word]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
    return path


def depths(parents: Parents) -> np.ndarray:
    return np.array([len(to_root(parents, word)) - 1 for word in range(len(parents))])


def by_meeting(parents: Parents) -> np.ndarray:
    """Along both paths to the root, up to the first word that both have."""

    def distance(i, j):
        up, other = to_root(parents, i), to_root(parents, j)
        return next(a + other.index(word) for a, word in enumerate(up) if word in other)

    T = range(len(parents))
    return np.array([[distance(i, j) for j in T] for i in T])


def by_search(parents: Parents) -> np.ndarray:
    """By a breadth-first search from each word, as numbers with a decimal point."""
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
    """Floyd and Warshall: every way over a third word may shorten a way."""
    T = len(parents)
    result = np.where(np.eye(T, dtype=bool), 0, 2 * T)
    for word, head in enumerate(parents):
        if head >= 0:
            result[word, head] = result[head, word] = 1
    for k in range(T):
        result = np.minimum(result, result[:, k, None] + result[None, k])
    return result


def after(change: Callable) -> Callable:
    """Build the function with a change of its right result: change(distances, parents)."""
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
    """Only the way from a word up to its heads; 0 for all other pairs."""
    return np.array(
        [
            [path.index(j) if j in path else 0 for j in range(len(parents))]
            for path in (to_root(parents, i) for i in range(len(parents)))
        ]
    )


def last_as_head(parents: Parents) -> np.ndarray:
    """The root's -1, taken as the last word."""
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
    """Head 0 taken for no head: words that do not meet then are as far apart as both are from their tops."""
    tops = [[*to_root([head if head > 0 else -1 for head in parents], word)] for word in range(len(parents))]

    def distance(path, other):
        met = [up + other.index(word) for up, word in enumerate(path) if word in other]
        return met[0] if met else len(path) + len(other) - 2

    return np.array([[distance(path, other) for other in tops] for path in tops])


RIGHT = (
    Version("one that goes up from both words to where they meet", by_meeting),
    Version("one that searches from each word, and gives its whole numbers as floats", by_search),
    Version("one that shortens ways over third words", by_shortening),
)
WRONG = (
    Version("gives the distance in the text, |i - j|", after(along_the_text)),
    Version("goes over the root, even where two words meet below it", after(over_the_root)),
    Version("gives the difference of the depths, which is 0 for two words of one head", after(of_depths)),
    Version("goes from a word up to its heads only, so that it is not symmetric", after(upwards)),
    Version(
        "counts the words on the way, not the edges: one too many for two different words",
        after(lambda distances, parents: distances + (distances > 0)),
    ),
    Version("takes the root's -1 for the last word, as Python's indices do", last_as_head),
    Version("says 2 for all words that are not head and dependent", after(one_or_two)),
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
        "gives the squared distance, which is the same for 0 and 1",
        after(lambda distances, parents: distances**2),
    ),
    Version("changes its input in place", in_place),
    Version("takes head 0 for no head, as `if head:` does", nought_is_none),
)
