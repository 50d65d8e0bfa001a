"""Known mistakes about `scalar_mix`, ELMo's weighted sum of layers.

Peters et al. (2018, arXiv 1802.05365), equation (1). L: layers.
"""

from collections.abc import Callable

import numpy as np

from minibert.reference import softmax

from ..checks.exercise import Mistake, pairs


def mix(share: Callable = softmax, scale: Callable = lambda gamma, layers: gamma) -> Callable:
    """Build the mix with a piece replaced.

    share(weights): the share of each layer; scale(gamma, layers): what the sum is multiplied by.
    """

    def wrong(layers, weights, gamma):
        shares = share(np.asarray(weights, float))
        return scale(gamma, layers) * sum(s * layer for s, layer in zip(shares, layers))

    return wrong


def exponentials(weights: np.ndarray) -> np.ndarray:
    return np.exp(weights)


MIX = (
    Mistake(
        "`@` sums over the last axis but one of the layers, their tokens. Sum over the layers: in a "
        "loop, or with np.tensordot(shares, layers, 1).",
        lambda layers, weights, gamma: gamma * (softmax(weights) @ np.array(layers)),
    ),
    Mistake(
        "the softmax is missing: the weights may be any numbers, their shares sum to 1.", mix(lambda w: w)
    ),
    Mistake(
        "you divide the weights by their sum. Some are negative; take their softmax.",
        mix(lambda w: w / w.sum()),
    ),
    Mistake("these are the exponentials of the weights, not yet divided by their sum.", mix(exponentials)),
    Mistake(
        "these are sigmoids of the weights, which do not sum to 1. Take their softmax.",
        mix(lambda w: 1 / (1 + np.exp(-w))),
    ),
    Mistake("gamma is missing. It scales the whole sum.", mix(scale=lambda gamma, layers: 1)),
    Mistake("you divide by gamma. Multiply.", mix(scale=lambda gamma, layers: 1 / gamma)),
    Mistake(
        "gamma stands inside the softmax, where it sharpens the shares. It scales the whole sum.",
        lambda layers, weights, gamma: mix(scale=lambda gamma, layers: 1)(layers, gamma * weights, gamma),
    ),
    Mistake(
        "you also divide by the number of layers. The shares sum to 1: their sum is a mean already.",
        mix(scale=lambda gamma, layers: gamma / len(layers)),
    ),
    Mistake(
        "the weights are ignored: this is the plain mean of the layers.",
        mix(lambda w: np.ones(len(w)) / len(w)),
    ),
    Mistake(
        "the shares are in the wrong order: the first weight belongs to the first layer, the embeddings.",
        mix(lambda w: softmax(w)[::-1]),
    ),
    Mistake(
        "only the top layer is there: the others have no share.",
        lambda layers, weights, gamma: gamma * layers[-1],
    ),
    Mistake(
        "only the layer with the largest weight is there. Its share is the largest, and the others have "
        "theirs.",
        lambda layers, weights, gamma: gamma * layers[int(np.argmax(weights))],
    ),
    Mistake(
        "np.exp overflows for large weights. Take the `softmax` that is given, or subtract the largest "
        "weight first.",
        mix(lambda w: np.exp(w) / np.exp(w).sum()),
    ),
    Mistake(
        "gamma is added. It multiplies the whole sum.",
        lambda layers, weights, gamma: mix(scale=lambda gamma, layers: 1)(layers, weights, gamma) + gamma,
    ),
    Mistake("gamma squared is in your answer. Multiply once.", mix(scale=lambda gamma, layers: gamma**2)),
    Mistake(
        "gamma multiplies the top layer alone. It scales the whole sum.",
        lambda layers, weights, gamma: (
            mix(scale=lambda gamma, layers: 1)(layers, weights, gamma)
            + (gamma - 1) * softmax(np.asarray(weights))[-1] * layers[-1]
        ),
    ),
    Mistake(
        "the embeddings are left out. Their weight is the first: all L + 1 layers are mixed.",
        lambda layers, weights, gamma: mix()(layers[1:], weights[1:], gamma),
    ),
    Mistake("softmax twice: the shares are mixed anew. Take it once.", mix(lambda w: softmax(softmax(w)))),
    Mistake(
        "the layer with the smallest weight has the largest share. Take the softmax of w, not of -w.",
        mix(lambda w: softmax(-w)),
    ),
    Mistake(
        "the sign of the weights is lost. A weight below 0 gives a small share.",
        mix(lambda w: softmax(np.abs(w))),
    ),
    Mistake(
        "this is a softmax of the layers' numbers. The softmax is of the L + 1 weights alone.",
        lambda layers, weights, gamma: (
            gamma * softmax(np.stack(layers) * np.asarray(weights)[:, None, None, None]).sum(0)
        ),
    ),
    Mistake(
        "squares of the weights, divided by their sum, are no softmax. Weights below 0 give small shares.",
        mix(lambda w: w**2 / (w**2).sum()),
    ),
    Mistake("the layers are added up, whatever their weights.", mix(lambda w: np.ones(len(w)))),
    *pairs(
        mix,
        (dict(share=lambda w: w), "the softmax is missing"),
        (dict(share=lambda w: softmax(w)[::-1]), "the shares are in the wrong order"),
        (
            dict(share=lambda w: w / w.sum()),
            "the weights are divided by their sum, in place of their softmax",
        ),
        (dict(scale=lambda gamma, layers: 1), "gamma is missing"),
        (dict(scale=lambda gamma, layers: gamma / len(layers)), "the sum is divided by the number of layers"),
    ),
)
