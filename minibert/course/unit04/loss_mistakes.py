"""Known mistakes about `mlm_loss` and `nsp_loss`.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: means of -log p, in nats. Axes: B batch, T tokens, V
vocabulary, N positions that count.
"""

from collections.abc import Callable
from types import FunctionType

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.edits import edits


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> float:
    """Compute both losses, in the few lines that a student writes: logits (..., V), labels (...)."""
    counted = labels != IGNORE
    shifted = logits - logits.max(-1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))  # (..., V)
    losses = -log_probs[counted][np.arange(counted.sum()), labels[counted]]  # (N,)
    return losses.mean()


def again(name: str) -> Callable:
    """Return a copy of `cross_entropy`: a check makes one copy unusable while it lends the other."""
    copy = FunctionType(cross_entropy.__code__, globals(), name)
    copy.__qualname__ = name
    return copy


right_mlm_loss, right_nsp_loss = again("right_mlm_loss"), again("right_nsp_loss")  # the references


COMMON = """
    the sign is wrong. A loss is -log p: 0 when the model is sure and right, and larger the worse it is.
        return -result
    these are sums. Divide by the number of labels that count, so that the size of the batch does not matter.
        losses.mean() => losses.sum()
    this is the logarithm to base 2, so the loss is in bits. Take the natural one, np.log.
        return result / np.log(2)
    this is the logarithm to base 10. Take the natural one, np.log.
        return result / np.log(10)
    the softmax is missing: you average the logits themselves. Only log p counts what the other words got.
        -log_probs => -logits
    the logarithm is missing: you average probabilities. The loss is the mean of -log p.
        -log_probs => -np.exp(log_probs)
    this is 1 - p. The loss is -log p, which punishes a confident mistake much more.
        -log_probs => 1 - np.exp(log_probs)
    you average the probabilities and then take the logarithm. First the logarithm of each, then the mean.
        losses.mean() => -np.log(np.exp(-losses).mean())
    this is e to the power of the loss, the perplexity. Leave the last exp out.
        return np.exp(result)
    `scores[:, ids]` takes all ids from every row. Give it the rows too, so that each goes with its own id:
    scores[np.arange(N), ids].
        [np.arange(counted.sum()), => [:,
    the softmax runs over the batch. It runs over the classes, the last axis.
        -1, keepdims =>> 0, keepdims
    this is the root of a mean of squares. Take the mean of the losses as they are.
        losses.mean() => np.sqrt((losses**2).mean())
    you ask for the likeliest class, whatever the label is. The loss is -log p of the label.
        [np.arange(counted.sum()), labels[counted]] => .max(-1)
    the loss is rounded. Return it with all its digits.
        return round(float(result), {0 | 1 | 2 | 3 | 4})
"""
MLM = edits(
    cross_entropy,
    r"""
    $count = counted = labels != IGNORE
    $picked = log_probs[counted][np.arange(counted.sum()), labels[counted]]

    you divide by all positions, B x T. Positions with the label -100 add nothing to the sum, and must not be
    counted either: divide by (labels != -100).sum().
        losses.mean() => losses.sum() / labels.size
    you divide by the number of sequences. Divide by the number of labels that count.
        losses.mean() => losses.sum() / len(labels)
    every position counts: where the label is -100 you ask for the token with id 0. -100 is not an id: it
    marks a position without a label. Keep only the positions where labels != -100, before you pick anything.
        $count => labels = np.where(labels == IGNORE, 0, labels)\n$count
    every position counts: where the label is -100 you take the last id. -100 is not an id: it marks a
    position without a label. Keep only the positions where labels != -100, before you pick anything.
        $count => labels = np.where(labels == IGNORE, -1, labels)\n$count
    you leave out labels that are 0. Id 0 is a token like any other here; only -100 means that there is no
    label.
        labels != IGNORE => labels > 0
    you average each sequence first and then the sequences. Each label counts the same, in a sequence with
    many labels and in one with few: one mean over all of them.
        return np.mean([right(one, row) for one, row in zip(logits, labels) if (row != IGNORE).any()])
    the softmax runs over the positions of the sequence. It runs over the vocabulary, the last axis.
        -1, keepdims =>> 1, keepdims
    the mean runs over the whole vocabulary, mostly zeros. Pick log p of the labels, then average those.
        return result / logits.shape[-1]
    -100 is not an id: it marks a position without a label. Keep only the positions where labels != -100,
    before you pick anything.
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
    label 0 is left out, so the examples in which B does follow A teach nothing. There is no -100 here: every
    example counts, 0 and 1 alike.
        labels != IGNORE => labels > 0
    the two labels are exchanged. Label 0 belongs to the first logit, label 1 to the second.
        return right(logits, 1 - labels)
    you divide by the number of logits, 2 B. There is one answer per example: divide by B.
        return result / 2
    these are two sigmoids, one for each logit. The two answers exclude each other: one softmax over both.
        return {1 | 2} * np.logaddexp(0, np.where(np.arange(2) == labels[:, None], -logits, logits)).mean()
    this is the sigmoid of the label's own logit. What the other logit says is missing: p is a softmax over
    both.
        -log_probs => -logits
        losses.mean() => np.logaddexp(0, losses).mean()
    this is the sigmoid of the logit for label 1. What the other logit says is missing: p is a softmax over
    both.
        return np.logaddexp(0, np.where(labels == 1, -logits[:, 1], logits[:, 1])).mean()
    this is a squared error. The loss is the mean of -log p.
        losses.mean() => ((np.exp(log_probs)[:, 1] - labels) ** 2).mean()
    """
    + COMMON,
)
