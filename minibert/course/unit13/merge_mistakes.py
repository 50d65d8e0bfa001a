"""Test inputs for `lora_merge`, which adds LoRA's products to the weights, and common mistakes.

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
    """Return random (weights, adapters, alpha), with an adapter for each name in `ranks`."""
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
    """Return test inputs with different ranks, square and other matrices, and one without adapters."""
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

        the scale is missing. Multiply each product by alpha divided by the rank.
            $scale => 1.0
        you do not divide alpha by the rank. The rank is the number of rows of `a`.
            $scale => alpha
        alpha is missing from the scale, which is alpha divided by the rank.
            $scale => 1 / len(pair["a"])
        you multiply alpha by the rank. Divide it by the rank.
            $scale => alpha * len(pair["a"])
        your scale is inverted. Divide alpha by the rank.
            $scale => len(pair["a"]) / alpha
        you divide by the square root of the rank, as in a later paper. Divide by the rank itself.
            $scale => alpha / len(pair["a"]) ** 0.5
        you divide by the number of rows of `b`. Divide by the rank, the number of rows of `a`.
            $scale => alpha / len(pair["b"])
        you divide by the number of columns of `a`. Divide by the rank, its number of rows.
            $scale => alpha / pair["a"].shape[1]
        you use the rank of the first adapter for all adapters. Use each adapter's own rank.
            $scale => alpha / len(next(iter(adapters.values()))["a"])
        you multiply `a` by `b`. The product of `b` and `a` has the shape of the weight.
            $product => pair["a"] @ pair["b"]
        your product is transposed. The product of `b` and `a` has the shape of the weight.
            $product => pair["a"].T @ pair["b"].T
        you multiply element by element. Use the matrix product.
            $product => pair["b"] * pair["a"]
        the weight itself is missing. Add the scaled product to the weight.
            $sum => $scale * ($product)
        you subtract the product. Add it to the weight instead.
            $sum => merged[name] - $scale * ($product)
        you also scale the weight. Scale only the product.
            $sum => $scale * (merged[name] + $product)
        you return the mean of the weight and the product. Return their sum.
            $sum => ($sum) / 2
        you multiply the weight by the product. Add the product instead.
            $sum => merged[name] @ ($scale * ($product))
        you return the weights unchanged. Add the product of each adapter.
            $sum => merged[name]
        you leave out weights without an adapter. Return them unchanged.
            return {name: array for name, array in result.items() if name in adapters}
        you set weights without an adapter to 0. Return them unchanged.
            return {name: array if name in adapters else 0 * array for name, array in result.items()}
        you scale weights without an adapter. Return them unchanged.
            return {name: array if name in adapters else 2 * array for name, array in result.items()}
        you assume that every weight has an adapter. Check whether its name is in `adapters`.
            $loop => for name, pair in {name: adapters[name] for name in weights}.items():
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        $scale = alpha / len(pair["a"])

        alpha is not divided by the rank, although the scale should be alpha / R
            $scale => alpha
        the scale alpha / R is missing from the product
            $scale => 1.0
        the product is transposed, although it should be B A
            pair["b"] @ pair["a"] => pair["a"].T @ pair["b"].T
        the weight itself is missing from the sum
            merged[name] + => 0 +
        you subtract the product instead of adding it
            merged[name] + => merged[name] -
        """,
    ),
)


def same_output(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's merged matrix gives the same output as the weight and its adapter together."""
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
    """Return whether f leaves the weights unchanged if b = 0 in all adapters, as before training."""
    weights, adapters, alpha = inputs(rng, LAYER, {"query": 2, "up": 3}, 6.0)
    fresh = {name: {"a": pair["a"], "b": np.zeros_like(pair["b"])} for name, pair in adapters.items()}
    merged = f(weights, fresh, alpha)
    return set(merged) == set(weights) and all(np.allclose(merged[name], weights[name]) for name in weights)
