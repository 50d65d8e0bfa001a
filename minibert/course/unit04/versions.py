"""Versions of `mlm_loss`, right and wrong, that the student's test has to tell apart.

Axes: B batch, T tokens, V vocabulary, N positions that count.
"""

import math

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.student_tests import Version
from .loss_mistakes import (
    log_softmax,
    mean,
    of_picked,
    relabelled,
    row_means,
    without_zero,
)
from .stability_mistakes import padded, shifted_but_logged, unstable


def in_loops(logits: np.ndarray, labels: np.ndarray) -> float:
    """Compute the loss position by position, with `math` only."""
    losses = []
    for scores, label in zip(
        np.reshape(logits, (-1, np.shape(logits)[-1])).tolist(), np.ravel(labels).tolist()
    ):
        if label != IGNORE:
            top = max(scores)
            losses.append(
                top + math.log(math.fsum(math.exp(score - top) for score in scores)) - scores[label]
            )
    return math.fsum(losses) / len(losses)


def by_one_hot(logits: np.ndarray, labels: np.ndarray) -> float:
    wanted = np.arange(logits.shape[-1]) == labels[..., None]  # (B, T, V)
    return (np.logaddexp.reduce(logits, axis=-1)[..., None] - logits)[wanted].sum() / wanted.sum()


def in_float32(logits: np.ndarray, labels: np.ndarray) -> float:
    return of_picked(mean)(np.asarray(logits, np.float32), labels)


def in_place(logits: np.ndarray, labels: np.ndarray) -> float:
    logits -= logits.max(axis=-1, keepdims=True)
    return of_picked(mean)(logits, labels)


RIGHT = (
    Version("one that goes through the positions in a loop, and returns a plain number", in_loops),
    Version("one that takes the log of the sum first; its rounding differs in the last digits", by_one_hot),
    Version("one that computes in float32, right to about seven digits: compare with np.isclose", in_float32),
)
WRONG = (
    Version(
        "asks for the token with id 0 wherever the label is -100, as your colleague's does", relabelled(0)
    ),
    Version(
        "divides by all positions, also by those with the label -100",
        of_picked(lambda values, labels: -values.sum() / labels.size),
    ),
    Version("leaves out labels that are 0", without_zero),
    Version(
        "averages each sequence first and then the sequences, so that a label in a sequence of few "
        "counts more",
        row_means,
    ),
    Version("gives the sum of the losses, not their mean", of_picked(lambda values, labels: -values.sum())),
    Version("has no softmax: it averages the logits themselves", of_picked(mean, lambda logits: logits)),
    Version("overflows for large logits, and gives nan", unstable),
)
MORE = (
    Version("gives inf for a token so unlikely that its probability is rounded to 0", shifted_but_logged),
    Version("adds a small number to every probability, so that no loss is ever larger than 14", padded(1e-6)),
    Version(
        "divides by the number of sequences", of_picked(lambda values, labels: -values.sum() / len(labels))
    ),
    Version(
        "takes the logarithm of the mean probability, not the mean of the logarithms",
        of_picked(lambda values, labels: -np.log(np.exp(values).mean())),
    ),
    Version(
        "takes the softmax over the positions of a sequence, not over the vocabulary",
        of_picked(mean, lambda logits: log_softmax(logits, 1)),
    ),
    Version("changes its input in place", in_place),
)
