"""Known mistakes in `permutation_visible` (XLNet's two streams), and the inputs that reveal them.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.permutation import permutation_visible

from ..checks.edits import edits, pairs_of_edits


def orders(rng: np.random.Generator, B: int, T: int) -> np.ndarray:
    return np.stack([rng.permutation(T) for _ in range(B)])  # (B, T)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return random orders, orders that differ from their inverse, both reading directions, and padding."""
    anywhere = rng.random((3, 6)) < 0.7
    anywhere[:, 2:4] = [[True, False], [False, True], [True, True]]
    wheel = np.roll(np.arange(5), 2)  # not its own inverse
    return [
        (np.ones((1, 5), bool), wheel[None]),
        (anywhere, orders(rng, 3, 6)),
        (np.arange(5) < np.array([5, 3])[:, None], np.stack([wheel, rng.permutation(5)])),
        (np.ones((2, 7), bool), orders(rng, 2, 7)),
        (np.ones((1, 4), bool), np.arange(4)[None]),
        (np.ones((1, 4), bool), np.arange(4)[None, ::-1].copy()),
        (np.ones((1, 1), bool), np.zeros((1, 1), int)),
        (np.array([[False, True, True, False, True], [True] * 5]), np.stack([wheel, wheel[::-1]])),
    ]


PIECES = """
    $anyone = visible_all(real)
    $places = query, key = order[:, :, None], order[:, None, :]
    $content = anyone & (key <= query)
    $query = anyone & (key < query)
    """
ORDER = edits(
    permutation_visible,
    PIECES
    + r"""
    you read `order` as its inverse. order[b, t] is the place of token t in the order; you read
    it as the token at place t.
        $places => order = order.argsort(1)\n$places
    the content stream does not see its own token. It may, because the content of a token is for others to
    read. Only the query stream must not.
        $content => $query
    the query stream sees its own token, which is the one that it predicts: that is a leak. It sees only
    what is earlier in the order.
        $query => $content
    the two results are swapped. The content stream, which sees its own token, comes
    first, then the query stream.
        return result[::-1]
    this is the wrong way round. Your tokens see what is later in the order; they should see what is earlier.
        $content => anyone & (key >= query)
        $query => anyone & (key > query)
    the last two axes are swapped. Rows are the tokens that attend, columns the tokens that are
    attended to: visible[b, t, s].
        return tuple(stream.swapaxes(1, 2) for stream in result)
    you do not mask the padding. `real` says which tokens may be seen.
        $anyone => True
    you apply `real` to the tokens that attend, which are the rows. Padding must not be seen, so
    apply `real` to the columns.
        $anyone => real[:, :, None]
    you also empty the rows of padding. Fill them like all others: nothing reads their results.
        $anyone => real[:, None, :] & real[:, :, None]
    every sequence of the batch gets the order of the first. Each has its own.
        $places => order = np.repeat(order[:1], len(order), 0)\n$places
    you do not use `order`: your tokens see what is on their left in the text. Compare
    places in the order instead.
        $places => order = np.broadcast_to(np.arange(order.shape[1]), order.shape)\n$places
    you compare a token's position in the text with a place in the order. Compare the places of both tokens:
    order[b, s] and order[b, t].
        $places => query, key = order[:, :, None], np.arange(order.shape[1])
    the content stream sees everything in your answer, as in BERT. It may see only what
    is not later in the order.
        $content => anyone
    the query stream sees everything but its own token. It may see only what is earlier in the order.
        $query => anyone & (key != query)
    the content stream sees only its own token. It also sees what is earlier in the order.
        $content => anyone & (key == query)
    your tokens see only the one right before them in the order. They should see all earlier ones.
        $content => anyone & ((key == query) | (key == query - 1))
        $query => anyone & (key == query - 1)
    a padding token sees its own content in your answer. Padding is never seen, not even by itself.
        $content => $content | np.eye(real.shape[1], dtype=bool)
    your result is True where a token may not look. Invert it: True means visible.
        return tuple(~stream for stream in result)
    the query stream sees only tokens on the left in the text. The order alone decides.
        return result[0], np.tril(result[1])
    both streams see only tokens on the left in the text. The order alone decides.
        return tuple(map(np.tril, result))
    """,
) + pairs_of_edits(
    permutation_visible,
    PIECES
    + r"""
    the content stream does not see its own token
        $content => $query
    the query stream sees its own token
        $query => $content
    padding is not masked
        $anyone => True
    `real` is applied to the tokens that attend
        $anyone => real[:, :, None]
    `order` is read as its inverse
        $places => order = order.argsort(1)\n$places
    """,
)


def only_the_diagonal_differs(f: Callable, rng: np.random.Generator) -> bool:
    content, query = f(np.ones((2, 6), bool), orders(rng, 2, 6))
    return np.array_equal(content ^ query, np.broadcast_to(np.eye(6, dtype=bool), (2, 6, 6)))


def first_and_last(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the first query sees nothing, and the last one all other tokens."""
    order = rng.permutation(6)[None]
    _, query = f(np.ones((1, 6), bool), order)
    counts = query[0].sum(-1)
    return counts[order[0] == 0][0] == 0 and counts[order[0] == 5][0] == 5


def causal(f: Callable, rng: np.random.Generator) -> bool:
    content, _ = f(np.ones((1, 5), bool), np.arange(5)[None])
    return np.array_equal(content[0], np.tril(np.ones((5, 5), bool)))
