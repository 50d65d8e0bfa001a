"""Known mistakes about `lora_merge`, which adds LoRA's products to the weights, and its inputs.

Hu et al. (2022, arXiv 2106.09685), section 4.1. R: the rank of an adapter.
"""

from collections.abc import Callable, Mapping

import numpy as np

from ..checks.edits import edits, pairs_of_edits

Shapes = Mapping[str, tuple[int, ...]]
Arrays = dict[str, np.ndarray]
LAYER: Shapes = {"query": (4, 4), "up": (5, 4), "norm": (4,), "value": (4, 4)}


def inputs(
    rng: np.random.Generator, shapes: Shapes, ranks: Mapping[str, int], alpha: float, dtype: type = np.float64
) -> tuple:
    """(weights, adapters, alpha): a random array of each shape, and an adapter for each name in `ranks`."""
    weights: Arrays = {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}
    adapters: dict[str, Arrays] = {
        name: {
            "a": rng.normal(size=(R, shapes[name][1])).astype(dtype),
            "b": rng.normal(size=(shapes[name][0], R)).astype(dtype),
        }
        for name, R in ranks.items()
    }
    return weights, adapters, alpha


def cases(rng: np.random.Generator) -> list[tuple]:
    """Ranks that differ within a model, matrices that are square or not, and a model without adapters."""
    return [
        inputs(rng, LAYER, {"query": 2, "value": 3}, 8.0),
        inputs(rng, LAYER, {"up": 3, "query": 1}, 4.0),
        inputs(rng, {"square": (3, 3)}, {"square": 3}, 1.0),
        inputs(rng, {"wide": (2, 6), "bias": (2,), "tall": (6, 2)}, {"tall": 1, "wide": 2}, 0.5),
        inputs(rng, LAYER, {}, 2.0),
        inputs(rng, {"w": (5, 5)}, {"w": 6}, 3.0, np.float32),
    ]


def plain(
    weights: Mapping[str, np.ndarray], adapters: Mapping[str, Mapping[str, np.ndarray]], alpha: float
) -> Arrays:
    """Return what `lora_merge` returns, for adapters that fit."""
    merged = dict(weights)
    for name, pair in adapters.items():
        merged[name] = merged[name] + alpha / len(pair["a"]) * (pair["b"] @ pair["a"])
    return merged


MERGE = (
    *edits(
        plain,
        """
        $scale = alpha / len(pair["a"])
        $product = pair["b"] @ pair["a"]
        $sum = merged[name] + alpha / len(pair["a"]) * (pair["b"] @ pair["a"])
        $loop = for name, pair in adapters.items():

        the scale is missing: the product B A counts alpha / R times.
            $scale => 1.0
        alpha is not divided by the rank. The scale is alpha / R, so that adapters of different ranks start
        alike.
            $scale => alpha
        alpha is missing: the scale is alpha / R.
            $scale => 1 / len(pair["a"])
        you multiply by the rank. The scale is alpha / R.
            $scale => alpha * len(pair["a"])
        the scale is upside down: alpha / R, not R / alpha.
            $scale => len(pair["a"]) / alpha
        you divide by the square root of the rank, as a later paper does. Here the scale is alpha / R.
            $scale => alpha / len(pair["a"]) ** 0.5
        you divide by the number of rows of `b`. R is the number of rows of `a`, and of columns of `b`.
            $scale => alpha / len(pair["b"])
        you divide by the number of columns of `a`. R is the number of rows of `a`, and of columns of `b`.
            $scale => alpha / pair["a"].shape[1]
        all adapters are scaled by the rank of the first one. Each has a rank of its own.
            $scale => alpha / len(next(iter(adapters.values()))["a"])
        this is the product A B. It is B A: `b` (out, R) first, then `a` (R, in).
            $product => pair["a"] @ pair["b"]
        the product is transposed: A^T B^T is (in, out), and the weight is (out, in).
            $product => pair["a"].T @ pair["b"].T
        `*` multiplies number by number. The product of two matrices is `@`.
            $product => pair["b"] * pair["a"]
        the weight itself is missing: this is only what is added to it.
            $sum => $scale * ($product)
        the product is subtracted. It is added to the weight.
            $sum => merged[name] - $scale * ($product)
        the weight is scaled, too. Only the product counts alpha / R times.
            $sum => $scale * (merged[name] + $product)
        this is the mean of weight and product. It is their sum.
            $sum => ($sum) / 2
        the weight is multiplied by the product. It is added.
            $sum => merged[name] @ ($scale * ($product))
        the weights are unchanged: the adapters are not added yet.
            $sum => merged[name]
        what has no adapter is missing. It belongs into the result as it is.
            return {name: array for name, array in result.items() if name in adapters}
        what has no adapter is 0. It stays as it is.
            return {name: array if name in adapters else 0 * array for name, array in result.items()}
        what has no adapter is scaled. It stays as it is.
            return {name: array if name in adapters else 2 * array for name, array in result.items()}
        not every weight has an adapter: look whether its name is in `adapters`.
            $loop => for name, pair in {name: adapters[name] for name in weights}.items():
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        $scale = alpha / len(pair["a"])

        alpha is not divided by the rank
            $scale => alpha
        the scale is missing
            $scale => 1.0
        the product is transposed
            pair["b"] @ pair["a"] => pair["a"].T @ pair["b"].T
        the weight itself is missing
            merged[name] + => 0 +
        the product is subtracted
            merged[name] + => merged[name] -
        """,
    ),
)


def same_output(f: Callable, rng: np.random.Generator) -> bool:
    """True if the merged matrix gives what weight and adapter give side by side."""
    weights, adapters, alpha = inputs(rng, LAYER, {"query": 2, "up": 3}, 6.0)
    merged, x = f(weights, adapters, alpha), rng.normal(size=4)
    return all(
        np.allclose(
            merged[name] @ x,
            weights[name] @ x + alpha / len(pair["a"]) * (pair["b"] @ (pair["a"] @ x)),
            atol=1e-4,
        )
        for name, pair in adapters.items()
    )


def nothing_at_first(f: Callable, rng: np.random.Generator) -> bool:
    """True if adapters with b = 0, as before training, change nothing."""
    weights, adapters, alpha = inputs(rng, LAYER, {"query": 2, "up": 3}, 6.0)
    fresh = {name: {"a": pair["a"], "b": np.zeros_like(pair["b"])} for name, pair in adapters.items()}
    merged = f(weights, fresh, alpha)
    return set(merged) == set(weights) and all(np.allclose(merged[name], weights[name]) for name in weights)
