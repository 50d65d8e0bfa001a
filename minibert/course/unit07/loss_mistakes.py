"""Known mistakes about `span_loss`: the two softmaxes over the positions, and what is averaged.

Devlin et al. (2019, arXiv 1810.04805), section 4.2. Axes: B sequences, T positions.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs


def stable(logits: np.ndarray, axis: int = -1) -> np.ndarray:
    """The logarithm of the softmax, without overflow."""
    logits = logits - logits.max(axis, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis, keepdims=True))


def picked(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    return values[np.arange(len(places)), places]


def loss(
    logs: Callable = stable,
    mean: Callable = np.mean,
    share: float = 0.5,
    both: Callable = lambda start, end, share: share * (start + end),
    counted: Callable | None = None,
    places: Callable = lambda starts, ends: (starts, ends),
) -> Callable:
    """Build `span_loss` with some of its pieces replaced. counted(starts): which sequences count."""

    def wrong(start_logits, end_logits, starts, ends):
        starts, ends = places(np.asarray(starts), np.asarray(ends))
        keep = slice(None) if counted is None else counted(starts)
        start = -picked(logs(start_logits), starts)[keep]
        end = -picked(logs(end_logits), ends)[keep]
        return both(mean(start), mean(end), share)

    return wrong


def overflowing(logits: np.ndarray) -> np.ndarray:
    return np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))


def overflowing_by_parts(logits: np.ndarray) -> np.ndarray:
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def by_probabilities(logits: np.ndarray) -> np.ndarray:
    """The logarithm of the softmax, which is -inf where the softmax is 0."""
    return np.log(np.exp(stable(logits)))


def at_least(small: float) -> Callable:
    """Build the logarithm of the softmax with `small` as the least probability."""
    return lambda logits: np.log(np.maximum(np.exp(stable(logits)), small))


def added(small: float) -> Callable:
    """Build the logarithm of the softmax plus `small`."""
    return lambda logits: np.log(np.exp(stable(logits)) + small)


def moved_by(shift: Callable) -> Callable:
    """Build the logarithm of the softmax of logits - shift(logits), without further care."""
    return lambda logits: overflowing_by_parts(logits - shift(logits))


def sigmoid(start_logits: np.ndarray, end_logits: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> float:
    def one(logits, places):
        hit = np.arange(logits.shape[1]) == np.asarray(places)[:, None]  # (B, T)
        return np.mean(np.logaddexp(0, logits) - logits * hit)

    return (one(start_logits, starts) + one(end_logits, ends)) / 2


def together(start_logits: np.ndarray, end_logits: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> float:
    """The loss with one softmax over all 2 T scores of a sequence."""
    logs = stable(np.concatenate([start_logits, end_logits], 1))
    return (
        -(picked(logs, np.asarray(starts)) + picked(logs, np.asarray(ends) + start_logits.shape[1])).mean()
        / 2
    )


def crossed(start_logits: np.ndarray, end_logits: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> float:
    """The loss of every sequence with the positions of every sequence, instead of its own."""
    return -(stable(start_logits)[:, starts].mean() + stable(end_logits)[:, ends].mean()) / 2


SUM = Mistake("you return start + end; return their mean: half of the sum.", loss(share=1))
LOSS = (
    SUM,
    Mistake(
        "`logs[:, places]` takes all places from every row. Give it the rows too, so that each goes with "
        "its own place: logs[np.arange(B), places].",
        crossed,
    ),
    Mistake("you add up the rows of the batch; take their mean.", loss(mean=np.sum)),
    Mistake(
        "only the start counts. The end has a loss of its own; return the mean of both.",
        loss(both=lambda start, end, share: start),
    ),
    Mistake(
        "only the end counts. The start has a loss of its own; return the mean of both.",
        loss(both=lambda start, end, share: end),
    ),
    Mistake(
        "starts and ends are mixed up: the start scores belong to `starts`.", loss(places=lambda s, e: (e, s))
    ),
    Mistake(
        "both ends are read at `starts`. The end scores belong to `ends`.", loss(places=lambda s, e: (s, s))
    ),
    Mistake("the softmax is missing: you average the scores themselves.", loss(lambda logits: logits)),
    Mistake(
        "the logarithm is missing: this averages probabilities. The loss is minus their logarithm.",
        loss(lambda logits: np.exp(stable(logits))),
    ),
    Mistake("the sign: the loss is minus the logarithm, so it is never negative.", loss(share=-0.5)),
    Mistake(
        "the softmax runs over the rows of the batch. It runs over the positions of a row: the last axis.",
        loss(lambda logits: stable(logits, 0)),
    ),
    Mistake(
        "the softmax runs over the whole batch. Each row has its own.",
        loss(lambda logits: stable(logits.reshape(1, -1)).reshape(logits.shape)),
    ),
    Mistake("there is one softmax over all starts and ends together. Take two, one for each end.", together),
    Mistake(
        "a sigmoid asks of each position alone: yes or no? Here the positions of a row compete: take a "
        "softmax.",
        sigmoid,
    ),
    Mistake("the logarithm is that of base 2; take np.log.", loss(lambda logits: stable(logits) / np.log(2))),
    Mistake(
        "the logarithm is that of base 10; take np.log.", loss(lambda logits: stable(logits) / np.log(10))
    ),
    Mistake(
        "rows without an answer (0) are left out. For them [CLS], position 0, is the right start and the "
        "right end: they count like all others.",
        loss(counted=lambda starts: starts > 0),
    ),
    Mistake(
        "exp overflows for large scores. Subtract each row's maximum first; no probability changes.",
        loss(overflowing),
    ),
    Mistake(
        "exp overflows for large scores. Subtract each row's maximum first; no probability changes.",
        loss(overflowing_by_parts),
    ),
    Mistake(
        "a probability that is very small becomes 0, and its logarithm -inf. Take the logarithm of the "
        "sum, "
        "not of the quotient: score - log(sum of exp).",
        loss(by_probabilities),
    ),
    *(
        Mistake(
            "a small number inside the logarithm changes large losses. Take the logarithm of the sum, not "
            "of "
            "the quotient: score - log(sum of exp).",
            loss(logs(10.0**-power)),
        )
        for logs in (at_least, added)
        for power in range(5, 17)
    ),
    Mistake(
        "you subtract the maximum of the whole batch. In a row far below it every exp is 0: take each "
        "row's maximum.",
        loss(moved_by(np.max)),
    ),
    Mistake(
        "you subtract the row's smallest score, so that exp overflows all the same. Take the largest.",
        loss(moved_by(lambda logits: logits.min(-1, keepdims=True))),
    ),
    Mistake(
        "the loss is divided by the number of positions. It is the mean over the rows alone.",
        lambda s, e, starts, ends: loss()(s, e, starts, ends) / s.shape[1],
    ),
    Mistake(
        "this is the larger of the two ends. Take their mean.",
        loss(both=lambda start, end, share: max(start, end)),
    ),
    Mistake(
        "this is e to the power of the loss. Return the loss itself.",
        loss(both=lambda start, end, share: np.exp(share * (start + end))),
    ),
    Mistake(
        "these are squared distances from the probability 1. The loss is minus the logarithm.",
        loss(lambda logits: -((1 - np.exp(stable(logits))) ** 2)),
    ),
    Mistake(
        "this is 1 minus the probability. The loss is minus its logarithm.",
        loss(lambda logits: np.exp(stable(logits)) - 1),
    ),
    *(
        Mistake(
            f"you read the place {word} the right one. Positions count from 0, as indices do.",
            loss(places=lambda s, e, by=by: (s + by, e + by)),
        )
        for by, word in ((-1, "before"), (1, "after"))
    ),
    Mistake(
        "this is a loss for each row. Return one number: the mean over the batch.", loss(mean=lambda x: x)
    ),
    Mistake(
        "this is a pair of losses. Return one number: the mean of the two.",
        loss(both=lambda start, end, share: (start, end)),
    ),
    *pairs(
        loss,
        (dict(share=1), "start and end are added up, not averaged"),
        (dict(mean=np.sum), "the rows are added up, not averaged"),
        (dict(logs=overflowing), "exp overflows for large scores: subtract each row's maximum first"),
        (dict(counted=lambda starts: starts > 0), "rows without an answer (0) are left out"),
    ),
)
