"""Random arrays and weights for the checks of unit 02, with the names and shapes used in the notebook.

Axes: D hidden, F feed-forward.
"""

import math

import numpy as np


def rows(rng: np.random.Generator, *shape: int, dtype: type = np.float64) -> np.ndarray:
    """Return an array of the given shape with random numbers from the standard normal distribution."""
    return rng.normal(size=shape).astype(dtype)


def attention_weights(
    rng: np.random.Generator, hidden_size: int, dtype: type = np.float64
) -> dict[str, np.ndarray]:
    """Return random weights for the query, key, value and output projections of multi-head attention.

    `query.weight` is (D, D) and `query.bias` is (D,); the entries for key, value and out have the same
    shapes.
    """
    weights = {}
    for name in ("query", "key", "value", "out"):
        weights[f"{name}.weight"] = rows(rng, hidden_size, hidden_size, dtype=dtype) / dtype(
            math.sqrt(hidden_size)
        )
        weights[f"{name}.bias"] = rows(rng, hidden_size, dtype=dtype) / 2
    return weights


def layer_weights(
    rng: np.random.Generator, hidden_size: int, intermediate_size: int, dtype: type = np.float64
) -> dict[str, np.ndarray]:
    """Return random weights for one encoder layer as a dict with the same keys as in the NumPy encoder."""
    D, F = hidden_size, intermediate_size
    weights = {f"attention.{name}": w for name, w in attention_weights(rng, D, dtype).items()}
    for name in ("attention_norm", "feed_forward_norm"):
        weights |= {
            f"{name}.weight": 1 + rows(rng, D, dtype=dtype) / 2,
            f"{name}.bias": rows(rng, D, dtype=dtype) / 2,
        }
    for name, out, into in (("up", F, D), ("down", D, F)):
        weights[f"feed_forward.{name}.weight"] = rows(rng, out, into, dtype=dtype) / dtype(math.sqrt(into))
        weights[f"feed_forward.{name}.bias"] = rows(rng, out, dtype=dtype) / 2
    return weights


def with_huge_values(weights: dict[str, np.ndarray], prefix: str = "") -> dict[str, np.ndarray]:
    """Return attention weights with a huge value projection, and no negative weights that could cancel it.

    prefix: the start of the weights' names.
    """
    positive = {
        f"{prefix}{name}": abs(weights[f"{prefix}{name}"])
        for name in ("value.weight", "value.bias", "out.weight", "out.bias")
    }
    return (
        weights
        | positive
        | {
            f"{prefix}value.weight": 1e6 * positive[f"{prefix}value.weight"],
            f"{prefix}value.bias": 1e7 + positive[f"{prefix}value.bias"],
        }
    )
