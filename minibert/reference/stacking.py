"""Stacking: a trained model with twice as many layers, in NumPy: the definition.

Gong et al. (2019, ICML, Efficient training of BERT by progressively stacking), algorithm 1, for the weights;
that the optimizer's state should grow with them: Shen et al. (2022, arXiv 2203.06211).
`minibert.training.stacking` does the same to a model in training.
"""
from collections.abc import Mapping
from typing import Any

import numpy as np

LAYER = "layers."       # how the names of the layers' arrays begin; then the layer's number from 0 and a dot


def stack_layers(weights: Mapping[str, np.ndarray],
                 state: Mapping[str, Any]) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Return the weights and the optimizer's state of a model of 2L layers, made of one of L.

    Layer L + i is a copy of layer i, in the weights and in both of Adam's moments; everything else, such as
    the embeddings, and the number of steps stay. weights: name -> array; those of layer i are called
    "layers.i.", then what they are. state: {"step": int, "m": name -> array, "v": name -> array}, with the
    names of the weights. Returns new dicts with new arrays. Raises ValueError where there is no layer.

    >>> weights = {"words": np.array([1.0]), "layers.0.out": np.array([2.0])}
    >>> state = {"step": 9, "m": {name: x / 10 for name, x in weights.items()},
    ...          "v": {name: x / 100 for name, x in weights.items()}}
    >>> deeper, memory = stack_layers(weights, state)
    >>> [(name, float(x[0])) for name, x in deeper.items()]
    [('words', 1.0), ('layers.0.out', 2.0), ('layers.1.out', 2.0)]
    >>> memory["step"], float(memory["m"]["layers.1.out"][0])
    (9, 0.2)
    """
    numbers = [number_of(name) for name in weights if name.startswith(LAYER)]
    if not numbers:
        raise ValueError(f"no name begins with {LAYER!r}, so there is no layer to stack: {sorted(weights)}")
    L = 1 + max(numbers)
    return doubled(weights, L), {"step": state["step"], "m": doubled(state["m"], L),
                                 "v": doubled(state["v"], L)}


def number_of(name: str) -> int:
    """Return the layer that an array belongs to.

    >>> number_of("layers.11.attention.out")
    11
    """
    return int(name.split(".")[1])


def doubled(arrays: Mapping[str, np.ndarray], L: int) -> dict[str, np.ndarray]:
    """Return the named arrays, with a copy of those of each layer i for layer L + i."""
    result = {name: array.copy() for name, array in arrays.items()}
    for name, array in arrays.items():
        if name.startswith(LAYER):
            _, number, rest = name.split(".", 2)
            result[f"{LAYER}{int(number) + L}.{rest}"] = array.copy()
    return result
