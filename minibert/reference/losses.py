"""The two losses of BERT's pretraining, and the labels of ELECTRA's discriminator, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: the sum of the mean masked-LM and the mean next-sentence
likelihood. Clark et al. (2020, arXiv 2003.10555), section 2: a label for every token, not only for those that
were masked.
"""
import numpy as np

from ..data.batch import IGNORE


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean of -log softmax(logits)[label], in nats, over the labels other than IGNORE.

    logits: (..., C); labels: (...) int. Raises ValueError when every label is ignored: there is nothing to
    average over.

    >>> float(np.exp(cross_entropy(np.zeros((2, 5)), np.array([3, IGNORE]))).round(6))  # equal logits: 1 of 5
    5.0
    """
    counted = labels != IGNORE
    if not counted.any():
        raise ValueError(f"all {labels.size} labels are {IGNORE}: there is nothing to average over")
    logits, labels = logits[counted], labels[counted]                           # (N, C), (N,)
    logits = logits - logits.max(-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))          # (N, C)
    return -log_probs[np.arange(len(labels)), labels].mean()


def mlm_loss(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the loss of the masked language model, in nats.

    logits: (B, T, V); labels: (B, T), IGNORE wherever nothing is predicted.
    """
    return cross_entropy(logits, labels)


def nsp_loss(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return the loss of next sentence prediction, in nats.

    logits: (B, 2); labels: (B,), 0 = B follows A, 1 = B comes from another document.
    """
    return cross_entropy(logits, labels)


def replaced_token_labels(original: np.ndarray, seen: np.ndarray, real: np.ndarray) -> np.ndarray:
    """Label tokens for ELECTRA's discriminator, (B, T) int64: 1 = replaced, 0 = original, IGNORE = padding.

    original, seen: (B, T) ids before and after the generator; real: (B, T) bool, False = padding. A token
    that the generator predicted right counts as original.

    >>> original, seen = np.array([[7, 8, 0]]), np.array([[7, 9, 0]])
    >>> replaced_token_labels(original, seen, real=original > 0).tolist()
    [[0, 1, -100]]
    """
    return np.where(real, (seen != original).astype(np.int64), IGNORE)
