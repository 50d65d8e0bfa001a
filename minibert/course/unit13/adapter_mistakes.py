"""Known mistakes about `Adapter`, a bottleneck beside a skip connection: what it computes and how it starts.

Houlsby et al. (2019, arXiv 1902.00751), section 2.1. Axes: D hidden, M bottleneck. The notebook hands over a
function around the class, use_adapter(hidden, bottleneck, seed, weights) -> (output, weights), so that plain
data is compared; without weights, the adapter is only made, and its own first ones are returned.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from minibert.course.unit13.definitions import STD
from minibert.reference.encoder import gelu, gelu_tanh

from ..checks.edits import edits, pairs_of_edits
from ..checks.exercise import Invariant

NAMES = ("down.weight", "down.bias", "up.weight", "up.bias")
D, M = 48, 20  # of the adapters whose first weights are looked at: hundreds of numbers in a matrix
NEAR = (0.7, 1.3)  # how far the spread of drawn weights may be from STD; a normal cut off at 2 std has 0.88


def shapes(D: int, M: int) -> dict[str, tuple[int, ...]]:
    return dict(zip(NAMES, ((M, D), (M,), (D, M), (D,))))


def inputs(rng: np.random.Generator, shape: tuple[int, ...], M: int, dtype: type = np.float64) -> tuple:
    """Hidden states of this shape, and weights that are large enough for every mistake to show."""
    weights: dict[str, np.ndarray] = {
        name: rng.normal(size=size).astype(dtype) for name, size in shapes(shape[-1], M).items()
    }
    return rng.normal(size=shape).astype(dtype), M, int(rng.integers(1000)), weights


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
    """Return the output of an adapter with these weights, and the weights."""
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

        the skip connection is missing: `hidden` itself is added to what the bottleneck makes of it.
            $sum => changed
        what the bottleneck makes is subtracted. It is added to `hidden`.
            $sum => hidden - changed
        `hidden` is added twice. Once is enough.
            $sum => 2 * hidden + changed
        `hidden` is multiplied by what the bottleneck makes of it. It is added.
            $sum => hidden * changed
        `hidden` comes out as it went in: the bottleneck is not added.
            $sum => hidden
        the GELU is missing: two linear layers one behind the other are a single one.
            gelu( => (
        this is ReLU. The adapter here has a GELU in its middle.
            gelu(hidden => np.maximum(0, hidden
        this is tanh. The adapter here has a GELU in its middle.
            gelu( => np.tanh(
        this is the approximation of GELU by tanh. Use the imported `gelu`.
            gelu( => gelu_tanh(
        there is a GELU behind the second linear layer, too. Only the middle has one.
            $second => gelu($second)
        the GELU stands behind the second linear layer. It belongs between the two.
            gelu( => (
            $second => gelu($second)
        the GELU stands before the first linear layer. It belongs between the two.
            gelu(hidden => (gelu(hidden)
        there is a GELU before the first linear layer, too. Only the middle has one.
            $down => gelu(hidden) @ weights["down.weight"].T
        the GELU is taken of the sum with `hidden`. It belongs between the two linear layers.
            gelu( => (
            $sum => gelu($sum)
        the bias of the first linear layer is missing: down.bias.
            + weights["down.bias"] => + 0
        the bias of the second linear layer is missing: up.bias.
            + weights["up.bias"] => + 0
        both biases are missing: each linear layer adds its own.
            + weights["down.bias"] => + 0
            + weights["up.bias"] => + 0
        the bias of the first linear layer is subtracted.
            + weights["down.bias"] => - weights["down.bias"]
        the bias of the second linear layer is subtracted.
            + weights["up.bias"] => - weights["up.bias"]
        down.weight is (M, D), as in PyTorch: multiply by its transpose, hidden @ weight.T.
            $down => hidden @ weights["down.weight"]
        up.weight is (D, M), as in PyTorch: multiply by its transpose, small @ weight.T.
            $up => small @ weights["up.weight"]
        the weight stands on the left: write hidden @ weight.T, for any number of tokens.
            $down => weights["down.weight"] @ hidden
        the skip connection starts inside: it is the input of the adapter that is added, not its small middle.
            $sum => gelu(hidden) + changed
        """,
        gelu_tanh=gelu_tanh,
    ),
    *pairs_of_edits(
        use_adapter,
        r"""
        the skip connection is missing
            hidden + changed => changed
        it is ReLU in place of GELU
            gelu(hidden @ => np.maximum(0, hidden @
        up.bias is missing
            + weights["up.bias"] => + 0
        a GELU stands behind the second layer
            return => changed = gelu(changed)\nreturn
        """,
    ),
)


def first(f: Callable, rng: np.random.Generator, seed: int | None = None) -> Any:
    """The weights of an adapter that has just been made."""
    return f(np.zeros((1, D)), M, int(rng.integers(2**30)) if seed is None else seed, None)[1]


def named_and_shaped(f: Callable, rng: np.random.Generator) -> bool | str:
    """True if `self.weights` has the four arrays, in their shapes; else what is wrong."""
    weights = first(f, rng)
    if not isinstance(weights, dict):
        return f"self.weights is a {type(weights).__name__}. It should be a dict of four arrays."
    if set(weights) != set(NAMES):
        return f"self.weights should be a dict with the keys {', '.join(map(repr, NAMES))}."
    for name, wanted in shapes(D, M).items():
        got = tuple(np.shape(weights[name]))
        if got != wanted:
            turned = " It is transposed." if got == wanted[::-1] and len(wanted) > 1 else ""
            return (
                f"{name!r} of a new adapter has the wrong shape. In turn they are (M, D), (M,), (D, M), "
                f"(D,).{turned}"
            )
    return True


def matrices(weights: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {name: np.asarray(weights[name], float) for name in ("down.weight", "up.weight")}


def small_and_random(f: Callable, rng: np.random.Generator) -> bool | str:
    """True if both matrices are drawn around 0 with the spread STD, and both biases are 0; else what is
    wrong.
    """
    weights = first(f, rng)
    drawn = matrices(weights)
    if not any(x.any() for x in drawn.values()):
        return (
            "both matrices of a new adapter are 0. Then neither ever gets a gradient: that of each is "
            "multiplied by the other. Draw them from a normal distribution."
        )
    for name, x in drawn.items():
        if not x.any():
            return f"{name!r} of a new adapter is 0. LoRA starts so; here, both matrices are drawn."
        if np.ptp(x) == 0:
            return f"all numbers of {name!r} are equal. Then all of the bottleneck learns the same. Draw."
        if not NEAR[0] * STD < x.std() < NEAR[1] * STD:
            return said_of_spread(name, float(x.std()))
        if abs(x.mean()) > 0.3 * STD:
            return f"{name!r} is not drawn around 0: its mean is {x.mean():.2g}. rng.normal(0, {STD}, ...)"
    if any(np.asarray(weights[f"{part}.bias"]).any() for part in ("down", "up")):
        return "the biases of a new adapter are not 0. Only the matrices are drawn."
    return True


def said_of_spread(name: str, std: float) -> str:
    """What is wrong with the spread of a matrix of a new adapter."""
    known = (
        " Its square root was taken: 0.01 is the standard deviation, not the variance."
        if (0.08 < std < 0.12)
        else ""
    )
    known = known or (
        " Is it drawn evenly between -0.01 and 0.01? Draw from a normal distribution."
        if 0.005 < std < 0.0065
        else ""
    )
    far = "a new adapter is not near the identity: " if std > STD else ""
    return f"{far}the numbers of {name!r} have the standard deviation {std:.2g}; it should be {STD}.{known}"


def near_the_identity(f: Callable, rng: np.random.Generator) -> bool:
    hidden = rng.normal(size=(6, D))
    output = np.asarray(f(hidden, M, 0, first(f, rng))[0], float)
    return output.shape == hidden.shape and bool(abs(output - hidden).max() < 0.05)


def from_its_seed(f: Callable, rng: np.random.Generator) -> bool | str:
    """True if the first weights depend on the generator, and on nothing else; else what is wrong."""
    (one, same, other) = (matrices(first(f, rng, seed)) for seed in (5, 5, 6))
    if not all(np.array_equal(one[name], same[name]) for name in one):
        return "two adapters from equally seeded `rng` differ. Draw from the argument `rng` only."
    if any(np.array_equal(one[name], other[name]) for name in one):
        return "adapters from different `rng` start alike. Draw from the argument `rng`, not from your own."
    if np.array_equal(one["down.weight"], one["up.weight"].T):
        return "both matrices hold the same numbers. Draw each of them."
    return True


def weights_are_read(f: Callable, rng: np.random.Generator) -> bool:
    """True if an adapter computes with what stands in `self.weights` when it is called."""
    hidden, M, seed, weights = inputs(rng, (2, 5), 3)
    other = {name: 2 * x for name, x in weights.items()}
    return not np.allclose(f(hidden, M, seed, weights)[0], f(hidden, M, seed, other)[0])


INVARIANTS = (
    Invariant("`self.weights` has four arrays, and down.weight is (M, D)", named_and_shaped, "shape"),
    Invariant("it computes with what `self.weights` holds when it is called", weights_are_read),
    Invariant(f"a new adapter has matrices from normal(0, {STD}), and biases of 0", small_and_random),
    Invariant("a new adapter changes next to nothing: it is near the identity", near_the_identity),
    Invariant("the first weights are drawn from `rng` alone", from_its_seed, "deterministic"),
)
