"""Test inputs for `sliding_window_visible` and `longformer_visible`, and common mistakes.

Beltagy et al. (2020, arXiv 2004.05150), section 3.1. Axes: T tokens.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import sliding_window_visible


def window_cases(rng: np.random.Generator) -> list[tuple]:
    """Return lengths and reaches, some of which are 0 or longer than the text."""
    return [
        (4, 1),
        (6, 2),
        (5, 0),
        (1, 0),
        (1, 3),
        (3, 2),
        (4, 7),
        (9, 3),
        (int(rng.integers(10, 30)), int(rng.integers(1, 6))),
        (40, 8),
        (200, 16),
    ]


def window_allowed(length: int, reach: int) -> bool:
    return length >= 1 and reach >= 0


def window(length: int, reach: int) -> np.ndarray:
    """Return what `sliding_window_visible` should."""
    at = np.arange(length)
    apart = at[None, :] - at[:, None]
    return abs(apart) <= reach


WINDOW = edits(
    window,
    """
    $visible = abs(apart) <= reach

    the window is one token too narrow on each side. A token `reach` places away is visible.
        $visible => abs(apart) < reach
    the window is one token too wide on each side. A token `reach` places away is the last one.
        $visible => abs(apart) <= reach + 1
    only earlier tokens are visible. The window reaches to both sides.
        $visible => (apart <= 0) & (apart >= -reach)
    only later tokens are visible. The window reaches to both sides.
        $visible => (apart >= 0) & (apart <= reach)
    the right end of the window is missing. The token `reach` places to the right is visible, too.
        $visible => (apart >= -reach) & (apart < reach)
    the left end of the window is missing. The token `reach` places to the left is visible, too.
        $visible => (apart > -reach) & (apart <= reach)
    `reach` is not the width of the whole window, but of one side.
        $visible => abs(apart) <= reach // 2
        or
        $visible => 2 * abs(apart) <= reach
    a token does not attend to itself in your matrix. It does.
        $visible => (abs(apart) <= reach) & (apart != 0)
    only the tokens exactly `reach` places away are visible. All those in between are, too.
        $visible => abs(apart) == reach
        or
        $visible => (abs(apart) == reach) | (apart == 0)
    your matrix is inverted. True means that the query may attend to the key.
        $visible => abs(apart) > reach
    the first token and the last one count as neighbours. A text is no circle.
        $visible => np.minimum(abs(apart), length - abs(apart)) <= reach
    the text is cut into blocks. The window moves with the token.
        $visible => at[:, None] // (reach + 1) == at // (reach + 1)
        or
        $visible => at[:, None] // (2 * reach + 1) == at // (2 * reach + 1)
        or
        $visible => at[:, None] // max(reach, 1) == at // max(reach, 1)
    all earlier tokens are visible. Only `reach` of them are.
        $visible => apart <= reach
    all later tokens are visible. Only `reach` of them are.
        $visible => apart >= -reach
    all tokens are visible. Only those in the window are.
        $visible => abs(apart) <= length
    you return how far apart the tokens are. Return whether this is at most `reach`.
        $visible => abs(apart)
    this is what is added to the scores, 0 or -inf. Return a bool array.
        $visible => np.where(abs(apart) <= reach, 0.0, -np.inf)
    """,
)


def symmetric(f: Callable, rng: np.random.Generator) -> bool:
    return np.array_equal(f(9, 2), np.transpose(f(9, 2)))


def sees_itself(f: Callable, rng: np.random.Generator) -> bool:
    return bool(np.diagonal(f(7, 0)).all() and np.diagonal(f(7, 2)).all())


def as_many(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a token in the middle attends to 2 reach + 1 tokens."""
    return all(int(np.sum(np.asarray(f(21, reach))[10])) == 2 * reach + 1 for reach in (0, 1, 4))


def long_cases(rng: np.random.Generator) -> list[tuple]:
    """Return lengths, reaches and global positions, also none, several, and in any order."""
    T = int(rng.integers(12, 30))
    return [
        (5, 1, [0]),
        (7, 1, [3]),
        (8, 2, [7, 0]),
        (6, 1, []),
        (6, 0, [2]),
        (9, 1, [2, 5]),
        (1, 0, [0]),
        (4, 9, [1]),
        (5, 1, [4, 2, 0, 1, 3]),
        (10, 3, [9]),
        (T, 2, [int(p) for p in rng.choice(T, 3, replace=False)]),
        (60, 4, [0, 30]),
    ]


def long_allowed(length: int, reach: int, positions: Sequence[int]) -> bool:
    """Return whether the positions are different and within the text."""
    inside = set(positions) <= set(range(length)) and len(set(positions)) == len(positions)
    return window_allowed(length, reach) and inside


def longformer(length: int, reach: int, positions: Sequence[int]) -> np.ndarray:
    """Return what `longformer_visible` should."""
    visible = sliding_window_visible(length, reach).copy()
    chosen = list(positions)
    visible[chosen, :] = True
    visible[:, chosen] = True
    return visible


LONG = (
    *edits(
        longformer,
        r"""
        $window = sliding_window_visible(length, reach)
        $rows = visible[chosen, :] = True
        $columns = visible[:, chosen] = True

        the other tokens do not attend to the global ones. Set their columns to True, too.
            $columns => pass
        the global tokens do not attend to all others. Set their rows to True, too.
            $rows => pass
        there is no window in your matrix. Begin with `sliding_window_visible`.
            $window => np.zeros((length, length), bool)
            or
            $window => np.eye(length, dtype=bool)
        the window is missing where there is a global token. Add the rows and columns to the window.
            $window => ($window if not positions else np.zeros((length, length), bool))
        only the global tokens attend to each other. Set whole rows and columns to True.
            $rows => visible[np.ix_(chosen, chosen)] = True
            $columns => pass
        there are no global tokens in your matrix. Set their whole rows and columns to True.
            $rows => pass
            $columns => pass
            or
            $rows => visible[chosen, chosen] = True
            $columns => pass
        only the first global token counts in your matrix. There may be several.
            list(positions) => list(positions)[:1]
        only the last global token counts in your matrix. There may be several.
            list(positions) => list(positions)[-1:]
        token 0 is always global in your matrix. Only those at `positions` are.
            list(positions) => [0, *positions]
            or
            list(positions) => [0]
        the positions are counted from 1 in your matrix. They count from 0.
            list(positions) => [p - 1 for p in positions]
        both conditions have to hold in your matrix, the window and a global token. One of them is enough.
            $rows => chosen = np.isin(np.arange(length), chosen)
            $columns => visible &= chosen[:, None] | chosen
        the global tokens are invisible. Set their rows and columns to True.
            visible[chosen, :] = True => visible[chosen, :] = False
            visible[:, chosen] = True => visible[:, chosen] = False
        your matrix is inverted. True means that the query may attend to the key.
            return visible => return ~visible
        without global tokens, an array of positions has no whole numbers. Convert them with `dtype=int`, or
        use a loop.
            list(positions) => np.array(positions)
        the neighbours of a global token become global, too. Only the token itself is.
            list(positions) => [q for q in range(length) if any(abs(q - p) <= reach for p in positions)]
        """,
    ),
    *pairs_of_edits(
        longformer,
        """
        the other tokens do not attend to the global ones
            visible[:, chosen] = True => pass
        there is no window
            sliding_window_visible(length, reach).copy() => np.zeros((length, length), bool)
        the positions are counted from 1
            list(positions) => [p - 1 for p in positions]
        the matrix is inverted
            return visible => return ~visible
        """,
    ),
)


def both_ways(f: Callable, rng: np.random.Generator) -> bool:
    visible = np.asarray(f(9, 1, [4]))
    return bool(visible[4].all() and visible[:, 4].all())


def rest_is_the_window(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether other tokens see their window and the global tokens, and nothing else."""
    visible = np.asarray(f(9, 1, [4]))
    return bool(visible[0].tolist() == [True, True, False, False, True, False, False, False, False])


def without_global(f: Callable, rng: np.random.Generator) -> bool:
    return np.array_equal(f(8, 2, []), sliding_window_visible(8, 2))
