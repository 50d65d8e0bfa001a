"""The bug hunt `two_readers`: reading a sequence in both directions, with three planted bugs.

Peters et al. (2018, arXiv 1802.05365), section 3.1: the two directions meet only in the loss. A simple
recurrent cell replaces the LSTM. Axes: T tokens, D hidden.
"""

import copy
from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Invariant

D = 3  # the size of the inputs for the invariants


def read(x: np.ndarray, real: np.ndarray, w: dict[str, np.ndarray]) -> np.ndarray:
    """Return the states (T, D) of a recurrent cell that reads x (T, D) with the weights w.

    real: (T,) bool, False for padding, which leaves the state unchanged.
    """
    state, states = np.zeros(x.shape[1]), []
    for row, is_token in zip(x, real, strict=True):
        state = np.tanh(row @ w["in"] + state @ w["state"]) if is_token else state  # (D,)
        states.append(state)
    return np.array(states)


def version(left: frozenset[int]) -> Callable:
    """Return the exercise `two_readers` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: both directions read the mean of their states. Bug 2: the backward states stay in reverse order.
    Bug 3: `real` is not reversed.
    """

    def two_readers(x, real, weights):
        forward = backward = x
        for layer in weights:
            forward = read(forward, real, layer["forward"])
            backward = read(backward[::-1], real if 3 in left else real[::-1], layer["backward"])
            backward = backward if 2 in left else backward[::-1]
            seen = forward, backward
            if 1 in left:
                forward = backward = (forward + backward) / 2
        return seen

    return two_readers


def inputs(
    rng: np.random.Generator, real: str, layers: int, size: int = D, dtype: type = np.float64
) -> tuple[np.ndarray, np.ndarray, list[dict]]:
    """Return random (x, real, weights) for a sequence; in the string `real`, 0 stands for padding."""

    def matrix():
        return (rng.normal(size=(size, size)) / np.sqrt(size)).astype(dtype)

    weights = [
        {way: {"in": matrix(), "state": matrix()} for way in ("forward", "backward")} for _ in range(layers)
    ]
    return rng.normal(size=(len(real), size)).astype(dtype), np.array([sign == "1" for sign in real]), weights


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return inputs for `two_readers` with various paddings and numbers of layers, and one with one token."""
    x, real, weights = inputs(rng, "111100", 2)
    return [
        inputs(rng, "1111", 1),
        inputs(rng, "1111100", 2, 4),
        inputs(rng, "011111", 3),
        inputs(rng, "110111", 1, 2),
        inputs(rng, "1", 2),
        inputs(rng, "111110", 2, 4, np.float32),
        inputs(rng, 20 * "1" + 5 * "0" + 20 * "1" + "0", 2),
        (x, real, 2 * weights[:1]),
        (x, real, 2 * weights),
        (x, real, [{way: w | {"state": 1e-8 * w["state"]} for way, w in one.items()} for one in weights]),
        (x, real, weights),
    ]


def forward_sees_the_past(f: Callable, rng: np.random.Generator) -> bool:
    x, real, weights = inputs(rng, "11111", 2)
    other = x.copy()
    other[3:] = rng.normal(size=(2, D))
    return close(f(x, real, weights)[0][:3], f(other, real, weights)[0][:3])


def backward_sees_the_rest(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether, with a single layer, f's backward states are independent of earlier tokens.

    The two directions then do not interact, whichever bugs f has.
    """
    x, real, weights = inputs(rng, "11111", 1)
    other = x.copy()
    other[:3] = rng.normal(size=(3, D))
    return close(f(x, real, weights)[1][3:], f(other, real, weights)[1][3:])


def padding_is_not_read(f: Callable, rng: np.random.Generator) -> bool:
    for signs in ("111100", "001111"):
        x, real, weights = inputs(rng, signs, 1)
        other = np.where(real[:, None], x, rng.normal(size=x.shape))
        if not close(f(x, real, weights), tuple(f(other, real, weights))):
            return False
    return True


def forward_is_read(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the forward states of f with a single layer equal those of `read`."""
    return all(
        close(f(x, real, weights)[0], read(x, real, weights[0]["forward"]))
        for x, real, weights in (inputs(rng, signs, 1) for signs in ("1111", "110011", "001100"))
    )


def backward_is_read(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's first or last backward state, with one layer, depends on the entire sequence."""
    x, real, weights = inputs(rng, "11111", 1)
    states, last = f(x, real, weights)[1], read(x[::-1], real, weights[0]["backward"])[-1]
    return close(states[0], last) or close(states[-1], last)


def every_layer_counts(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether changing any weight matrix changes the states that f computes with it."""
    x, real, weights = inputs(rng, "1111", 3)
    before = f(x, real, weights)
    for layer, kind in ((layer, kind) for layer in range(3) for kind in ("in", "state")):
        other = copy.deepcopy(weights)
        for way in other[layer].values():
            way[kind] += 0.5
        if any(close(new, old) for new, old in zip(f(x, real, other), before, strict=True)):
            return False
    return True


def last_sees_all(f: Callable, rng: np.random.Generator) -> bool:
    x, real, weights = inputs(rng, "1111", 2)
    last = f(x, real, weights)[0][-1]
    return all(not close(f(x + (np.arange(4) == t)[:, None], real, weights)[0][-1], last) for t in range(4))


BROKEN = (
    Invariant(
        "with two layers, the forward state of a token does not depend on later tokens", forward_sees_the_past
    ),
    Invariant(
        "with one layer, the backward state of a token does not depend on earlier tokens",
        backward_sees_the_rest,
    ),
    Invariant("with one layer, the values at padding positions change nothing", padding_is_not_read),
)
KEPT = (
    Invariant(
        "there are two results, each with one state for each token",
        lambda f, rng: [states.shape for states in f(*inputs(rng, "11110", 2))] == [(5, D)] * 2,
    ),
    Invariant("the last forward state depends on every token", last_sees_all),
    Invariant(
        "with one layer, the forward states are the results of `read` with the forward weights",
        forward_is_read,
    ),
    Invariant(
        "with one layer, the backward reader uses its own weights and reads the whole sequence",
        backward_is_read,
    ),
    Invariant("each layer of both readers changes the result", every_layer_counts),
)
