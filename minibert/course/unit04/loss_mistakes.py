"""Known mistakes in `mlm_loss` and `nsp_loss`.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: both losses are means of -log p, in nats. Axes: B batch,
T tokens, V vocabulary, N positions with a label.
"""

from collections.abc import Callable
from types import FunctionType

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.edits import edits


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> float:
    """Compute the mean of -log p for logits (..., V) and labels (...), in a few lines like a student's."""
    counted = labels != IGNORE
    shifted = logits - logits.max(-1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))  # (..., V)
    losses = -log_probs[counted][np.arange(counted.sum()), labels[counted]]  # (N,)
    return losses.mean()


def again(name: str) -> Callable:
    """Return a copy of `cross_entropy`, so that a check can block one copy and use another."""
    copy = FunctionType(cross_entropy.__code__, globals(), name)
    copy.__qualname__ = name
    return copy


right_mlm_loss, right_nsp_loss = again("right_mlm_loss"), again("right_nsp_loss")  # the references


COMMON = """
    the sign is wrong. A loss is -log p: 0 if the model is sure and right, and larger the worse it is.
        return -result
    these are sums. Divide by the number of labels, so that the size of the batch does not matter.
        losses.mean() => losses.sum()
    this is the logarithm to base 2, so the loss is in bits. Use the natural logarithm, np.log.
        return result / np.log(2)
    this is the logarithm to base 10. Use the natural logarithm, np.log.
        return result / np.log(10)
    the softmax is missing: you average the logits themselves. Only log p also depends on the other logits.
        -log_probs => -logits
    the logarithm is missing: you average the probabilities. The loss is the mean of -log p.
        -log_probs => -np.exp(log_probs)
    this is 1 - p. The loss is -log p, which punishes a confident mistake much more.
        -log_probs => 1 - np.exp(log_probs)
    you average the probabilities and then take the logarithm. Take the logarithm of each first, then
    the mean.
        losses.mean() => -np.log(np.exp(-losses).mean())
    this is e to the power of the loss, the perplexity. Remove the last exp.
        return np.exp(result)
    `scores[:, ids]` takes all ids from every row. Index the rows too, so that each row is paired with its own
    id: scores[np.arange(N), ids].
        [np.arange(counted.sum()), => [:,
    the softmax runs over the batch. It should run over the classes, the last axis.
        -1, keepdims =>> 0, keepdims
    this is the root mean square of the losses. Take their mean.
        losses.mean() => np.sqrt((losses**2).mean())
    you take -log p of the likeliest class, whatever the label is. The loss is -log p of the label.
        [np.arange(counted.sum()), labels[counted]] => .max(-1)
    you round the loss. Return it with all its digits.
        return round(float(result), {0 | 1 | 2 | 3 | 4})
"""
MLM = edits(
    cross_entropy,
    r"""
    $count = counted = labels != IGNORE
    $picked = log_probs[counted][np.arange(counted.sum()), labels[counted]]

    you divide by all positions, B x T. Positions with the label -100 must not count in the sum or in the
    number: divide by (labels != -100).sum().
        losses.mean() => losses.sum() / labels.size
    you divide by the number of sequences. Divide by the number of labels other than -100.
        losses.mean() => losses.sum() / len(labels)
    you count every position, and use the token with id 0 if the label is -100. -100 is not an id: it marks a
    position without a label. First select the positions where labels != -100.
        $count => labels = np.where(labels == IGNORE, 0, labels)\n$count
    you count every position, and use the last id if the label is -100. -100 is not an id: it marks a position
    without a label. First select the positions where labels != -100.
        $count => labels = np.where(labels == IGNORE, -1, labels)\n$count
    you leave out labels that are 0. Here id 0 is a token like any other; only -100 means that there is no
    label.
        labels != IGNORE => labels > 0
    you average each sequence first and then the sequences. Take a single mean over all labels, so that each
    label counts equally.
        return np.mean([right(one, row) for one, row in zip(logits, labels) if (row != IGNORE).any()])
    the softmax runs over the positions of the sequence. It should run over the vocabulary, the last axis.
        -1, keepdims =>> 1, keepdims
    the mean runs over the whole vocabulary, which is mostly zeros. Pick log p of the labels, then
    average those.
        return result / logits.shape[-1]
    you use -100 as an id, but it marks a position without a label. First select the positions where labels
    != -100.
        $picked => np.take_along_axis(log_probs, labels[..., None], -1)
        or
        $picked => log_probs.reshape(-1, logits.shape[-1])[np.arange(labels.size), labels.ravel()]
        or
        $count => np.eye(logits.shape[-1])[labels]\n$count
    """
    + COMMON,
)
NSP = edits(
    cross_entropy,
    """
    you leave out label 0, so the model learns nothing from examples in which B follows A. There is no -100
    here: every example counts, with label 0 or 1.
        labels != IGNORE => labels > 0
    you exchanged the two labels. Label 0 belongs to the first logit, label 1 to the second.
        return right(logits, 1 - labels)
    you divide by the number of logits, 2 B. There is one label per example: divide by B.
        return result / 2
    these are two sigmoids, one for each logit. The two labels exclude each other: use one softmax over
    both logits.
        return {1 | 2} * np.logaddexp(0, np.where(np.arange(2) == labels[:, None], -logits, logits)).mean()
    this is the sigmoid of the label's own logit. You ignore the other logit: p is a softmax over both.
        -log_probs => -logits
        losses.mean() => np.logaddexp(0, losses).mean()
    this is the sigmoid of the logit for label 1. You ignore the other logit: p is a softmax over both.
        return np.logaddexp(0, np.where(labels == 1, -logits[:, 1], logits[:, 1])).mean()
    this is a squared error. The loss is the mean of -log p.
        losses.mean() => ((np.exp(log_probs)[:, 1] - labels) ** 2).mean()
    """
    + COMMON,
)
