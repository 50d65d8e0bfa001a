"""Known mistakes about `attention`. Where two give the same result on an input, the first one is named.

Axes: B batch, T queries, S keys, K head size.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert import reference

from ..checks.exercise import Mistake, pairs
from .softmax_mistakes import one_hot, over_sum


def scores_of(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, S)


def finish(
    scores: np.ndarray,
    v: np.ndarray,
    visible: np.ndarray | None = None,
    fill: float | None = None,
    normalise: Callable = reference.softmax,
) -> tuple[np.ndarray, np.ndarray]:
    """Hide, normalise, average: the second half of attention. fill: the score of a hidden key."""
    if visible is not None:
        scores = np.where(visible, scores, np.finfo(scores.dtype).min if fill is None else fill)
    probs = normalise(scores)
    return probs @ v, probs


def root(q: np.ndarray, k: np.ndarray) -> float:
    return 1 / math.sqrt(q.shape[-1])


def attending(
    factor: Callable = root,
    fill: float | None = None,
    see: Callable = lambda visible: visible,
    normalise: Callable = reference.softmax,
    average: Callable = lambda k, v: v,
    give: Callable = lambda context, probs: (context, probs),
) -> Callable:
    """Build attention with some pieces replaced.

    factor(q, k): what the products are multiplied by; fill: the score of a hidden key; see(visible): the
    visibility used; average(k, v): what is averaged; give: the result.
    """

    def wrong(q, k, v, visible=None):
        scores = q @ k.swapaxes(-2, -1) * factor(q, k)  # (..., T, S)
        return give(*finish(scores, average(k, v), see(visible), fill, normalise))

    return wrong


def scaled_by(factor: Callable) -> Callable:
    """Build attention with the scores q k^T times factor(q, k) instead of 1 / sqrt(K)."""
    return attending(factor)


def normalised_by(normalise: Callable) -> Callable:
    return attending(normalise=normalise)


def hidden_as(fill: float | None) -> Callable:
    return attending(fill=fill)


def hidden_after(renormalise: bool) -> Callable:
    """Build attention that sets hidden probabilities to 0 after the softmax."""

    def wrong(q, k, v, visible=None):
        probs = reference.softmax(scores_of(q, k)) * (True if visible is None else visible)
        probs = over_sum(probs, -1) if renormalise else probs
        return probs @ v, probs

    return wrong


def with_result(change: Callable) -> Callable:
    """Build a function that returns change(context, probs, q, k) of the right context and probabilities."""
    return lambda q, k, v, visible=None: change(*reference.attention(q, k, v, visible), q, k)


def scaled_after(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, visible: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    probs = finish(q @ k.swapaxes(-2, -1), v, visible)[1] / math.sqrt(q.shape[-1])
    return probs @ v, probs


ATTENTION = (
    Mistake(
        "equal to attention without dividing the scores by sqrt(K). K is the last axis of q.",
        scaled_by(lambda q, k: 1.0),
    ),
    Mistake(
        "you divide the scores by K instead of sqrt(K). A sum of K products has standard deviation sqrt(K).",
        scaled_by(lambda q, k: 1 / q.shape[-1]),
    ),
    Mistake(
        "you multiply the scores by sqrt(K); divide by it.", scaled_by(lambda q, k: math.sqrt(q.shape[-1]))
    ),
    Mistake(
        "you divide by the square root of the number of keys, S. Divide by sqrt(K): K is the last axis of q.",
        scaled_by(lambda q, k: 1 / math.sqrt(k.shape[-2])),
    ),
    Mistake(
        "you divide by the square root of the number of queries, T. Divide by sqrt(K): K is the last "
        "axis of q.",
        scaled_by(lambda q, k: 1 / math.sqrt(q.shape[-2])),
    ),
    Mistake(
        "you divide by sqrt(K) after the softmax. Scale the scores first, then apply the softmax.",
        scaled_after,
    ),
    *(
        Mistake(
            "the score of a hidden key is not low enough: here the scores of the visible keys are lower "
            "still. Take -1e9 or np.finfo(scores.dtype).min.",
            hidden_as(fill),
        )
        for fill in (-1e4, -10.0)
    ),
    Mistake(
        "your softmax runs over the queries. Each query spreads 1 over the keys: the last axis.",
        normalised_by(lambda s: reference.softmax(s, -2)),
    ),
    Mistake(
        "your softmax runs over the whole matrix of scores. Each query spreads 1 over the keys: the last "
        "axis.",
        normalised_by(lambda s: over_sum(np.exp(s - s.max()), (-2, -1))),
    ),
    Mistake(
        "each query takes only its best key: an argmax. The softmax mixes all visible keys.",
        normalised_by(one_hot),
    ),
    Mistake("the softmax is missing: you average with the raw scores.", normalised_by(lambda s: s)),
    Mistake(
        "the scores are divided by their sum, without the exponential. Use your softmax.",
        normalised_by(lambda s: over_sum(s, -1)),
    ),
    Mistake(
        "the averaged vectors are the keys. The scores come from the keys, the average is over the values v.",
        with_result(lambda context, probs, q, k: (probs @ k, probs)),
    ),
    Mistake(
        "you return (probs, context); the order asked for is (context, probs).",
        with_result(lambda context, probs, q, k: (probs, context)),
    ),
    Mistake(
        "you return the context only; return (context, probs).",
        with_result(lambda context, probs, q, k: context),
    ),
    Mistake(
        "you return the scores; return the probabilities after the softmax.",
        with_result(lambda context, probs, q, k: (context, scores_of(q, k))),
    ),
    Mistake(
        "`visible` is read the wrong way round. True means that the query may look at the key; the "
        "hidden ones are ~visible.",
        lambda q, k, v, visible=None: finish(scores_of(q, k), v, ~visible),
    ),
    Mistake(
        "`visible` is ignored: hidden keys get their share too.",
        lambda q, k, v, visible=None: finish(scores_of(q, k), v),
    ),
    Mistake(
        "a hidden key gets the score 0. But exp(0) = 1, so it still takes part. Give it a very large "
        "negative score.",
        hidden_as(0.0),
    ),
    Mistake(
        "you add True and False (1 and 0) to the scores. A hidden key needs a very large negative score.",
        lambda q, k, v, visible=None: finish(scores_of(q, k) + visible, v),
    ),
    Mistake(
        "you set hidden probabilities to 0 after the softmax, so a row no longer sums to 1. Hide the "
        "scores before the softmax.",
        hidden_after(renormalise=False),
    ),
    Mistake(
        "hiding after the softmax and dividing again is right on paper. But here a hidden key has taken "
        "all the probability, and 0 / 0 is left. Hide the scores before the softmax.",
        hidden_after(renormalise=True),
    ),
    Mistake(
        "exp of a large score is inf, and of a very low one 0, so a row becomes inf / inf or 0 / 0. Use "
        "your softmax, which subtracts the maximum.",
        normalised_by(lambda s: over_sum(np.exp(s), -1)),
    ),
    Mistake(
        "q and k do not fit for @. Swap the last two axes of k, and only those: k.swapaxes(-2, -1). "
        "(`k.T` reverses all axes, the batch axis too.)",
        lambda q, k, v, visible=None: q @ k,
    ),
    Mistake(
        "queries and keys are swapped. The scores have one row per query: q @ k.swapaxes(-2, -1).",
        lambda q, k, v, visible=None: finish(scores_of(k, q), v, visible),
    ),
    *pairs(
        attending,
        (dict(factor=lambda q, k: 1.0), "the scores are not divided by sqrt(K)"),
        (dict(factor=lambda q, k: 1 / q.shape[-1]), "the scores are divided by K instead of sqrt(K)"),
        (
            dict(factor=lambda q, k: 1 / math.sqrt(k.shape[-2])),
            "the scores are divided by sqrt(S) instead of sqrt(K)",
        ),
        (
            dict(normalise=lambda s: reference.softmax(s, -2)),
            "the softmax runs over the queries instead of the keys",
        ),
        (dict(normalise=one_hot), "an argmax stands where the softmax should"),
        (
            dict(normalise=lambda s: over_sum(np.exp(s), -1)),
            "the maximum is not subtracted before exp: use your softmax",
        ),
        (dict(see=lambda visible: None), "`visible` is ignored"),
        (
            dict(see=lambda visible: None if visible is None else ~visible),
            "`visible` is read the wrong way round",
        ),
        (dict(fill=0.0), "a hidden key gets the score 0, and exp(0) is 1"),
        (dict(average=lambda k, v: k), "the keys are averaged instead of the values"),
        (dict(give=lambda context, probs: (probs, context)), "the two results are in the wrong order"),
    ),
)
