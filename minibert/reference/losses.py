"""The reference implementation, in NumPy, of the losses of BERT's pretraining and of question answering.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, and section 4.2 for the start and the end of an answer.
"""

import numpy as np

from ..data.batch import IGNORE


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean of -log softmax(logits)[label], in nats, over the labels other than IGNORE.

    logits: (..., C); labels: (...) int. Raises ValueError if all labels are ignored.

    >>> float(np.exp(cross_entropy(np.zeros((2, 5)), np.array([3, IGNORE]))).round(6))  # equal logits: 1 of 5
    5.0
    """
    counted = labels != IGNORE
    if not counted.any():
        raise ValueError(f"all {labels.size} labels are {IGNORE}, so there is nothing to average over")
    logits, labels = logits[counted], labels[counted]  # (N, C), (N,)
    logits = logits - logits.max(-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))  # (N, C)
    return -log_probs[np.arange(len(labels)), labels].mean()


def mlm_loss(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the masked language modelling loss, in nats.

    logits: (B, T, V); labels: (B, T), IGNORE at positions without a prediction.
    """
    return cross_entropy(logits, labels)


def nsp_loss(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the next sentence prediction loss, in nats.

    logits: (B, 2); labels: (B,), 0 = B follows A, 1 = B comes from another document.
    """
    return cross_entropy(logits, labels)


def span_loss(
    start_logits: np.ndarray, end_logits: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> float:
    """Return the mean of the cross-entropies of the start and the end position, in nats.

    start_logits, end_logits: (B, T); starts, ends: (B,) int, positions in the sequence, or 0 (that of [CLS])
    if the sequence does not contain the answer.

    >>> logits = np.zeros((2, 5))                               # each of the 5 positions is equally likely
    >>> float(np.exp(span_loss(logits, logits, starts=np.array([1, 0]), ends=np.array([3, 0]))).round(6))
    5.0
    """
    return (cross_entropy(start_logits, starts) + cross_entropy(end_logits, ends)) / 2
