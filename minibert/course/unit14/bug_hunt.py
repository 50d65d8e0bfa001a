"""The bug hunt `long_attention`: attention to a window and global tokens, with three planted bugs.

Beltagy et al. (2020, arXiv 2004.05150), section 3.1. The right end of the window is missing, the window of
the first tokens continues at the end of the text, and global tokens attend to their window only. Axes: T
tokens, K head size.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Invariant, Mistake

Positions = Sequence[int]


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def attention(
    begin: Callable[[int, int], int] = lambda t, reach: max(t - reach, 0),
    end: Callable[[int, int], int] = lambda t, reach: t + reach + 1,
    everywhere: Callable[[int, Positions], bool] = lambda t, positions: t in positions,
    seen: Callable[[Positions], Positions] = lambda positions: positions,
    scale: Callable[[np.ndarray, int], float] = lambda q, n: q.shape[1] ** -0.5,
    weights: Callable[[np.ndarray], np.ndarray] = softmax,
    both: Callable = lambda keys, positions: sorted({*keys, *positions}),
) -> Callable:
    """Return a bug-free version of the exercise `long_attention`; each argument overrides one part.

    begin, end: of the window of token t. everywhere: whether token t attends to all tokens. seen: the global
    tokens to which all attend. scale: the factor of the scores, given q and the number of keys. weights:
    makes attention weights from scores. both: unites the keys of the window and the global tokens.
    """

    def long_attention(q, k, v, reach, positions):
        T, context = len(q), np.zeros(v.shape)  # (T, K)
        for t in range(T):
            keys = both(range(begin(t, reach), min(end(t, reach), T)), seen(positions))
            if everywhere(t, positions):
                keys = range(T)
            keys = list(keys)
            scores = k[keys] @ q[t] * scale(q, len(keys))  # (keys,)
            context[t] = weights(scores) @ v[keys]
        return context

    return long_attention


def version(left: frozenset[int]) -> Callable:
    """Return the exercise `long_attention` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: the right end of the window is missing. Bug 2: positions before the first token count from the end
    of the text. Bug 3: global tokens attend to their window only.
    """
    pieces: dict[str, Callable] = {}
    if 1 in left:
        pieces["end"] = lambda t, reach: t + reach
    if 2 in left:
        pieces["begin"] = lambda t, reach: t - reach
    if 3 in left:
        pieces["everywhere"] = lambda t, positions: False
    made = attention(**pieces)

    def long_attention(q, k, v, reach, positions):
        return made(q, k, v, reach, positions)

    return long_attention


def drawn(rng: np.random.Generator, T: int, K: int, reach: int, positions: Positions = ()) -> tuple:
    q, k, v = rng.normal(size=(3, T, K))
    return q, k, v, reach, list(positions)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return inputs that show all bugs, and some on which one or two of them change nothing."""
    q, k, v, *others = drawn(rng, 6, 3, 1, [2])
    return [
        drawn(rng, 7, 4, 1),
        drawn(rng, 9, 3, 2, [4]),
        drawn(rng, 8, 2, 1, [0, 6]),
        drawn(rng, 3, 5, 3),
        drawn(rng, 4, 2, 4, [1]),
        drawn(rng, 1, 3, 1),
        drawn(rng, 12, 4, 3, [int(rng.integers(12))]),
        drawn(rng, 5, 2, 1, [4, 0, 2]),
        (*(x.astype(np.float32) for x in (q, k, v)), *others),
        (30 * q, 30 * k, v, *others),
        drawn(rng, 40, 4, 5, [0, 20]),
    ]


def allowed(q: np.ndarray, k: np.ndarray, v: np.ndarray, reach: int, positions: Positions) -> bool:
    T = len(q)
    return (
        q.shape == k.shape == v.shape
        and 1 <= reach <= T
        and set(positions) <= set(range(T))
        and len(set(positions)) == len(positions)
    )


def moved(f: Callable, rng: np.random.Generator, case: tuple, changed: int) -> np.ndarray:
    """Return which tokens' contexts change, (T,) bool, if the key and value of one token change."""
    q, k, v, reach, positions = case
    others = [x.copy() for x in (k, v)]
    for x in others:
        x[changed] += rng.uniform(1, 2, x.shape[1])
    before, after = (np.asarray(f(q, *x, reach, positions), float) for x in ((k, v), others))
    return ~np.isclose(before, after).all(1)


def right_end_is_read(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the token `reach` places to the right changes a token in the middle."""
    return bool(moved(f, rng, drawn(rng, 8, 3, 2), 5)[3])


def no_circle(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the last token changes nothing for the first ones."""
    return not moved(f, rng, drawn(rng, 9, 3, 2), 8)[:2].any()


def global_reads_all(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether every token changes a global one."""
    case = drawn(rng, 9, 3, 1, [4])
    return all(bool(moved(f, rng, case, token)[4]) for token in (0, 2, 7, 8))


def all_read_global(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a global token changes all tokens."""
    return bool(moved(f, rng, drawn(rng, 9, 3, 1, [4]), 4).all())


def a_mean(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether equal values give a context that equals them."""
    q, k, v, reach, positions = drawn(rng, 7, 3, 2, [1])
    same = np.tile(v[:1], (7, 1))
    return close(np.asarray(f(q, k, same, reach, positions)), same)


BROKEN = (
    Invariant(
        "with a reach of 2, a token in the middle attends to the second token on its right", right_end_is_read
    ),
    Invariant("without global tokens, the first token does not attend to the last one", no_circle),
    Invariant("a global token attends to all tokens", global_reads_all),
)
KEPT = (
    Invariant("all tokens attend to a global token", all_read_global),
    Invariant("if all values are the same vector, this is the context of every token", a_mean),
)


def whole(q: np.ndarray, k: np.ndarray, v: np.ndarray, reach: int, positions: Positions) -> np.ndarray:
    return np.array([softmax(k @ x / q.shape[1] ** 0.5) @ v for x in q])


LONG = (
    Mistake("every token attends to all others. Only the global tokens should.", whole),
    Mistake(
        "the window is one token too wide on the right. It ends `reach` places to the right.",
        attention(end=lambda t, reach: t + reach + 2),
    ),
    Mistake(
        "the left end of the window is missing. The token `reach` places to the left belongs to it.",
        attention(begin=lambda t, reach: max(t - reach + 1, 0)),
    ),
    Mistake(
        "the window never contains the first token. It begins at token 0 if it would begin before.",
        attention(begin=lambda t, reach: max(t - reach, 1)),
    ),
    Mistake(
        "the tokens do not attend to the global tokens any more. They did before.",
        attention(seen=lambda positions: []),
    ),
    Mistake(
        "global tokens appear twice if they are in the window. Keep the set, which has each token once.",
        attention(both=lambda keys, positions: [*keys, *positions]),
    ),
    Mistake(
        "all tokens attend to everything as soon as there is a global token. Only the global tokens should.",
        attention(everywhere=lambda t, positions: bool(positions)),
    ),
    Mistake(
        "only the first global token attends to everything. All of them should.",
        attention(everywhere=lambda t, positions: t in positions[:1]),
    ),
    Mistake(
        "only token 0 attends to everything. All tokens in `positions` should.",
        attention(everywhere=lambda t, positions: bool(positions) and t == 0),
    ),
    Mistake(
        "the scores are not divided by the square root of K. They were before.",
        attention(scale=lambda q, n: 1.0),
    ),
    Mistake(
        "you divide by K. Divide by its square root, as before.",
        attention(scale=lambda q, n: 1 / q.shape[1]),
    ),
    Mistake(
        "you divide by the square root of the number of keys. Divide by that of K, the size of a vector.",
        attention(scale=lambda q, n: n**-0.5),
    ),
    Mistake(
        "your weights do not add up to 1. Divide them by their sum, as before.",
        attention(weights=lambda scores: np.exp(scores - scores.max())),
    ),
    Mistake(
        "`np.exp` of a large score is infinite. Subtract the largest score first, as before.",
        attention(weights=lambda scores: np.exp(scores) / np.exp(scores).sum()),
    ),
    Mistake(
        "only the key with the highest score counts. Keep the softmax.",
        attention(weights=lambda scores: np.eye(len(scores))[scores.argmax()]),
    ),
)
