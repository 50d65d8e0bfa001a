"""Known mistakes about `combine_layers`."""

from collections.abc import Callable, Iterable

import numpy as np

from minibert import reference
from minibert.analysis.layers import LAYERS

from ..checks.exercise import Mistake, pairs


def equal(scores: np.ndarray | None, chosen: np.ndarray) -> np.ndarray:
    return np.zeros(len(chosen), chosen.dtype) if scores is None else scores


def alike(scores: np.ndarray) -> np.ndarray:
    return np.full(len(scores), 1 / len(scores))


def plain(scores: np.ndarray) -> np.ndarray:
    return scores if scores.any() else alike(scores)


def combined(
    places: Iterable[tuple[str, slice]] = (),
    shares: Callable = reference.softmax,
    scaled: Callable = lambda gamma: gamma,
    join: Callable = lambda chosen: np.concatenate(list(chosen), -1),
    one: Callable = lambda chosen: chosen[0],
) -> Callable:
    """Build `combine_layers` with some of its steps replaced. places: (way, slice) that replace ours."""
    where = LAYERS | dict(places)

    def wrong(layers, way, scores=None, gamma=1.0):
        chosen = layers[where[way]]
        if way.startswith("concat"):
            return join(chosen)
        if not way.startswith("sum"):
            return one(chosen)
        weights = shares(equal(scores, chosen))  # (number of layers,)
        return scaled(gamma) * np.tensordot(weights, chosen, 1)

    return wrong


SWITCHES = (
    (dict(shares=plain), "the scores are the weights, without a softmax"),
    (dict(scaled=lambda gamma: 1.0), "`gamma` is ignored"),
    (dict(join=lambda chosen: np.stack(list(chosen), -2)), "concat stacks along a new axis"),
    (dict(places=(("second-to-last", slice(-1, None)),)), "second-to-last gives the last layer"),
)
COMBINE = (
    Mistake("the scores are taken as weights. Their softmax gives the weights.", combined(shares=plain)),
    Mistake(
        "the scores are taken as weights, so that scores of 0 give nothing. Their softmax gives the weights.",
        combined(shares=lambda scores: scores),
    ),
    Mistake(
        "the scores are divided by their sum. The weights are their softmax.",
        combined(shares=lambda scores: scores / scores.sum() if scores.any() else alike(scores)),
    ),
    Mistake(
        "`scores` is ignored: all layers weigh the same in your answer. Their weights are the softmax of "
        "the scores.",
        combined(shares=alike),
    ),
    Mistake(
        "`gamma` is ignored. A weighted sum is multiplied by it at the end.",
        combined(scaled=lambda gamma: 1.0),
    ),
    Mistake("`gamma` divides. A weighted sum is multiplied by it.", combined(scaled=lambda gamma: 1 / gamma)),
    Mistake(
        "`gamma` multiplies everything in your answer. It belongs to the weighted sums only.",
        lambda layers, way, scores=None, gamma=1.0: (
            (1 if way.startswith("sum") else gamma) * combined()(layers, way, scores, gamma)
        ),
    ),
    Mistake(
        "concat stacks the layers along a new axis. Put the four vectors of a token side by side: (..., "
        "4 D).",
        combined(join=lambda chosen: np.stack(list(chosen), -2)),
    ),
    Mistake(
        "concat joins along the first axis. The vectors lie along the last one.",
        combined(join=lambda chosen: np.concatenate(list(chosen), 0)),
    ),
    Mistake(
        "concat begins with the last layer. Keep the order of the layers.",
        combined(join=lambda chosen: np.concatenate(list(chosen)[::-1], -1)),
    ),
    Mistake(
        "a single layer keeps its layer axis: the first axis has length 1. Take layers[i], not "
        "layers[i:i + 1].",
        combined(one=lambda chosen: chosen),
    ),
    Mistake(
        '"embeddings" gives the first layer above them. They are the first of the outputs: layers[0].',
        combined([("embeddings", slice(1, 2))]),
    ),
    Mistake(
        '"second-to-last" gives the last layer. It is layers[-2].',
        combined([("second-to-last", slice(-1, None))]),
    ),
    Mistake(
        '"second-to-last" gives the second layer, counted from below. It is layers[-2].',
        combined([("second-to-last", slice(1, 2))]),
    ),
    Mistake(
        'the "last four" are the first four in your answer. Count from the end: layers[-4:].',
        combined([("sum-last-four", slice(0, 4)), ("concat-last-four", slice(0, 4))]),
    ),
    Mistake(
        'the last layer is missing from the "last four": layers[-4:-1] stops before it. Write layers[-4:].',
        combined([("concat-last-four", slice(-4, -1)), ("sum-last-four", slice(-5, -1))]),
    ),
    Mistake(
        '"sum-all" takes in the embeddings. It is the sum over the layers above them: layers[1:].',
        combined([("sum-all", slice(0, None))]),
    ),
    Mistake(
        "without scores, the layers are added up. Then all weigh the same, and the weights add up to 1: "
        "the mean.",
        lambda layers, way, scores=None, gamma=1.0: (
            gamma * layers[LAYERS[way]].sum(0)
            if way[:3] == "sum" and scores is None
            else combined()(layers, way, scores, gamma)
        ),
    ),
    Mistake(
        "`gamma` is added. A weighted sum is multiplied by it.",
        lambda layers, way, scores=None, gamma=1.0: (
            combined()(layers, way, scores, 1.0) + (gamma if way.startswith("sum") else 0)
        ),
    ),
    Mistake(
        "`gamma` stands inside the softmax, where it sharpens the weights. The sum is multiplied by it.",
        lambda layers, way, scores=None, gamma=1.0: combined()(
            layers, way, scores if scores is None else gamma * scores, 1.0
        ),
    ),
    Mistake(
        "without scores, `gamma` is ignored. It multiplies every weighted sum.",
        lambda layers, way, scores=None, gamma=1.0: combined()(
            layers, way, scores, 1.0 if scores is None else gamma
        ),
    ),
    Mistake(
        "the weights are in the wrong order: the first score belongs to the lowest layer of the sum.",
        combined(shares=lambda scores: reference.softmax(scores)[::-1]),
    ),
    Mistake(
        "these are the exponentials of the scores, not yet divided by their sum.", combined(shares=np.exp)
    ),
    Mistake(
        "np.exp overflows for large scores. Take the `softmax` that is imported.",
        combined(shares=lambda scores: np.exp(scores) / np.exp(scores).sum()),
    ),
    Mistake(
        "only the layer with the largest score is there. Its weight is the largest, and the others have "
        "theirs.",
        combined(shares=lambda scores: np.arange(len(scores)) == np.argmax(scores)),
    ),
    Mistake(
        '"second-to-last" gives the last layer but two. It is layers[-2].',
        combined([("second-to-last", slice(-3, -2))]),
    ),
    Mistake('"sum-all" leaves the last layer out. It is layers[1:].', combined([("sum-all", slice(1, -1))])),
    *(
        Mistake(
            f'the "last four" are {word} in your answer: layers[-4:].',
            combined([(way, slice(-count, None)) for way in ("sum-last-four", "concat-last-four")]),
        )
        for count, word in ((3, "three"), (5, "five"))
    ),
    Mistake(
        "the numbers of the four layers are taken in turn. Put the four vectors of a token side by side, "
        "one "
        "whole after the other.",
        combined(join=lambda chosen: np.stack(list(chosen), -1).reshape(*chosen.shape[1:-1], -1)),
    ),
    Mistake(
        "concat joins along the tokens. The vectors lie along the last axis.",
        combined(join=lambda chosen: np.concatenate(list(chosen), -2)),
    ),
    *pairs(combined, *SWITCHES),
)
