"""Known mistakes about `combine_layers`."""

import numpy as np

from minibert.reference import softmax

from ..checks.edits import edits, pairs_of_edits


def combine_layers(
    layers: np.ndarray, way: str, scores: np.ndarray | None = None, gamma: float = 1.0
) -> np.ndarray:
    """Return one feature vector for each token, without a check of `way`."""
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
    the scores are taken as weights. Their softmax gives the weights.
        $equal => np.full(len(chosen), 1 / len(chosen))
        softmax(scores) => scores
    the scores are taken as weights, so that scores of 0 give nothing. Their softmax gives the weights.
        softmax(scores) => scores
    the scores are divided by their sum. The weights are their softmax.
        np.zeros => np.ones
        softmax(scores) => scores / scores.sum()
    `scores` is ignored: all layers weigh the same in your answer. Their weights are the softmax of the
    scores.
        softmax(scores) => softmax(0 * scores)
    `gamma` is ignored. A weighted sum is multiplied by it at the end.
        gamma * => 1.0 *
    `gamma` divides. A weighted sum is multiplied by it.
        gamma * => 1 / gamma *
    `gamma` multiplies everything in your answer. It belongs to the weighted sums only.
        layers[single[way]] => gamma * layers[single[way]]
        $concat => gamma * $concat
    concat stacks the layers along a new axis. Put the four vectors of a token side by side: (..., 4 D).
        $concat => np.stack(list(layers[-4:]), axis=-2)
    concat joins along the first axis. The vectors lie along the last one.
        axis=-1 => axis=0
    concat begins with the last layer. Keep the order of the layers.
        list(layers[-4:]) => list(layers[:-5:-1])
    a single layer keeps its layer axis: the first axis has length 1. Take layers[i], not layers[i:i + 1].
        layers[single[way]] => layers[[single[way]]]
    "embeddings" gives the first layer above them. They are the first of the outputs: layers[0].
        "embeddings": 0 => "embeddings": 1
    "second-to-last" gives the last layer. It is layers[-2].
        "second-to-last": -2 => "second-to-last": -1
    "second-to-last" gives the second layer, counted from below. It is layers[-2].
        "second-to-last": -2 => "second-to-last": 1
    the "last four" are the first four in your answer. Count from the end: layers[-4:].
        layers[-4:] =>> layers[:4]
    the last layer is missing from the "last four": layers[-4:-1] stops before it. Write layers[-4:].
        list(layers[-4:]) => list(layers[-4:-1])
        chosen = layers[-4:] => chosen = layers[-5:-1]
    "sum-all" includes the embeddings. It is the sum over the layers above them: layers[1:].
        layers[1:] => layers
    without scores, the layers are added up. Then all weigh the same, and the weights add up to 1: the mean.
        if scores is None: => if scores is None:\n    return gamma * chosen.sum(0)
    `gamma` is added. A weighted sum is multiplied by it.
        gamma * => gamma +
    `gamma` is inside the softmax, where it sharpens the weights. The sum is multiplied by it.
        $sum => np.tensordot(softmax(gamma * scores), chosen, axes=1)
    without scores, `gamma` is ignored. It multiplies every weighted sum.
        $equal => $equal\ngamma = 1.0
    the weights are in the wrong order: the first score belongs to the lowest layer of the sum.
        softmax(scores) => softmax(scores)[::-1]
    these are the exponentials of the scores, not yet divided by their sum.
        softmax(scores) => np.exp(scores)
    np.exp overflows for large scores. Take the `softmax` that is imported.
        softmax(scores) => np.exp(scores) / np.exp(scores).sum()
    only the layer with the largest score is there. Its weight is the largest, and the others have theirs.
        softmax(scores) => np.arange(len(scores)) == scores.argmax()
    "second-to-last" gives the last layer but two. It is layers[-2].
        "second-to-last": -2 => "second-to-last": -3
    "sum-all" leaves the last layer out. It is layers[1:].
        layers[1:] => layers[1:-1]
    the "last four" are three in your answer: layers[-4:].
        layers[-4:] =>> layers[-3:]
    the "last four" are five in your answer: layers[-4:].
        layers[-4:] =>> layers[-5:]
    the numbers of the four layers are taken in turn. Put the four vectors of a token side by side, one whole
    after the other.
        $concat => np.stack(layers[-4:], axis=-1).reshape(*layers.shape[1:-1], -1)
    concat joins along the tokens. The vectors lie along the last axis.
        axis=-1 => axis=-2
    """,
) + pairs_of_edits(
    combine_layers,
    PIECES
    + """
    the scores are the weights, without a softmax
        $equal => np.full(len(chosen), 1 / len(chosen))
        softmax(scores) => scores
    `gamma` is ignored
        gamma * => 1.0 *
    concat stacks along a new axis
        $concat => np.stack(list(layers[-4:]), axis=-2)
    second-to-last gives the last layer
        "second-to-last": -2 => "second-to-last": -1
    """,
)
