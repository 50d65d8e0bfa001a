"""Functions that combine the outputs of all layers into one feature vector per token.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7, with six choices of layers; the weighted sum
is ELMo's (Peters et al., 2018, arXiv 1802.05365, equation 1).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..reference.attention import softmax
from ..spelling import did_you_mean

LAYERS = {  # ways to combine layers, with the outputs that they use; the embeddings are the first output
    "embeddings": slice(0, 1),
    "second-to-last": slice(-2, -1),
    "last": slice(-1, None),
    "sum-last-four": slice(-4, None),
    "concat-last-four": slice(-4, None),
    "sum-all": slice(1, None),  # paper: "all 12 layers"; ELMo's sum includes the embeddings
}


def scalar_mix(layers: Sequence[np.ndarray] | np.ndarray, p: Mapping[str, Any]) -> np.ndarray:
    """Return the weighted sum gamma * sum over j of softmax(w)_j * layers[j], equation (1).

    The weights show how much a task uses each layer. layers: L + 1 arrays of equal shape; the result has the
    same shape. p: a dict with w as `weights` (L + 1,), and `gamma`, (1,) or a number. Raises ValueError if
    there are not as many layers as weights.
    """
    if len(layers) != len(p["weights"]):
        raise ValueError(
            f"the number of layers is {len(layers)}, but must be {len(p['weights'])}, the number of weights"
        )
    return p["gamma"] * sum(share * layer for share, layer in zip(softmax(p["weights"]), layers))


def combine_layers(
    layers: np.ndarray, way: str, scores: np.ndarray | None = None, gamma: float = 1.0
) -> np.ndarray:
    """Combine the outputs of all layers into one feature vector per token.

    layers: (L + 1, ..., D), beginning with the embeddings. way: a name in LAYERS, such as "sum-all". scores:
    for a sum, one number per summed layer, converted to weights by softmax (None means equal weights). gamma:
    a factor for the sum. Returns (..., D), or (..., 4 D) for "concat-last-four". Raises ValueError for an
    unknown way.
    """
    if way not in LAYERS:
        raise ValueError(f"unknown way {way!r}; known ways: {', '.join(LAYERS)}{did_you_mean(way, LAYERS)}")
    chosen = layers[LAYERS[way]]
    if way.startswith("sum"):
        scores = np.zeros(len(chosen), chosen.dtype) if scores is None else scores
        return scalar_mix(chosen, {"weights": scores, "gamma": gamma})
    return np.concatenate(list(chosen), axis=-1)
