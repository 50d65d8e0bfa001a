"""Students' common mistakes in `scalar_mix`, ELMo's weighted sum of layers.

Peters et al. (2018, arXiv 1802.05365), equation (1). Axes: B batch, T tokens, D hidden, L layers.
"""

from collections.abc import Sequence

import numpy as np

from minibert.reference import softmax

from ..checks.edits import edits, pairs_of_edits


def scalar_mix(layers: Sequence[np.ndarray], weights: np.ndarray, gamma: float) -> np.ndarray:
    """Return the sum of L + 1 arrays (B, T, D), weighted by the softmax of `weights`, times gamma."""
    shares = softmax(weights)
    return gamma * sum(share * layer for share, layer in zip(shares, layers))


MIX = edits(
    scalar_mix,
    """
    $sum = sum(share * layer for share, layer in zip(shares, layers))

    your matrix product sums over the tokens. Sum over the layers.
        $sum => (shares @ np.array(layers))
    the softmax is missing. Apply it to the weights, so that the shares sum to 1.
        softmax(weights) => weights
    you divide the weights by their sum, but some weights may be negative. Take their softmax.
        softmax(weights) => weights / weights.sum()
    your shares are the exponentials of the weights. Divide them by their sum, as the softmax does.
        softmax(weights) => np.exp(weights)
    your shares are sigmoids of the weights, which do not sum to 1. Take the softmax of the weights.
        softmax(weights) => 1 / (1 + np.exp(-weights))
    gamma is missing. Multiply the weighted sum by it.
        gamma * => 1 *
    you divide by gamma. Multiply the weighted sum by it.
        gamma * => 1 / gamma *
    you use gamma inside the softmax, where it changes the shares. Multiply the weighted sum by it.
        softmax(weights) => softmax(gamma * weights)
        gamma * $sum => $sum
    you also divide by the number of layers. The weighted sum is already a mean.
        gamma * => gamma / len(layers) *
    you ignore the weights and return the plain mean of the layers. Use the softmax of the weights as shares.
        softmax(weights) => softmax(0 * weights)
    your shares are in the wrong order. The first weight belongs to the first layer, the embeddings.
        softmax(weights) => softmax(weights)[::-1]
    you use only the top layer. Use the weighted sum of all layers.
        $sum => layers[-1]
    you use only the layer with the largest weight. Use the weighted sum of all layers.
        $sum => layers[np.argmax(weights)]
    np.exp overflows for large weights. Use the imported `softmax`, or subtract the largest weight first.
        softmax(weights) => np.exp(weights) / np.exp(weights).sum()
    you add gamma. Multiply the weighted sum by it.
        gamma * => gamma +
    you multiply by gamma twice. Multiply by it only once.
        gamma * => gamma**2 *
    you multiply only the top layer by gamma. Multiply the whole weighted sum by it.
        gamma * $sum => $sum + (gamma - 1) * shares[-1] * layers[-1]
    you leave out the embeddings. Mix all L + 1 layers: the first weight belongs to the embeddings.
        softmax(weights) => softmax(weights[1:])
        zip(shares, layers) => zip(shares, layers[1:])
    you take the softmax of the weights, then the softmax of the result. Take it only once.
        softmax(weights) => softmax(softmax(weights))
    in your answer, the layer with the smallest weight has the largest share. Take the softmax of the weights,
    without a minus sign.
        softmax(weights) => softmax(-weights)
    you take the absolute value of the weights. Keep the sign: a negative weight should give a small share.
        softmax(weights) => softmax(abs(weights))
    you take a softmax of the layers' values. Take it only of the L + 1 weights.
        $sum => softmax(np.stack(layers) * weights[:, None, None, None]).sum(0)
    you divide the squares of the weights by their sum. Take the softmax of the weights, so that negative
    weights give small shares.
        softmax(weights) => weights**2 / (weights**2).sum()
    you add up the layers without using the weights. Multiply each layer by its share first.
        softmax(weights) => np.ones(len(weights))
    """,
) + pairs_of_edits(
    scalar_mix,
    """
    the weights are used as shares, without a softmax
        softmax(weights) => weights
    the shares are in the wrong order, although the first weight belongs to the first layer
        softmax(weights) => softmax(weights)[::-1]
    you divide the weights by their sum instead of taking their softmax
        softmax(weights) => weights / weights.sum()
    gamma is missing, although it should multiply the weighted sum
        gamma * => 1 *
    the weighted sum is divided by the number of layers, although it is already a mean
        gamma * => gamma / len(layers) *
    """,
)
