"""Students' common mistakes in `combine_layers`, which computes a token's features from multiple layers."""

import numpy as np

from minibert.reference import softmax

from ..checks.edits import edits, pairs_of_edits


def combine_layers(
    layers: np.ndarray, way: str, scores: np.ndarray | None = None, gamma: float = 1.0
) -> np.ndarray:
    """Combine the hidden states of multiple layers into one feature vector per token.

    way: the method, such as "concat-last-four". scores, gamma: for weighted sums only.
    """
    single = {"embeddings": 0, "second-to-last": -2, "last": -1}
    if way in single:
        return layers[single[way]]
    if way == "concat-last-four":
        return np.concatenate(list(layers[-4:]), axis=-1)
    chosen = layers[-4:] if way == "sum-last-four" else layers[1:]
    if scores is None:
        scores = np.zeros(len(chosen), chosen.dtype)
    return gamma * np.tensordot(softmax(scores), chosen, axes=1)


PIECES = """
    $concat = np.concatenate(list(layers[-4:]), axis=-1)
    $equal = np.zeros(len(chosen), chosen.dtype)
    $sum = gamma * np.tensordot(softmax(scores), chosen, axes=1)
    """
COMBINE = edits(
    combine_layers,
    PIECES
    + r"""
    you use the scores as weights. Use the softmax of the scores.
        $equal => np.full(len(chosen), 1 / len(chosen))
        softmax(scores) => scores
    you use the scores as weights, so that scores of 0 give 0. Use the softmax of the scores.
        softmax(scores) => scores
    you divide the scores by their sum. Use the softmax of the scores as weights.
        np.zeros => np.ones
        softmax(scores) => scores / scores.sum()
    `scores` is ignored, so that all layers have the same weight. Use the softmax of the scores as weights.
        softmax(scores) => softmax(0 * scores)
    `gamma` is ignored. Multiply each weighted sum by it.
        gamma * => 1.0 *
    you divide by `gamma`. Multiply each weighted sum by it.
        gamma * => 1 / gamma *
    you multiply every result by `gamma`. Multiply only the weighted sums.
        layers[single[way]] => gamma * layers[single[way]]
        $concat => gamma * $concat
    you stack the layers along a new axis. Concatenate each token's four vectors along the last axis.
        $concat => np.stack(list(layers[-4:]), axis=-2)
    you concatenate along the first axis. Use the last axis, along which the vectors lie.
        axis=-1 => axis=0
    your concatenation begins with the last layer. Keep the order of the layers in `layers`.
        list(layers[-4:]) => list(layers[:-5:-1])
    you keep the layer axis of a single layer, with size 1. Remove it.
        layers[single[way]] => layers[[single[way]]]
    "embeddings" returns the first layer above the embeddings. Return the embeddings, which come first.
        "embeddings": 0 => "embeddings": 1
    "second-to-last" returns the last layer. Return the one before it.
        "second-to-last": -2 => "second-to-last": -1
    "second-to-last" returns the second layer from the beginning. Count from the end.
        "second-to-last": -2 => "second-to-last": 1
    your "last four" are the first four layers. Count from the end.
        layers[-4:] =>> layers[:4]
    your "last four" leave out the last layer. Check the end of your slice.
        list(layers[-4:]) => list(layers[-4:-1])
        chosen = layers[-4:] => chosen = layers[-5:-1]
    your "sum-all" includes the embeddings. Sum only the layers above them.
        layers[1:] => layers
    without scores, you add up the layers. Use equal weights with the sum 1, which give the mean.
        if scores is None: => if scores is None:\n    return gamma * chosen.sum(0)
    you add `gamma`. Multiply each weighted sum by it.
        gamma * => gamma +
    you use `gamma` inside the softmax, where it changes the weights. Multiply the weighted sum by it.
        $sum => np.tensordot(softmax(gamma * scores), chosen, axes=1)
    without scores, you ignore `gamma`. Multiply each weighted sum by it.
        $equal => $equal\ngamma = 1.0
    your weights are in the wrong order. The first score belongs to the lowest layer of the sum.
        softmax(scores) => softmax(scores)[::-1]
    your weights are the exponentials of the scores. Divide them by their sum, as the softmax does.
        softmax(scores) => np.exp(scores)
    np.exp overflows for large scores. Use the imported `softmax`.
        softmax(scores) => np.exp(scores) / np.exp(scores).sum()
    you use only the layer with the largest score. Use a weighted sum of all layers.
        softmax(scores) => np.arange(len(scores)) == scores.argmax()
    "second-to-last" returns the third-to-last layer. Return the one above it.
        "second-to-last": -2 => "second-to-last": -3
    your "sum-all" leaves out the last layer. Check the end of your slice.
        layers[1:] => layers[1:-1]
    your "last four" are only three layers. Check the start of your slice.
        layers[-4:] =>> layers[-3:]
    your "last four" are five layers. Check the start of your slice.
        layers[-4:] =>> layers[-5:]
    you interleave the numbers of the four layers. Put each token's four vectors one after another.
        $concat => np.stack(layers[-4:], axis=-1).reshape(*layers.shape[1:-1], -1)
    you concatenate along the axis of the tokens. Use the last axis, along which the vectors lie.
        axis=-1 => axis=-2
    """,
) + pairs_of_edits(
    combine_layers,
    PIECES
    + """
    you use the scores as weights instead of their softmax
        $equal => np.full(len(chosen), 1 / len(chosen))
        softmax(scores) => scores
    `gamma` is ignored, although it should multiply each weighted sum
        gamma * => 1.0 *
    you stack the layers along a new axis instead of concatenating them along the last one
        $concat => np.stack(list(layers[-4:]), axis=-2)
    "second-to-last" returns the last layer instead of layers[-2]
        "second-to-last": -2 => "second-to-last": -1
    """,
)
