"""The bug hunt `int8_linear`: a linear layer computed in int8, with three planted bugs, and common mistakes.

Zafrir et al. (2019, arXiv 1910.06188), section 2. The sums overflow in int8, one scale is used
for all tokens, and the bias is multiplied by the scales. Axes: N tokens, D hidden, M outputs.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Invariant, Mistake
from .definitions import LARGEST

Scales = Callable[[np.ndarray], np.ndarray]


def by_row(x: np.ndarray) -> np.ndarray:
    return abs(x).max(axis=1, keepdims=True) / LARGEST


def of_all(x: np.ndarray) -> np.ndarray:
    return np.full((len(x), 1), abs(x).max() / LARGEST)


def in_int8(x: np.ndarray, scales: np.ndarray) -> np.ndarray:
    return np.round(x / scales).astype(np.int8)


def truncated(x: np.ndarray, scales: np.ndarray) -> np.ndarray:
    return (x / scales).astype(np.int8)


def product(h: np.ndarray, w: np.ndarray, kind: type = np.int32) -> np.ndarray:
    """Return the product (N, M) of int8 matrices, added up in the dtype `kind`."""
    return h.astype(kind) @ w.astype(kind).T


def clipped(h: np.ndarray, w: np.ndarray) -> np.ndarray:
    return np.clip(product(h, w), -LARGEST, LARGEST)


def restored(
    sums: np.ndarray, token_scale: np.ndarray, channel_scale: np.ndarray, bias: np.ndarray
) -> np.ndarray:
    return sums * token_scale * channel_scale.T + bias


def scaled_bias(
    sums: np.ndarray, token_scale: np.ndarray, channel_scale: np.ndarray, bias: np.ndarray
) -> np.ndarray:
    return (sums + bias) * token_scale * channel_scale.T


def int8_layer(
    tokens: Scales = by_row,
    channels: Scales = by_row,
    whole: Callable = in_int8,
    sums: Callable = product,
    result: Callable = restored,
) -> Callable:
    """Return a bug-free version of the exercise `int8_linear`; each argument overrides one part.

    tokens, channels: return the scales (rows, 1) of the hidden states and of the weights. whole: rounds to
    int8. sums: multiplies the two int8 matrices. result: computes the output from the sums, scales and bias.
    """

    def int8_linear(hidden, weights, bias):
        token_scale, channel_scale = tokens(hidden), channels(weights)  # (N, 1), (M, 1)
        h, w = whole(hidden, token_scale), whole(weights, channel_scale)  # (N, D), (M, D)
        return result(sums(h, w), token_scale, channel_scale, bias)  # (N, M)

    return int8_linear


def version(left: frozenset[int]) -> Callable:
    """Return the exercise `int8_linear` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: the products are added up in int8. Bug 2: all tokens share one scale. Bug 3: the bias is multiplied
    by the scales.
    """
    pieces: dict[str, Callable] = {}
    if 1 in left:
        pieces["sums"] = partial(product, kind=np.int8)
    if 2 in left:
        pieces["tokens"] = of_all
    if 3 in left:
        pieces["result"] = scaled_bias
    made = int8_layer(**pieces)

    def int8_linear(hidden, weights, bias):
        return made(hidden, weights, bias)

    return int8_linear


def numbers(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return an array (rows, D) whose quotients by its rows' scales are not close to a half."""
    steps = rng.integers(-100, 101, shape) + rng.uniform(-0.3, 0.3, shape)
    steps[np.arange(shape[0]), rng.integers(shape[1], size=shape[0])] = LARGEST
    return steps * np.exp(rng.uniform(-4, 1, (shape[0], 1)))


def small_sums(rng: np.random.Generator, N: int, M: int, D: int) -> tuple[np.ndarray, np.ndarray]:
    """Return hidden states (N, D) and weights (M, D) whose int8 products add up to at most 127."""
    hidden, weights = np.zeros((N, D)), np.zeros((M, D))
    hidden[np.arange(N), np.arange(N) % (D - 1)] = rng.uniform(0.3, 3, N) * rng.choice([-1, 1], N)
    weights[:, :-1] = rng.integers(-1, 2, (M, D - 1)) / LARGEST
    weights[:, -1] = 1
    return hidden, weights * rng.uniform(0.5, 4, (M, 1))


def of_one_size(rng: np.random.Generator, N: int, D: int) -> np.ndarray:
    """Return hidden states (N, D) of the same absolute value, for which all scales are the same."""
    return rng.uniform(0.3, 3) * rng.choice([-1.0, 1.0], (N, D))


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return inputs that show all bugs, and some on which one or two of them change nothing."""
    small = small_sums(rng, 4, 5, 3)
    return [
        (numbers(rng, 3, 4), numbers(rng, 2, 4), rng.normal(size=2)),
        (numbers(rng, 5, 6), numbers(rng, 4, 6), rng.normal(size=4)),
        (numbers(rng, 1, 5), numbers(rng, 3, 5), rng.normal(size=3)),
        (numbers(rng, 1, 7), numbers(rng, 3, 7), np.zeros(3)),
        (numbers(rng, 4, 3), numbers(rng, 2, 3), np.zeros(2)),
        (*small, np.zeros(5)),
        (*small, rng.normal(size=5)),
        (small[0][:1], small[1], rng.normal(size=5)),
        (*small_sums(rng, 6, 3, 4), np.zeros(3)),
        (np.full((1, 5), 0.3), np.full((2, 5), -2.0), rng.normal(size=2)),
        (of_one_size(rng, 6, 8), numbers(rng, 5, 8), rng.normal(size=5)),
        (of_one_size(rng, 5, 9), numbers(rng, 6, 9), np.zeros(6)),
        (numbers(rng, 2, 300), numbers(rng, 3, 300), rng.normal(size=3)),
    ]


def allowed(hidden: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> bool:
    """Return whether no row is 0, and no quotient by the scale of a row or of all is close to a half."""
    if hidden.shape[-1] != weights.shape[-1] or bias.shape != weights.shape[:1]:
        return False
    if not all(x.any(axis=1).all() for x in (hidden, weights)):
        return False
    quotients = (hidden / by_row(hidden), weights / by_row(weights), hidden / of_all(hidden))
    return all(bool((abs(x % 1 - 0.5) > 1e-6).all()) for x in quotients)


def long_sums_do_not_overflow(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f gives D for a token and a channel of D ones."""
    return all(
        close(f(np.ones((1, D)), np.ones((1, D)), np.zeros(1)), np.full((1, 1), float(D))) for D in (2, 300)
    )


def other_tokens_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a token with large numbers leaves the results of the others as they are."""
    hidden, weights = small_sums(rng, 3, 4, 3)
    large = hidden.copy()
    large[2] *= 7.7
    one, other = (np.asarray(f(x, weights, np.zeros(4)), float)[:2] for x in (hidden, large))
    return close(one, other)


def bias_is_added(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a larger bias makes the result larger by as much."""
    hidden, weights = small_sums(rng, 3, 4, 3)
    more = rng.integers(-2, 3, 4) + 0.25
    without, added = (np.asarray(f(hidden, weights, bias), float) for bias in (np.zeros(4), more))
    return close(added - without, np.tile(more, (3, 1)))


def channels_are_separate(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a channel's weights change only its own output."""
    hidden, weights = small_sums(rng, 3, 4, 3)
    other = weights.copy()
    other[1] *= 40
    one, after = (np.asarray(f(hidden, w, np.zeros(4)), float) for w in (weights, other))
    return close(one[:, [0, 2, 3]], after[:, [0, 2, 3]])


def in_units_of_the_hidden_states(f: Callable, rng: np.random.Generator) -> bool:
    hidden, weights = small_sums(rng, 3, 4, 3)
    one, other = (np.asarray(f(factor * hidden, weights, np.zeros(4)), float) for factor in (1.0, 8.0))
    return close(8 * one, other)


BROKEN = (
    Invariant(
        "for a token of D ones and weights of D ones, the result is D: the sums do not overflow",
        long_sums_do_not_overflow,
    ),
    Invariant(
        "a token with large numbers does not change the results of other tokens", other_tokens_do_not_matter
    ),
    Invariant("what is added to the bias is added to the result", bias_is_added),
)
KEPT = (
    Invariant(
        "a channel with large weights does not change the results of other channels", channels_are_separate
    ),
    Invariant(
        "without a bias, hidden states eight times as large give results eight times as large",
        in_units_of_the_hidden_states,
    ),
)
LINEAR = (
    Mistake(
        "you multiply the floats. Multiply the int8 numbers, after converting them to int32.",
        lambda hidden, weights, bias: hidden @ weights.T + bias,
    ),
    Mistake(
        "your sums overflow in int16, too: three products of 127 and 127 are more than 32,767. Use int32.",
        int8_layer(sums=partial(product, kind=np.int16)),
    ),
    Mistake(
        "you clip the sums to 127. They are larger: add them up in int32.",
        int8_layer(sums=clipped),
    ),
    Mistake(
        "your sums are converted to int32 only after they have overflowed. Convert `h` and `w` first.",
        int8_layer(sums=lambda h, w: (h @ w.T).astype(np.int32)),
    ),
    Mistake(
        "you use one scale for all channels. Each row of the weights has a scale of its own.",
        int8_layer(channels=of_all),
    ),
    Mistake(
        "you cut off the digits after the point. Round to the nearest whole number, as before.",
        int8_layer(whole=truncated),
    ),
    Mistake("the bias is missing. Add it to the result.", int8_layer(result=lambda s, t, c, b: s * t * c.T)),
    Mistake(
        "you round the bias. Add it as it is.",
        int8_layer(result=lambda s, t, c, b: s * t * c.T + np.round(b)),
    ),
    Mistake(
        "you round the bias to a whole number of steps. Add it as it is.",
        int8_layer(result=lambda s, t, c, b: (s + np.round(b / (t * c.T))) * t * c.T),
    ),
    Mistake(
        "the scales of the tokens are missing in the result. Multiply the sums by the scales of both.",
        int8_layer(result=lambda s, t, c, b: s * c.T + b),
    ),
    Mistake(
        "the scales of the channels are missing in the result. Multiply the sums by the scales of both.",
        int8_layer(result=lambda s, t, c, b: s * t + b),
    ),
    Mistake(
        "the bias is multiplied by the scales of the tokens. Add it after all scales.",
        int8_layer(result=lambda s, t, c, b: (s * c.T + b) * t),
    ),
    Mistake(
        "the bias is multiplied by the scales of the channels. Add it after all scales.",
        int8_layer(result=lambda s, t, c, b: (s * t + b) * c.T),
    ),
    Mistake(
        "the scale of a token is its largest number, but a negative one may be further from 0. Take absolute "
        "values.",
        int8_layer(tokens=lambda x: x.max(axis=1, keepdims=True) / LARGEST),
    ),
    Mistake(
        "the scale of a token is its mean absolute value. Take the largest, so that nothing overflows.",
        int8_layer(tokens=lambda x: abs(x).mean(axis=1, keepdims=True) / LARGEST),
    ),
    Mistake(
        "you divide the largest values by 128, so that 127 becomes 128, which does not fit into int8.",
        int8_layer(tokens=lambda x: by_row(x) * LARGEST / 128),
    ),
)
