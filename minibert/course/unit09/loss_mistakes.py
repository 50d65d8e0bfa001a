"""Known mistakes about `bilm_loss`, ELMo's loss.

Peters et al. (2018, arXiv 1802.05365), section 3.1: two language models that see one side each, and the mean
of their losses. Axes: B batch, T tokens, V vocabulary.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.exercise import Mistake, pairs


def log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def moved(labels: np.ndarray, by: int, wrap: bool = False) -> np.ndarray:
    """Shift the labels: position t gets labels[t + by], or IGNORE past the end of the sequence."""
    out = np.roll(labels, -by, axis=1)
    if by and not wrap:
        out[:, slice(-by, None) if by > 0 else slice(None, -by)] = IGNORE
    return out


def surprises(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """-log p of each label that is predicted, (N,)."""
    asked = labels != IGNORE
    return -np.take_along_axis(log_softmax(logits[asked]), labels[asked][:, None], -1)[:, 0]


def mean_of_means(left: np.ndarray, right: np.ndarray) -> float:
    return (left.mean() + right.mean()) / 2


def by_target(ids: np.ndarray, counted: np.ndarray, by: int, wrap: bool) -> np.ndarray:
    return moved(np.where(counted, ids, IGNORE), by, wrap)


def by_place(ids: np.ndarray, counted: np.ndarray, by: int, wrap: bool) -> np.ndarray:
    """Labels for which `counted` marks the predicting position, not the predicted token."""
    return np.where(counted, moved(ids, by, wrap), IGNORE)


def zero_at_the_end(ids: np.ndarray, counted: np.ndarray, by: int, wrap: bool) -> np.ndarray:
    """Labels with 0 instead of IGNORE past the end of the sequence."""
    labels = by_target(ids, counted, by, wrap)
    labels[:, -1 if by > 0 else 0] = 0
    return labels


def cut_rows(forward: np.ndarray, backward: np.ndarray, ids: np.ndarray, counted: np.ndarray) -> float:
    """The loss with slices of the batch instead of slices of the sequence."""
    tokens = np.where(counted, ids, IGNORE)
    return mean_of_means(surprises(forward[:-1], tokens[1:]), surprises(backward[1:], tokens[:-1]))


def everywhere(ids: np.ndarray, counted: np.ndarray, by: int, wrap: bool) -> np.ndarray:
    return moved(ids, by, wrap)


def loss(
    ahead: int = 1,
    back: int = -1,
    labels: Callable = by_target,
    combine: Callable = mean_of_means,
    wrap: bool = False,
) -> Callable:
    """Build the loss with some pieces replaced.

    ahead, back: how far from its own position a forward or backward logit predicts.
    """

    def bilm_loss(forward, backward, ids, counted):
        return combine(
            surprises(forward, labels(ids, counted, ahead, wrap)),
            surprises(backward, labels(ids, counted, back, wrap)),
        )

    return bilm_loss


def overflowing(logits: np.ndarray) -> np.ndarray:
    return np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))


def with_logs(logs: Callable) -> Callable:
    """Build the loss with another logarithm of the softmax."""

    def bilm_loss(forward, backward, ids, counted):
        means = []
        for logits, by in ((forward, 1), (backward, -1)):
            labels = by_target(ids, counted, by, False)
            picked = np.take_along_axis(logs(logits), np.maximum(labels, 0)[..., None], -1)[..., 0]
            means.append(-picked[labels != IGNORE].mean())
        return sum(means) / 2

    return bilm_loss


def row_by_row(forward: np.ndarray, backward: np.ndarray, ids: np.ndarray, counted: np.ndarray) -> float:
    """The mean of the means of each row and direction."""
    rows = [
        surprises(logits[b : b + 1], by_target(ids[b : b + 1], counted[b : b + 1], by, False))
        for b in range(len(ids))
        for logits, by in ((forward, 1), (backward, -1))
    ]
    return float(np.mean([row.mean() for row in rows if len(row)]))


def without_token_0(ids: np.ndarray, counted: np.ndarray, by: int, wrap: bool) -> np.ndarray:
    return by_target(ids, counted & (ids > 0), by, wrap)


def neighbours_too(ids: np.ndarray, counted: np.ndarray, by: int, wrap: bool) -> np.ndarray:
    """Labels of tokens that count and stand behind one that counts."""
    return by_target(ids, counted & np.roll(counted, 1, 1), by, wrap)


def turned(forward: np.ndarray, backward: np.ndarray, ids: np.ndarray, counted: np.ndarray) -> float:
    """The loss with the backward labels of the text read from its end, but its logits as they stand."""
    after = by_target(ids, counted, 1, False)
    return mean_of_means(
        surprises(forward, after), surprises(backward, by_target(ids[:, ::-1], counted[:, ::-1], 1, False))
    )


SAME = "they are asked for the token at their own place, which they have just read"
BILM = (
    Mistake(
        "forward logits are asked for the token at their own place, which they have just read: nothing "
        "to predict. At t they predict the token at t + 1.",
        loss(ahead=0),
    ),
    Mistake(
        "backward logits are asked for the token at their own place, which they have just read: nothing "
        "to predict. At t they predict the token at t - 1.",
        loss(back=0),
    ),
    Mistake(
        "both directions are asked for the token at their own place, which they have just read. Forward "
        "predicts t + 1, backward t - 1.",
        loss(0, 0),
    ),
    Mistake(
        "the two directions are exchanged: forward logits predict the next token, backward ones the "
        "token before.",
        loss(-1, 1),
    ),
    Mistake(
        "backward logits are asked for the next token, which they have already read: they come from the "
        "right. At t they predict the token at t - 1.",
        loss(back=1),
    ),
    Mistake(
        "forward logits are asked for the token before, which they have already read. At t they predict "
        "the token at t + 1.",
        loss(ahead=-1),
    ),
    Mistake(
        "`counted` is about the token that is predicted. You took it as the place that predicts: move it "
        "together with the ids.",
        loss(labels=by_place),
    ),
    Mistake("`counted` is not used: [CLS], [SEP] and padding are predicted too.", loss(labels=everywhere)),
    Mistake(
        "the row wraps around: after its last token comes its first again, as with np.roll. There is no "
        "such token to predict; put -100 there.",
        loss(wrap=True),
    ),
    Mistake(
        "where the row has ended, the label is 0, which is a token. There is nothing to predict; put "
        "-100 there.",
        loss(labels=zero_at_the_end),
    ),
    Mistake(
        "[:-1] and [1:] cut off whole rows of the batch. Tokens lie along the second axis: [:, :-1] and "
        "[:, 1:].",
        cut_rows,
    ),
    Mistake(
        "these are both means added up. Take their mean: divide by 2.",
        loss(combine=lambda a, b: a.mean() + b.mean()),
    ),
    Mistake(
        "this is one mean over all predictions together. Take the mean of each direction, and then the "
        "mean of the two.",
        loss(combine=lambda a, b: np.concatenate([a, b]).mean()),
    ),
    Mistake("only the forward direction is there.", loss(combine=lambda a, b: a.mean())),
    Mistake("only the backward direction is there.", loss(combine=lambda a, b: b.mean())),
    Mistake(
        "these are sums. Take means, so that the length of the text does not matter.",
        loss(combine=lambda a, b: a.sum() + b.sum()),
    ),
    Mistake(
        "the sign is flipped. A loss is the mean of -log p, never below 0.",
        loss(combine=lambda a, b: -mean_of_means(a, b)),
    ),
    Mistake(
        "you add the logits of both directions before the softmax: then they answer together, about "
        "different tokens. Each direction has its own loss.",
        lambda forward, backward, ids, counted: surprises(
            forward + backward, np.where(counted, ids, IGNORE)
        ).mean(),
    ),
    Mistake(
        "this is a mean over the rows of their means. Take the mean of each direction over all places.",
        row_by_row,
    ),
    Mistake(
        "this is the larger of the two directions. Take their mean.",
        loss(combine=lambda a, b: max(a.mean(), b.mean())),
    ),
    Mistake(
        "this is the geometric mean of the two directions. Take half of their sum.",
        loss(combine=lambda a, b: np.sqrt(a.mean() * b.mean())),
    ),
    Mistake(
        "token 0 is left out. It is a token like the others: `counted` alone decides.",
        loss(labels=without_token_0),
    ),
    Mistake(
        "a token counts only where its neighbour does, too. `counted` speaks of the predicted token alone.",
        loss(labels=neighbours_too),
    ),
    Mistake("the labels are moved by two places. Forward predicts t + 1, backward t - 1.", loss(2, -2)),
    Mistake(
        "the backward labels are those of the text read from its end, but the logits stand in the order "
        "of "
        "the text. Only move the labels by one place.",
        turned,
    ),
    Mistake(
        "the logarithm is that of base 2. Loss is counted in nats.",
        loss(combine=lambda a, b: mean_of_means(a, b) / np.log(2)),
    ),
    Mistake(
        "this is e to the power of the loss. Return the loss itself.",
        loss(combine=lambda a, b: np.exp(mean_of_means(a, b))),
    ),
    Mistake(
        "np.exp overflows for large logits, or gives 0, which has no logarithm. Take the "
        "`mlm_loss` "
        "that is imported.",
        with_logs(overflowing),
    ),
    Mistake(
        "you divide by the number of all places. The mean is over the predictions.",
        lambda forward, backward, ids, counted: loss()(forward, backward, ids, counted) * counted.mean(),
    ),
    *pairs(
        loss,
        (dict(ahead=0), f"forward: {SAME}"),
        (dict(back=0), f"backward: {SAME}"),
        (dict(labels=by_place), "`counted` is taken as the place that predicts"),
        (dict(labels=everywhere), "`counted` is not used"),
        (dict(wrap=True), "the row wraps around, its first token after its last"),
        (dict(combine=lambda a, b: a.mean() + b.mean()), "the sum of both means is not divided by 2"),
    )[1:],
)
