"""Known mistakes about `permutation_visible`, XLNet's two streams, and the inputs that show them.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs


def orders(rng: np.random.Generator, B: int, T: int) -> np.ndarray:
    return np.stack([rng.permutation(T) for _ in range(B)])  # (B, T)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Orders that are drawn, orders that are not their own inverse, from the left and the right; padding."""
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


def as_keys(real: np.ndarray) -> np.ndarray:
    return real[:, None, :]


def as_queries(real: np.ndarray) -> np.ndarray:
    return real[:, :, None]


def not_later(query: np.ndarray, key: np.ndarray) -> np.ndarray:
    return key <= query


def earlier(query: np.ndarray, key: np.ndarray) -> np.ndarray:
    return key < query


def streams(
    content: Callable = not_later,
    query: Callable = earlier,
    who: Callable = as_keys,
    place: Callable = lambda order: order,
) -> Callable:
    """Build the two streams with some pieces replaced.

    content, query: which keys may be seen, of two places; who(real): what padding hides; place(order): the
    place of each token.
    """

    def permutation_visible(real, order):
        places = place(order)
        pair = places[:, :, None], places[:, None, :]
        return content(*pair) & who(real), query(*pair) & who(real)

    return permutation_visible


def before_in_text(real: np.ndarray, order: np.ndarray) -> tuple:
    T = np.arange(real.shape[1])
    seen = (T[None, :] <= order[:, :, None]) & as_keys(real)
    return seen, (T[None, :] < order[:, :, None]) & as_keys(real)


def with_diagonal(real: np.ndarray, order: np.ndarray) -> tuple:
    content, query = streams()(real, order)
    return content | np.eye(real.shape[1], dtype=bool), query


ORDER = (
    Mistake(
        "`order` is taken for its inverse. order[b, t] is the place of token t in the order; you read it "
        "as the token that stands at place t.",
        streams(place=lambda order: order.argsort(1)),
    ),
    Mistake(
        "the content stream does not see its own token. It may: the content of a token is what others "
        "read. Only the query stream must not.",
        streams(content=earlier),
    ),
    Mistake(
        "the query stream sees its own token, the very one that it predicts: that is a leak. It sees "
        "only what is earlier in the order.",
        streams(query=not_later),
    ),
    Mistake(
        "the two results have changed places: first the content stream, which sees its own token, then "
        "the query stream.",
        streams(earlier, not_later),
    ),
    Mistake(
        "this is the wrong way round: tokens see what is later in the order. They see what is earlier.",
        streams(lambda q, k: k >= q, lambda q, k: k > q),
    ),
    Mistake(
        "the last two axes have changed places. Rows are the tokens that look, columns those that are "
        "looked at: visible[b, t, s].",
        lambda real, order: tuple(x.swapaxes(1, 2) for x in streams()(real, order)),
    ),
    Mistake(
        "padding is not hidden: `real` says which tokens there are to look at.",
        streams(who=lambda real: np.ones_like(real)[:, None, :]),
    ),
    Mistake(
        "you use `real` for the tokens that look, which are the rows. Padding is never looked at: use "
        "`real[:, None, :]`.",
        streams(who=as_queries),
    ),
    Mistake(
        "you also empty the rows of padding. They look like any other token; nobody reads what they find.",
        streams(who=lambda real: as_keys(real) & as_queries(real)),
    ),
    Mistake(
        "all rows of the batch have the order of the first. Each has its own.",
        streams(place=lambda order: np.repeat(order[:1], len(order), 0)),
    ),
    Mistake(
        "`order` is not used: tokens see what stands on their left in the text. What counts is the place "
        "in the order.",
        streams(place=lambda order: np.broadcast_to(np.arange(order.shape[1]), order.shape)),
    ),
    Mistake(
        "you compare a token's position in the text with a place in the order. Compare the places of "
        "both tokens: order[b, s] and order[b, t].",
        before_in_text,
    ),
    Mistake(
        "the content stream sees everything in your answer, as BERT does. It too sees only what is not "
        "later in the order.",
        streams(content=lambda q, k: np.ones(np.broadcast(q, k).shape, bool)),
    ),
    Mistake(
        "the query stream sees everything but its own token. It sees only what is earlier in the order.",
        streams(query=lambda q, k: k != q),
    ),
    Mistake(
        "the content stream sees only its own token. It also sees what is earlier in the order.",
        streams(content=lambda q, k: k == q),
    ),
    Mistake(
        "tokens see only the one right before them in the order. They see all that are earlier.",
        streams(lambda q, k: (k == q) | (k == q - 1), lambda q, k: k == q - 1),
    ),
    Mistake(
        "a token of padding sees its own content. Padding is never looked at, not even by itself.",
        with_diagonal,
    ),
    Mistake(
        "this is True where a token may not look. Turn it round: True means visible.",
        lambda real, order: tuple(~x for x in streams()(real, order)),
    ),
    Mistake(
        "the query stream looks only at the tokens on the left in the text. The order alone decides.",
        lambda real, order: (
            streams()(real, order)[0],
            streams()(real, order)[1] & np.tril(np.ones((real.shape[1],) * 2, bool)),
        ),
    ),
    Mistake(
        "both streams look only at the tokens on the left in the text. The order alone decides.",
        lambda real, order: tuple(
            x & np.tril(np.ones((real.shape[1],) * 2, bool)) for x in streams()(real, order)
        ),
    ),
    *pairs(
        streams,
        (dict(content=earlier), "the content stream does not see its own token"),
        (dict(query=not_later), "the query stream sees its own token"),
        (dict(who=lambda real: np.ones_like(real)[:, None, :]), "padding is not hidden"),
        (dict(who=as_queries), "`real` is used for the tokens that look"),
        (dict(place=lambda order: order.argsort(1)), "`order` is taken for its inverse"),
    )[1:],
)


def only_the_diagonal_differs(f: Callable, rng: np.random.Generator) -> bool:
    content, query = f(np.ones((2, 6), bool), orders(rng, 2, 6))
    return np.array_equal(content ^ query, np.broadcast_to(np.eye(6, dtype=bool), (2, 6, 6)))


def first_and_last(f: Callable, rng: np.random.Generator) -> bool:
    """True if the first query sees nothing, and the last one all other tokens."""
    order = rng.permutation(6)[None]
    _, query = f(np.ones((1, 6), bool), order)
    counts = query[0].sum(-1)
    return counts[order[0] == 0][0] == 0 and counts[order[0] == 5][0] == 5


def causal(f: Callable, rng: np.random.Generator) -> bool:
    content, _ = f(np.ones((1, 5), bool), np.arange(5)[None])
    return np.array_equal(content[0], np.tril(np.ones((5, 5), bool)))
