"""Known mistakes about `scalar_mix`, ELMo's weighted sum of layers.

Peters et al. (2018, arXiv 1802.05365), equation (1). L: layers.
"""

from collections.abc import Sequence

import numpy as np

from minibert.reference import softmax

from ..checks.edits import edits, pairs_of_edits


def scalar_mix(layers: Sequence[np.ndarray], weights: np.ndarray, gamma: float) -> np.ndarray:
    """Return the sum of L + 1 layers (B, T, D), weighted by the softmax of `weights`, times gamma."""
    shares = softmax(weights)
    return gamma * sum(share * layer for share, layer in zip(shares, layers))


MIX = edits(
    scalar_mix,
    """
    $sum = sum(share * layer for share, layer in zip(shares, layers))

    `@` sums over the last axis but one of the layers, their tokens. Sum over the layers: in a loop, or with
    np.tensordot(shares, layers, 1).
        $sum => (shares @ np.array(layers))
    the softmax is missing: the weights may be any numbers, their shares sum to 1.
        softmax(weights) => weights
    you divide the weights by their sum. Some are negative; take their softmax.
        softmax(weights) => weights / weights.sum()
    these are the exponentials of the weights, not yet divided by their sum.
        softmax(weights) => np.exp(weights)
    these are sigmoids of the weights, which do not sum to 1. Take their softmax.
        softmax(weights) => 1 / (1 + np.exp(-weights))
    gamma is missing. It scales the whole sum.
        gamma * => 1 *
    you divide by gamma. Multiply.
        gamma * => 1 / gamma *
    gamma is inside the softmax, where it sharpens the shares. It scales the whole sum.
        softmax(weights) => softmax(gamma * weights)
        gamma * $sum => $sum
    you also divide by the number of layers. The shares sum to 1: their sum is a mean already.
        gamma * => gamma / len(layers) *
    the weights are ignored: this is the plain mean of the layers.
        softmax(weights) => softmax(0 * weights)
    the shares are in the wrong order: the first weight belongs to the first layer, the embeddings.
        softmax(weights) => softmax(weights)[::-1]
    only the top layer is there: the others have no share.
        $sum => layers[-1]
    only the layer with the largest weight is there. Its share is the largest, and the others have theirs.
        $sum => layers[np.argmax(weights)]
    np.exp overflows for large weights. Take the `softmax` that is given, or subtract the largest weight
    first.
        softmax(weights) => np.exp(weights) / np.exp(weights).sum()
    gamma is added. It multiplies the whole sum.
        gamma * => gamma +
    gamma squared is in your answer. Multiply once.
        gamma * => gamma**2 *
    gamma multiplies the top layer alone. It scales the whole sum.
        gamma * $sum => $sum + (gamma - 1) * shares[-1] * layers[-1]
    the embeddings are left out. Their weight is the first: all L + 1 layers are mixed.
        softmax(weights) => softmax(weights[1:])
        zip(shares, layers) => zip(shares, layers[1:])
    you take the softmax twice: the softmax of the shares. Take it once.
        softmax(weights) => softmax(softmax(weights))
    the layer with the smallest weight has the largest share. Take the softmax of w, not of -w.
        softmax(weights) => softmax(-weights)
    the sign of the weights is lost. A weight below 0 gives a small share.
        softmax(weights) => softmax(abs(weights))
    this is a softmax of the layers' numbers. The softmax is of the L + 1 weights alone.
        $sum => softmax(np.stack(layers) * weights[:, None, None, None]).sum(0)
    squares of the weights, divided by their sum, are not a softmax. Weights below 0 give small shares.
        softmax(weights) => weights**2 / (weights**2).sum()
    the layers are added up, whatever their weights.
        softmax(weights) => np.ones(len(weights))
    """,
) + pairs_of_edits(
    scalar_mix,
    """
    the softmax is missing
        softmax(weights) => weights
    the shares are in the wrong order
        softmax(weights) => softmax(weights)[::-1]
    the weights are divided by their sum, in place of their softmax
        softmax(weights) => weights / weights.sum()
    gamma is missing
        gamma * => 1 *
    the sum is divided by the number of layers
        gamma * => gamma / len(layers) *
    """,
)
