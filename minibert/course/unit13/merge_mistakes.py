"""Known mistakes about `lora_merge`, which adds LoRA's products to the weights, and its inputs.

Hu et al. (2022, arXiv 2106.09685), section 4.1. R: the rank of an adapter.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from ..checks.exercise import Mistake, pairs

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


def scaled(alpha: float, a: np.ndarray, b: np.ndarray) -> float:
    return alpha / len(a)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return b @ a


def merge(
    scale: Callable = scaled,
    change: Callable = product,
    combine: Callable = lambda weight, scale, change: weight + scale * change,
    others: Callable = lambda array: array,
) -> Callable:
    """Build the function with some pieces replaced.

    scale(alpha, a, b); change(a, b); combine(weight, scale, change); others: what becomes of the rest.
    """

    def lora_merge(weights, adapters, alpha):
        merged = {name: others(array) for name, array in weights.items() if name not in adapters}
        for name, pair in adapters.items():
            merged[name] = combine(
                weights[name], scale(alpha, pair["a"], pair["b"]), change(pair["a"], pair["b"])
            )
        return merged

    return lora_merge


def rank_of_the_first(weights: Mapping, adapters: Mapping, alpha: float) -> dict[str, np.ndarray]:
    R = len(next(iter(adapters.values()))["a"]) if adapters else 1
    return merge(lambda alpha, a, b: alpha / R)(weights, adapters, alpha)


def only_merged(weights: Mapping, adapters: Mapping, alpha: float) -> dict[str, np.ndarray]:
    return {name: array for name, array in merge()(weights, adapters, alpha).items() if name in adapters}


def adapter_for_each(weights: Mapping, adapters: Mapping, alpha: float) -> dict[str, np.ndarray]:
    return {
        name: array + alpha / len(adapters[name]["a"]) * adapters[name]["b"] @ adapters[name]["a"]
        for name, array in weights.items()
    }


OWN = "R is the number of rows of `a`, and of columns of `b`"
MERGE = (
    Mistake("the scale is missing: the product B A counts alpha / R times.", merge(lambda alpha, a, b: 1.0)),
    Mistake(
        "alpha is not divided by the rank. The scale is alpha / R, so that adapters of different ranks "
        "start alike.",
        merge(lambda alpha, a, b: alpha),
    ),
    Mistake("alpha is missing: the scale is alpha / R.", merge(lambda alpha, a, b: 1 / len(a))),
    Mistake("you multiply by the rank. The scale is alpha / R.", merge(lambda alpha, a, b: alpha * len(a))),
    Mistake("the scale is upside down: alpha / R, not R / alpha.", merge(lambda alpha, a, b: len(a) / alpha)),
    Mistake(
        "you divide by the square root of the rank, as a later paper does. Here the scale is alpha / R.",
        merge(lambda alpha, a, b: alpha / math.sqrt(len(a))),
    ),
    Mistake(f"you divide by the number of rows of `b`. {OWN}.", merge(lambda alpha, a, b: alpha / len(b))),
    Mistake(
        f"you divide by the number of columns of `a`. {OWN}.", merge(lambda alpha, a, b: alpha / a.shape[1])
    ),
    Mistake(
        "all adapters are scaled by the rank of the first one. Each has a rank of its own.", rank_of_the_first
    ),
    Mistake(
        "this is the product A B. It is B A: `b` (out, R) first, then `a` (R, in).",
        merge(change=lambda a, b: a @ b),
    ),
    Mistake(
        "the product is transposed: A^T B^T is (in, out), and the weight is (out, in).",
        merge(change=lambda a, b: a.T @ b.T),
    ),
    Mistake(
        "`*` multiplies number by number. The product of two matrices is `@`.",
        merge(change=lambda a, b: b * a),
    ),
    Mistake(
        "the weight itself is missing: this is only what is added to it.",
        merge(combine=lambda weight, scale, change: scale * change),
    ),
    Mistake(
        "the product is subtracted. It is added to the weight.",
        merge(combine=lambda weight, scale, change: weight - scale * change),
    ),
    Mistake(
        "the weight is scaled, too. Only the product counts alpha / R times.",
        merge(combine=lambda weight, scale, change: scale * (weight + change)),
    ),
    Mistake(
        "this is the mean of weight and product. It is their sum.",
        merge(combine=lambda weight, scale, change: (weight + scale * change) / 2),
    ),
    Mistake(
        "the weight is multiplied by the product. It is added.",
        merge(combine=lambda weight, scale, change: weight @ (scale * change)),
    ),
    Mistake(
        "the weights are unchanged: the adapters are not added yet.",
        merge(combine=lambda weight, scale, change: weight),
    ),
    Mistake("what has no adapter is missing. It belongs into the result as it is.", only_merged),
    Mistake("what has no adapter is 0. It stays as it is.", merge(others=np.zeros_like)),
    Mistake("what has no adapter is scaled. It stays as it is.", merge(others=lambda array: 2 * array)),
    Mistake("not every weight has an adapter: look whether its name is in `adapters`.", adapter_for_each),
    *pairs(
        merge,
        (dict(scale=lambda alpha, a, b: alpha), "alpha is not divided by the rank"),
        (dict(scale=lambda alpha, a, b: 1.0), "the scale is missing"),
        (dict(change=lambda a, b: a.T @ b.T), "the product is transposed"),
        (dict(combine=lambda weight, scale, change: scale * change), "the weight itself is missing"),
        (dict(combine=lambda weight, scale, change: weight - scale * change), "the product is subtracted"),
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
