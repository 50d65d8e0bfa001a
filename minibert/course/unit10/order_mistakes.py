"""Test inputs for `permutation_visible`, the masks of XLNet's two streams, and common mistakes.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.permutation import permutation_visible

from ..checks.edits import edits, pairs_of_edits


def orders(rng: np.random.Generator, B: int, T: int) -> np.ndarray:
    return np.stack([rng.permutation(T) for _ in range(B)])  # (B, T)


def allowed(real: np.ndarray, order: np.ndarray) -> bool:
    """Return whether each row of `order` contains each place once."""
    return bool((np.sort(order) == np.arange(order.shape[1])).all())


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return test inputs with random orders, orders unlike their inverses, both directions, and padding."""
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
    you read `order` as a list of tokens in their order. It says for each token at which place of the order it
    is.
        $places => order = order.argsort(1)\n$places
    the content stream does not see its own token in your answer. It should, because only the query stream
    predicts that token.
        $content => $query
    the query stream sees its own token, which it should predict. It should see only tokens that are earlier
    in the order.
        $query => $content
    your two results are swapped. Return the content stream first, which sees its own token, then the query
    stream.
        return result[::-1]
    each token sees the tokens that are later in the order. It should see those that are earlier.
        $content => anyone & (key >= query)
        $query => anyone & (key > query)
    you swapped the last two axes. Rows are the tokens that attend, and columns those that are attended to.
        return tuple(stream.swapaxes(1, 2) for stream in result)
    you do not mask the padding. Use `real`, which says which tokens may be seen.
        $anyone => True
    you apply `real` to the rows, the tokens that attend. Apply it to the columns, because padding must not be
    seen.
        $anyone => real[:, :, None]
    you also set the rows of padding to False. Treat them like all others; they are never used.
        $anyone => real[:, None, :] & real[:, :, None]
    you use the order of the first sequence for the whole batch. Use each sequence's own order.
        $places => order = np.repeat(order[:1], len(order), 0)\n$places
    you ignore `order`: each token sees the tokens on its left in the text. Compare places in the order.
        $places => order = np.broadcast_to(np.arange(order.shape[1]), order.shape)\n$places
    you compare a position in the text with a place in the order. Compare the places of the two tokens.
        $places => query, key = order[:, :, None], np.arange(order.shape[1])
    the content stream sees everything in your answer, as in BERT. It should see only its own token and those
    earlier in the order.
        $content => anyone
    the query stream sees everything except its own token. It should see only tokens that are earlier in the
    order.
        $query => anyone & (key != query)
    the content stream sees only its own token. It should also see the tokens that are earlier in the order.
        $content => anyone & (key == query)
    each token sees only the one immediately before it in the order. It should see all earlier tokens.
        $content => anyone & ((key == query) | (key == query - 1))
        $query => anyone & (key == query - 1)
    a padding token sees itself in the content stream. Hide padding from all tokens, even from itself.
        $content => $content | np.eye(real.shape[1], dtype=bool)
    your result is True for the tokens that are not visible. Invert it, because True means visible.
        return tuple(~stream for stream in result)
    the query stream sees only tokens on the left in the text. Use only the order to decide which tokens are
    visible.
        return result[0], np.tril(result[1])
    both streams see only tokens on the left in the text. Use only the order to decide which tokens are
    visible.
        return tuple(map(np.tril, result))
    """,
) + pairs_of_edits(
    permutation_visible,
    PIECES
    + r"""
    the content stream does not see its own token, but it should
        $content => $query
    the query stream sees its own token, which it should predict
        $query => $content
    padding is not masked, although `real` says where it is
        $anyone => True
    `real` is applied to the tokens that attend, not to those that are attended to
        $anyone => real[:, :, None]
    `order` is read as the list of tokens, although order[b, t] is the place of token t
        $places => order = order.argsort(1)\n$places
    """,
)


def only_the_diagonal_differs(f: Callable, rng: np.random.Generator) -> bool:
    content, query = f(np.ones((2, 6), bool), orders(rng, 2, 6))
    return np.array_equal(content ^ query, np.broadcast_to(np.eye(6, dtype=bool), (2, 6, 6)))


def first_and_last(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's first query in the order sees no token, and the last one all other tokens."""
    order = rng.permutation(6)[None]
    _, query = f(np.ones((1, 6), bool), order)
    counts = query[0].sum(-1)
    return counts[order[0] == 0][0] == 0 and counts[order[0] == 5][0] == 5


def causal(f: Callable, rng: np.random.Generator) -> bool:
    content, _ = f(np.ones((1, 5), bool), np.arange(5)[None])
    return np.array_equal(content[0], np.tril(np.ones((5, 5), bool)))
