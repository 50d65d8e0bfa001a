"""Students' common mistakes in `Adapter`, a bottleneck with a skip connection, and in its initial weights.

Houlsby et al. (2019, arXiv 1902.00751), section 2.1. Axes: D hidden, M bottleneck. To make plain arrays
comparable, the notebook wraps the class in a function, use_adapter(hidden, bottleneck, seed, weights) ->
(output, weights). Without `weights`, it returns the initial ones.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from minibert.course.unit13.definitions import STD
from minibert.reference.encoder import gelu, gelu_tanh

from ..checks.chance import all_plausible
from ..checks.edits import edits, pairs_of_edits
from ..checks.exercise import Invariant
from ..checks.guard import many

NAMES = ("down.weight", "down.bias", "up.weight", "up.bias")
D, M = 48, 20  # of the adapters whose initial weights are tested: hundreds of numbers in each matrix
NEAR = (0.7, 1.3)  # limits of the std of the weights of one adapter, relative to STD
ADAPTERS, OFF = 25, 0.03  # the adapters whose weights are tested together, and how far their std may be off
EDGES = (-3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3)  # of the bins of the drawn weights, in units of STD
BELOW = np.array([0, *((1 + math.erf(edge / math.sqrt(2))) / 2 for edge in EDGES), 1])  # normal distribution


def shapes(D: int, M: int) -> dict[str, tuple[int, ...]]:
    return dict(zip(NAMES, ((M, D), (M,), (D, M), (D,))))


def inputs(rng: np.random.Generator, shape: tuple[int, ...], M: int, dtype: type = np.float64) -> tuple:
    """Return random arguments for `use_adapter`, with weights large enough to reveal every mistake."""
    weights: dict[str, np.ndarray] = {
        name: rng.normal(size=size).astype(dtype) for name, size in shapes(shape[-1], M).items()
    }
    return rng.normal(size=shape).astype(dtype), M, int(rng.integers(1000)), weights


def allowed(hidden: np.ndarray, bottleneck: int, seed: int, weights: Mapping[str, np.ndarray]) -> bool:
    """Return whether the weights have the shapes that belong to the other arguments."""
    return {name: x.shape for name, x in weights.items()} == shapes(hidden.shape[-1], bottleneck)


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, (2, 3, 5), 4),
        inputs(rng, (4, 6), 2),
        inputs(rng, (3,), 5),
        inputs(rng, (1, 2, 4), 4),
        inputs(rng, (2, 2, 6), 1),
        inputs(rng, (3, 4), 3, np.float32),
    ]


def use_adapter(
    hidden: np.ndarray, bottleneck: int, seed: int, weights: dict[str, np.ndarray]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the output of an adapter with the given weights, and these weights."""
    small = gelu(hidden @ weights["down.weight"].T + weights["down.bias"])
    changed = small @ weights["up.weight"].T + weights["up.bias"]
    return hidden + changed, weights


ADAPTER = (
    *edits(
        use_adapter,
        """
        $sum = hidden + changed
        $down = hidden @ weights["down.weight"].T
        $up = small @ weights["up.weight"].T
        $second = small @ weights["up.weight"].T + weights["up.bias"]

        the skip connection is missing. Add `hidden` to the output of the bottleneck.
            $sum => changed
        you subtract the output of the bottleneck. Add it to `hidden`.
            $sum => hidden - changed
        you add `hidden` twice. Add it once.
            $sum => 2 * hidden + changed
        you multiply `hidden` by the output of the bottleneck. Add the two instead.
            $sum => hidden * changed
        you return `hidden` unchanged. Add the output of the bottleneck to it.
            $sum => hidden
        the GELU is missing between the two linear layers. Without it, they act like a single one.
            gelu( => (
        you apply ReLU between the two linear layers. Apply GELU there.
            gelu(hidden => np.maximum(0, hidden
        you apply tanh between the two linear layers. Apply GELU there.
            gelu( => np.tanh(
        you use the tanh approximation of GELU. Use the imported `gelu`.
            gelu( => gelu_tanh(
        you also apply a GELU after the second linear layer. Apply only one, between the two linear layers.
            $second => gelu($second)
        you apply the GELU after the second linear layer. Apply it between the two linear layers.
            gelu( => (
            $second => gelu($second)
        you apply the GELU before the first linear layer. Apply it between the two linear layers.
            gelu(hidden => (gelu(hidden)
        you also apply a GELU before the first linear layer. Apply only one, between the two linear layers.
            $down => gelu(hidden) @ weights["down.weight"].T
        you apply the GELU after adding `hidden`. Apply it between the two linear layers.
            gelu( => (
            $sum => gelu($sum)
        the `down.bias` in `self.weights` has no effect. Add it in the first linear layer, at each call.
            + weights["down.bias"] => + 0
        the `up.bias` in `self.weights` has no effect. Add it in the second linear layer, at each call.
            + weights["up.bias"] => + 0
        the biases in `self.weights` have no effect. Add down.bias in the first linear layer and up.bias in
        the second, at each call.
            + weights["down.bias"] => + 0
            + weights["up.bias"] => + 0
        you subtract the bias of the first linear layer. Add it instead.
            + weights["down.bias"] => - weights["down.bias"]
        you subtract the bias of the second linear layer. Add it instead.
            + weights["up.bias"] => - weights["up.bias"]
        you do not transpose down.weight, which has the shape (M, D), as in PyTorch.
            $down => hidden @ weights["down.weight"]
        you do not transpose up.weight, which has the shape (D, M), as in PyTorch.
            $up => small @ weights["up.weight"]
        you put the weight on the left of the product. With `hidden` on the left, it works for any number of
        tokens.
            $down => weights["down.weight"] @ hidden
        you add the result of the bottleneck's first layer. Add `hidden`, the input of the adapter.
            $sum => gelu(hidden) + changed
        """,
        gelu_tanh=gelu_tanh,
    ),
    *pairs_of_edits(
        use_adapter,
        r"""
        the skip connection is missing, which should add `hidden`
            hidden + changed => changed
        you apply ReLU instead of GELU
            gelu(hidden @ => np.maximum(0, hidden @
        up.bias is missing from the second linear layer
            + weights["up.bias"] => + 0
        you apply a GELU after the second linear layer, where there should be none
            return => changed = gelu(changed)\nreturn
        """,
    ),
)


def first(f: Callable, rng: np.random.Generator, seed: int | None = None) -> Any:
    """Return the initial weights of an adapter that f creates."""
    return f(np.zeros((1, D)), M, int(rng.integers(2**30)) if seed is None else seed, None)[1]


def named_and_shaped(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the weights of f's adapter are four arrays of the right shapes, else a message."""
    weights = first(f, rng)
    if not isinstance(weights, dict):
        return f"self.weights is a {type(weights).__name__}. It should be a dict of four arrays."
    if set(weights) != set(NAMES):
        return f"self.weights should be a dict with the keys {', '.join(map(repr, NAMES))}."
    for name, wanted in shapes(D, M).items():
        got = tuple(np.shape(weights[name]))
        if got == shapes(D + 1, M)[name] != wanted:  # use_adapter creates a second adapter, of this size
            return (
                "a second adapter replaces the weights of the first. Store them in `self.weights` of each "
                "adapter, not in the class or in a global variable."
            )
        if got != wanted:
            turned = " It is transposed." if got == wanted[::-1] and len(wanted) > 1 else ""
            return (
                f"{name!r} of a new adapter has the wrong shape. The four shapes are "
                f"(M, D), (M,), (D, M) and (D,), in this order.{turned}"
            )
    return True


def matrices(weights: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {name: np.asarray(weights[name], float) for name in ("down.weight", "up.weight")}


def small_and_random(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if f's initial biases are 0 and matrices have mean 0 and the right spread, else a message.

    The standard deviation should be STD.
    """
    weights = first(f, rng)
    drawn = matrices(weights)
    if not any(x.any() for x in drawn.values()):
        return (
            "both matrices of a new adapter are 0, so neither ever gets a gradient. Draw them from a "
            "normal distribution."
        )
    for name, x in drawn.items():
        if not x.any():
            return f"{name!r} of a new adapter is 0. LoRA starts like this. Here, draw both matrices."
        if np.ptp(x) == 0:
            return (
                f"all numbers of {name!r} are equal, so all of the bottleneck learns the same. Draw them "
                "at random."
            )
        if len(np.unique(x)) < 0.9 * x.size:
            return f"numbers of {name!r} repeat. Draw a separate number for each place of the matrix."
        if not NEAR[0] * STD < x.std() < NEAR[1] * STD:
            return said_of_spread(name, float(x.std()))
        if abs(x.mean()) > 0.3 * STD:
            return f"the mean of {name!r} is {x.mean():.2g}. Draw it from a normal distribution around 0."
    if any(np.asarray(weights[f"{part}.bias"]).any() for part in ("down", "up")):
        return "the biases of a new adapter are not 0. Draw only the matrices."
    return True


def normally_distributed(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the matrices of new adapters look like draws from normal(0, STD), else a message."""
    seeds = rng.integers(2**30, size=ADAPTERS)
    new = [matrices(weights) for _, weights in many(f, [(np.zeros((1, D)), M, int(n), None) for n in seeds])]
    for name in new[0]:
        x = np.stack([matrix[name] for matrix in new]) / STD
        if abs(x.std() - 1) > OFF:
            return said_of_spread(name, STD * float(x.std()))
        if not all_plausible(np.histogram(x, [-np.inf, *EDGES, np.inf])[0], np.diff(BELOW)):
            far = f"{(abs(x) > 2).mean():.1%} of its numbers are further than {2 * STD} from 0"
            return f"{name!r} is not drawn from normal(0, {STD}): {far}; it should be 4.6%."
    return True


def said_of_spread(name: str, std: float) -> str:
    """Return a message about the wrong standard deviation `std` of an adapter's initial matrix `name`."""
    known = (
        " Did you take its square root? 0.01 is the standard deviation, not the variance."
        if (0.08 < std < 0.12)
        else ""
    )
    known = known or (
        " Is it uniform between -0.01 and 0.01? Draw from a normal distribution."
        if 0.005 < std < 0.0065
        else ""
    )
    far = "a new adapter is not close to the identity: " if std > STD else ""
    return f"{far}the numbers of {name!r} have the standard deviation {std:.2g}; it should be {STD}.{known}"


def near_the_identity(f: Callable, rng: np.random.Generator) -> bool:
    hidden = rng.normal(size=(6, D))
    output = np.asarray(f(hidden, M, 0, first(f, rng))[0], float)
    return output.shape == hidden.shape and bool(abs(output - hidden).max() < 0.05)


def from_its_seed(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if f's initial weights depend only on its generator, else a message."""
    (one, same, other) = (matrices(first(f, rng, seed)) for seed in (5, 5, 6))
    if not all(np.array_equal(one[name], same[name]) for name in one):
        return "two adapters from equally seeded `rng` differ. Draw only from the argument `rng`."
    if any(np.array_equal(one[name], other[name]) for name in one):
        return "two adapters with different generators have equal weights. Draw from the argument `rng`."
    if np.array_equal(one["down.weight"], one["up.weight"].T):
        return "both matrices contain the same numbers. Draw each of them separately."
    return True


def weights_are_read(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if f's adapter uses the current contents of `self.weights` when called, else a message."""
    hidden, M, seed, weights = inputs(rng, (2, 5), 3)
    for name, x in weights.items():
        if np.allclose(f(hidden, M, seed, weights)[0], f(hidden, M, seed, weights | {name: x + 1})[0]):
            return (
                f"{name!r} in `self.weights` has no effect. The arrays may be replaced, so read all four "
                "from `self.weights` at each call, and do not keep copies."
            )
    return True


INVARIANTS = (
    Invariant("`self.weights` has four arrays, and down.weight is (M, D)", named_and_shaped, "shape"),
    Invariant("it uses the contents of `self.weights` when it is called", weights_are_read),
    Invariant(f"a new adapter has matrices from normal(0, {STD}), and biases of 0", small_and_random),
    Invariant("a new adapter changes almost nothing: it is close to the identity", near_the_identity),
    Invariant("the initial weights are drawn only from `rng`", from_its_seed, "deterministic"),
    Invariant("the numbers of the matrices follow the normal distribution", normally_distributed),
)
