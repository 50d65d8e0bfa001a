"""Students' common mistakes in `mlm_loss` and `nsp_loss`.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: both losses are means of -log p, in nats. Axes: B batch,
T tokens, V vocabulary, N positions with a label.
"""

from collections.abc import Callable
from types import FunctionType

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.edits import edits


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean of -log p over the labels (...) that are not IGNORE, given logits (..., V)."""
    counted = labels != IGNORE
    shifted = logits - logits.max(-1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))  # (..., V)
    losses = -log_probs[counted][np.arange(counted.sum()), labels[counted]]  # (N,)
    return losses.mean()


def again(name: str) -> Callable:
    """Return a copy of `cross_entropy` called `name`, so that a check can block one copy and use another."""
    copy = FunctionType(cross_entropy.__code__, globals(), name)
    copy.__qualname__ = name
    return copy


right_mlm_loss, right_nsp_loss = again("right_mlm_loss"), again("right_nsp_loss")  # the references


COMMON = """
    the sign is wrong. Return the mean of -log p, which is never negative.
        return -result
    you return the sum of the losses. Divide it by the number of labels, so that the size of the batch does
    not matter.
        losses.mean() => losses.sum()
    you use the logarithm to base 2. Use the natural logarithm.
        return result / np.log(2)
    you use the logarithm to base 10. Use the natural logarithm, np.log.
        return result / np.log(10)
    the softmax is missing: you average the logits of the labels. Average -log p instead, where p is the
    softmax of the logits.
        -log_probs => -logits
    the logarithm is missing: you average the probabilities. Return the mean of -log p.
        -log_probs => -np.exp(log_probs)
    you average 1 - p. Average -log p, which punishes a confident mistake much more.
        -log_probs => 1 - np.exp(log_probs)
    you average the probabilities and then take the logarithm. Take the logarithm of each probability first,
    then the mean.
        losses.mean() => -np.log(np.exp(-losses).mean())
    you return e to the power of the loss, which is the perplexity. Remove the last exp.
        return np.exp(result)
    you take all ids from every row. Pair each row with its own id.
        [np.arange(counted.sum()), => [:,
    the softmax runs over the batch. Let it run over the classes, the last axis.
        -1, keepdims =>> 0, keepdims
    you take the root mean square of the losses. Take their mean instead.
        losses.mean() => np.sqrt((losses**2).mean())
    you take -log p of the most likely class, whatever the label is. Take -log p of the label.
        [np.arange(counted.sum()), labels[counted]] => .max(-1)
    you round the loss. Return it with all its digits.
        return round(float(result), {0 | 1 | 2 | 3 | 4})
"""
MLM = edits(
    cross_entropy,
    r"""
    $count = counted = labels != IGNORE
    $picked = log_probs[counted][np.arange(counted.sum()), labels[counted]]

    you divide by the number of all positions, even those with the label -100. Divide by the number of labels.
        losses.mean() => losses.sum() / labels.size
    you divide by the number of sequences. Divide by the number of labels other than -100.
        losses.mean() => losses.sum() / len(labels)
    you count positions with the label -100, as if it meant the token with id 0. Select the positions with a
    label first.
        $count => labels = np.where(labels == IGNORE, 0, labels)\n$count
    you count positions with the label -100, as if it meant the last id. Select the positions with a label
    first.
        $count => labels = np.where(labels == IGNORE, -1, labels)\n$count
    you leave out labels that are 0. Count id 0 like any other; leave out only the label -100.
        labels != IGNORE => labels > 0
    you average each sequence first and then the sequences. Take a single mean over all labels, so that each
    label counts equally.
        return np.mean([right(one, row) for one, row in zip(logits, labels) if (row != IGNORE).any()])
    the softmax runs over the positions of the sequence. Let it run over the vocabulary, the last axis.
        -1, keepdims =>> 1, keepdims
    the mean runs over the whole vocabulary, where most values are 0. Select log p of the labels first, then
    average.
        return result / logits.shape[-1]
    you use -100 as an id, but it means that there is no label. Select the positions with a label first.
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
    you leave out label 0, so the model learns nothing from examples in which B follows A. Count every
    example, whether its label is 0 or 1.
        labels != IGNORE => labels > 0
    you swapped the two labels. Use the first logit for label 0 and the second for label 1.
        return right(logits, 1 - labels)
    you divide by the number of logits, 2 B. Divide by the number of labels, B.
        return result / 2
    you use two sigmoids, one for each logit. The two labels are mutually exclusive, so use one softmax over
    both logits.
        return {1 | 2} * np.logaddexp(0, np.where(np.arange(2) == labels[:, None], -logits, logits)).mean()
    you use the sigmoid of the label's logit, and ignore the other logit. Use a softmax over both logits.
        -log_probs => -logits
        losses.mean() => np.logaddexp(0, losses).mean()
    you use the sigmoid of the logit for label 1, and ignore the other logit. Use a softmax over both logits.
        return np.logaddexp(0, np.where(labels == 1, -logits[:, 1], logits[:, 1])).mean()
    you return a squared error. Return the mean of -log p.
        losses.mean() => ((np.exp(log_probs)[:, 1] - labels) ** 2).mean()
    """
    + COMMON,
)
