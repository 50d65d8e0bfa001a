"""Correct and wrong versions of `mlm_loss`, which the student's test must tell apart.

Axes: B batch, T tokens, V vocabulary.
"""

import math
from functools import partial

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.edits import edited, named
from ..checks.student_tests import Version
from .loss_mistakes import MLM, cross_entropy
from .stability_mistakes import STABILITY

slip = partial(named, (*STABILITY, *MLM))
in_place = edited(cross_entropy, "shifted = logits - => logits -=", "shifted =>> logits")


def in_loops(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the MLM loss, computed position by position with Python's `math` instead of NumPy."""
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
    return cross_entropy(np.asarray(logits, np.float32), labels)


RIGHT = (
    Version("one that loops over the positions and returns a plain number", in_loops),
    Version(
        "one that takes the log of the sum first, so that the last digits are rounded differently",
        by_one_hot,
    ),
    Version("one that computes in float32, to about seven digits: compare with np.isclose", in_float32),
)
WRONG = (
    Version(
        "uses the label 0 at positions with -100, like your colleague's function",
        slip("as if it meant the token with id 0"),
    ),
    Version(
        "divides by the number of all positions, including those with the label -100",
        slip("number of all positions"),
    ),
    Version("ignores labels that are 0", slip("leave out labels that are 0")),
    Version(
        "averages each sequence first and then the sequences, so that a label counts more in a sequence "
        "with few labels",
        slip("average each sequence first"),
    ),
    Version("returns the sum of the losses instead of their mean", slip("the sum of the losses")),
    Version("has no softmax, and averages the logits themselves", slip("the softmax is missing")),
    Version("overflows for large logits and returns nan", slip("np.exp overflows for large")),
)
MORE = (
    Version(
        "returns inf if a token is so unlikely that its probability is rounded to 0", slip("the loss is inf")
    ),
    Version(
        "adds a small number to every probability, so that no loss is ever larger than 14",
        edited(cross_entropy, "losses.mean() => -np.log(np.exp(-losses) + 1e-6).mean()"),
    ),
    Version("divides by the number of sequences", slip("by the number of sequences")),
    Version(
        "takes the logarithm of the mean probability instead of the mean of the logarithms",
        slip("average the probabilities and then"),
    ),
    Version(
        "takes the softmax over the positions of a sequence instead of the vocabulary",
        slip("over the positions of the sequence"),
    ),
    Version(
        "changes its input in place",
        in_place,
    ),
)
