"""Known mistakes about `mlm_loss` and `nsp_loss`.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: means of -log p, in nats. Axes: B batch, T tokens, V
vocabulary, N positions that count.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.exercise import Mistake


def log_softmax(logits: np.ndarray, axis: int = -1) -> np.ndarray:
    shifted = logits - logits.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def picked(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The score of each label that counts, (N,), from scores (..., V) and labels (...)."""
    counted = labels != IGNORE
    return scores[counted][np.arange(counted.sum()), labels[counted]]


def of_picked(combine: Callable, scores: Callable = log_softmax) -> Callable:
    """Build a loss with one piece replaced.

    scores(logits): what the label's value is picked from; combine(values (N,), labels): the result.
    """
    return lambda logits, labels: combine(picked(scores(logits), labels), labels)


def mean(values: np.ndarray, labels: np.ndarray) -> float:
    return -values.mean()


def crossed(logits: np.ndarray, labels: np.ndarray) -> float:
    """The loss of every position with the label of every position, instead of its own."""
    counted = labels != IGNORE
    return -log_softmax(logits)[counted][:, labels[counted]].mean()


def right_mlm_loss(logits: np.ndarray, labels: np.ndarray) -> float:
    """The reference of `mlm_loss`: not the package's, which is unusable while a check runs."""
    return mean(picked(log_softmax(logits), labels), labels)


def right_nsp_loss(logits: np.ndarray, labels: np.ndarray) -> float:
    """The reference of `nsp_loss`; a function of its own, because a lent function cannot be unusable."""
    return mean(picked(log_softmax(logits), labels), labels)


def row_means(logits: np.ndarray, labels: np.ndarray) -> float:
    scores = log_softmax(logits)
    return -np.mean([picked(s, row).mean() for s, row in zip(scores, labels) if (row != IGNORE).any()])


def relabelled(new: int) -> Callable:
    """Build a loss in which every position counts; `new` replaces the label IGNORE."""

    def wrong(logits, labels):
        labels = np.where(labels == IGNORE, new, labels)
        return -np.take_along_axis(log_softmax(logits), labels[..., None], -1).mean()

    return wrong


def without_zero(logits: np.ndarray, labels: np.ndarray) -> float:
    return -picked(log_softmax(logits), np.where(labels > 0, labels, IGNORE)).mean()


COMMON = (
    Mistake(
        "the sign is wrong. A loss is -log p: 0 when the model is sure and right, and larger the worse "
        "it is.",
        of_picked(lambda values, labels: values.mean()),
    ),
    Mistake(
        "these are sums. Divide by the number of labels that count, so that the size of the batch does "
        "not matter.",
        of_picked(lambda values, labels: -values.sum()),
    ),
    Mistake(
        "this is the logarithm to base 2, so the loss is in bits. Take the natural one, np.log.",
        of_picked(lambda values, labels: -values.mean() / math.log(2)),
    ),
    Mistake(
        "this is the logarithm to base 10. Take the natural one, np.log.",
        of_picked(lambda values, labels: -values.mean() / math.log(10)),
    ),
    Mistake(
        "the softmax is missing: you average the logits themselves. Only log p counts what the other "
        "words got.",
        of_picked(mean, lambda logits: logits),
    ),
    Mistake(
        "the logarithm is missing: you average probabilities. The loss is the mean of -log p.",
        of_picked(mean, lambda logits: np.exp(log_softmax(logits))),
    ),
    Mistake(
        "this is 1 - p. The loss is -log p, which punishes a confident mistake much more.",
        of_picked(lambda values, labels: (1 - values).mean(), lambda logits: np.exp(log_softmax(logits))),
    ),
    Mistake(
        "you average the probabilities and then take the logarithm. First the logarithm of each, then "
        "the mean.",
        of_picked(lambda values, labels: -np.log(np.exp(values).mean())),
    ),
    Mistake(
        "this is e to the power of the loss, the perplexity. Leave the last exp out.",
        of_picked(lambda values, labels: np.exp(-values.mean())),
    ),
    Mistake(
        "`scores[:, ids]` takes all ids from every row. Give it the rows too, so that each goes with its "
        "own id: scores[np.arange(N), ids].",
        crossed,
    ),
    Mistake(
        "the softmax runs over the batch. It runs over the classes, the last axis.",
        of_picked(mean, lambda logits: log_softmax(logits, 0)),
    ),
    Mistake(
        "this is the root of a mean of squares. Take the mean of the losses as they are.",
        of_picked(lambda values, labels: np.sqrt((values**2).mean())),
    ),
    Mistake(
        "you ask for the likeliest class, whatever the label is. The loss is -log p of the label.",
        of_picked(mean, lambda logits: log_softmax(logits).max(-1, keepdims=True) + 0 * logits),
    ),
    *(
        Mistake(
            "the loss is rounded. Return it with all its digits.",
            of_picked(lambda values, labels, digits=digits: round(float(-values.mean()), digits)),
        )
        for digits in (0, 1, 2, 3, 4)
    ),
)

EVERYWHERE = (
    "-100 is not an id: it marks a position without a label. Keep only the positions where labels "
    "!= -100, before you pick anything."
)


def indexed(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    rows, columns = np.indices(labels.shape)
    return log_softmax(logits)[rows, columns, labels]


MLM = (
    Mistake(
        "you divide by all positions, B x T. Positions with the label -100 add nothing to the sum, and "
        "must not be counted either: divide by (labels != -100).sum().",
        of_picked(lambda values, labels: -values.sum() / labels.size),
    ),
    Mistake(
        "you divide by the number of sequences. Divide by the number of labels that count.",
        of_picked(lambda values, labels: -values.sum() / len(labels)),
    ),
    Mistake(
        "every position counts: where the label is -100 you ask for the token with id 0. " + EVERYWHERE,
        relabelled(0),
    ),
    Mistake(
        "every position counts: where the label is -100 you take the last id. " + EVERYWHERE, relabelled(-1)
    ),
    Mistake(
        "you leave out labels that are 0. Id 0 is a token like any other here; only -100 means that "
        "there is no label.",
        without_zero,
    ),
    Mistake(
        "you average each sequence first and then the sequences. Each label counts the same, in a "
        "sequence with many labels and in one with few: one mean over all of them.",
        row_means,
    ),
    Mistake(
        "the softmax runs over the positions of the sequence. It runs over the vocabulary, the last axis.",
        of_picked(mean, lambda logits: log_softmax(logits, 1)),
    ),
    Mistake(
        "the mean runs over the whole vocabulary, mostly zeros. Pick log p of the labels, then average "
        "those.",
        lambda logits, labels: -picked(log_softmax(logits), labels).mean() / logits.shape[-1],
    ),
    Mistake(EVERYWHERE, indexed),
    Mistake(
        EVERYWHERE,
        lambda logits, labels: log_softmax(logits.reshape(-1, logits.shape[-1]))[
            np.arange(labels.size), labels.ravel()
        ],
    ),
    Mistake(EVERYWHERE, lambda logits, labels: log_softmax(logits)[0, 0][labels[labels == IGNORE][0]]),
    Mistake(EVERYWHERE, lambda logits, labels: np.eye(logits.shape[-1])[labels]),
    *COMMON,
)


def sigmoids(logits: np.ndarray, labels: np.ndarray) -> float:
    """Two yes-or-no questions instead of one question with two answers."""
    right = np.arange(2) == labels[:, None]  # (B, 2)
    return np.logaddexp(0, np.where(right, -logits, logits)).mean()


def one_logit(logits: np.ndarray, labels: np.ndarray) -> float:
    """A loss in which the sigmoid of the second logit is the probability of label 1."""
    return np.logaddexp(0, np.where(labels == 1, -logits[:, 1], logits[:, 1])).mean()


def squared(logits: np.ndarray, labels: np.ndarray) -> float:
    probs = np.exp(log_softmax(logits))
    return ((probs[:, 1] - labels) ** 2).mean()


NSP = (
    Mistake(
        "label 0 is left out, so the examples in which B does follow A teach nothing. There is no -100 "
        "here: every example counts, 0 and 1 alike.",
        without_zero,
    ),
    Mistake(
        "the two labels are exchanged. Label 0 belongs to the first logit, label 1 to the second.",
        lambda logits, labels: -picked(log_softmax(logits), 1 - labels).mean(),
    ),
    Mistake(
        "you divide by the number of logits, 2 B. There is one answer per example: divide by B.",
        of_picked(lambda values, labels: -values.mean() / 2),
    ),
    Mistake(
        "these are two sigmoids, one for each logit. The two answers exclude each other: one softmax "
        "over both.",
        sigmoids,
    ),
    Mistake(
        "these are two sigmoids, one for each logit. The two answers exclude each other: one softmax "
        "over both.",
        lambda logits, labels: 2 * sigmoids(logits, labels),
    ),
    Mistake(
        "this is the sigmoid of the label's own logit. What the other logit says is missing: p is a "
        "softmax over both.",
        of_picked(lambda values, labels: np.logaddexp(0, -values).mean(), lambda logits: logits),
    ),
    Mistake(
        "this is the sigmoid of the logit for label 1. What the other logit says is missing: p is a "
        "softmax over both.",
        one_logit,
    ),
    Mistake("this is a squared error. The loss is the mean of -log p.", squared),
    *COMMON,
)
