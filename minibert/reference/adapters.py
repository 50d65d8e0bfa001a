"""What adapters compute, in NumPy: a bottleneck beside a skip connection, LoRA merged into its weights.

Houlsby et al. (2019, arXiv 1902.00751), section 2.1; Hu et al. (2022, arXiv 2106.09685), section 4.1; and the
learning rates of layers, Sun et al. (2019, arXiv 1905.05583). `minibert.finetuning` has all of it for whole
models. Axes: D hidden, M bottleneck, R rank.
"""
from collections.abc import Mapping

import numpy as np

from .encoder import gelu, linear

Arrays = dict[str, np.ndarray]
STD = 0.01      # of an adapter's first weights; Houlsby et al., section 3.6
# paper: the normal distribution is truncated at 2 std


def adapter_weights(hidden_size: int, bottleneck: int, rng: np.random.Generator) -> Arrays:
    """Draw the first weights of an adapter: so small that the adapter changes next to nothing.

    Returns "down.weight" (M, D), "down.bias" (M,), "up.weight" (D, M), "up.bias" (D,).
    """
    D, M = hidden_size, bottleneck
    return {"down.weight": rng.normal(0, STD, (M, D)), "down.bias": np.zeros(M),
            "up.weight": rng.normal(0, STD, (D, M)), "up.bias": np.zeros(D)}


def adapter(hidden: np.ndarray, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return hidden (..., D) plus what the bottleneck makes of it: down to M numbers, GELU, up to D again.

    weights: as from `adapter_weights`.
    """
    down, up = ({part: weights[f"{way}.{part}"] for part in ("weight", "bias")} for way in ("down", "up"))
    return hidden + linear(gelu(linear(hidden, down)), up)                      # (..., M) -> (..., D)


def lora_merge(weights: Mapping[str, np.ndarray], adapters: Mapping[str, Mapping[str, np.ndarray]],
               alpha: float) -> Arrays:
    """Add LoRA's products to the weights that they belong to: W + (alpha / R) B A.

    weights: name -> array, matrices (out, in) and others. adapters: the name of a matrix -> {"a": (R, in),
    "b": (out, R)}; each may have a rank R of its own. Returns new weights; what has no adapter stays as it
    is. Raises ValueError for an adapter whose product does not fit a matrix of that name.

    >>> merged = lora_merge({"query": np.eye(2)}, {"query": {"a": np.array([[1.0, 0.0]]),
    ...                                                     "b": np.array([[0.0], [3.0]])}}, alpha=2.0)
    >>> merged["query"].tolist()
    [[1.0, 0.0], [6.0, 1.0]]
    """
    merged = {name: array.copy() for name, array in weights.items()}
    for name, pair in adapters.items():
        change = pair["b"] @ pair["a"]                                          # (out, in)
        if name not in merged or merged[name].shape != change.shape:
            there = merged[name].shape if name in merged else "missing"
            raise ValueError(f"{name}: an adapter of shape {change.shape}, where the weights are {there}")
        merged[name] = merged[name] + alpha / len(pair["a"]) * change
    return merged


def layer_rates(layers: int, peak: float, decay: float) -> list[float]:
    """Return the learning rates of the embeddings, of layers 1 to `layers`, and of the head.

    The head and the top layer have `peak`, and each further layer down has `decay` times the learning rate of
    the one above it; the embeddings count as the layer below the first. Raises ValueError for a decay outside
    (0, 1].

    >>> layer_rates(2, 8.0, 0.5)                # embeddings, layer 1, layer 2, head
    [2.0, 4.0, 8.0, 8.0]
    """
    if not 0 < decay <= 1:
        raise ValueError(f"decay={decay} must be above 0 and at most 1")
    return [peak * decay ** depth for depth in range(layers, -1, -1)] + [peak]
