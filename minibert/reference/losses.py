"""The two losses of BERT's pretraining, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: the sum of the mean masked-LM and the mean next-sentence likelihood.
"""
import numpy as np

from ..batch import IGNORE


def cross_entropy(logits, labels):
    """Mean of -log softmax(logits)[label] in nats over labels other than IGNORE.

    logits: (..., C); labels: (...) int. Raises ValueError when every label is ignored: a mean of nothing is no number.
    """
    counted = labels != IGNORE
    if not counted.any():
        raise ValueError(f"all {labels.size} labels are {IGNORE}: there is nothing to average over")
    logits, labels = logits[counted], labels[counted]                           # (N, C), (N,)
    logits = logits - logits.max(-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))          # (N, C)
    return -log_probs[np.arange(len(labels)), labels].mean()


def mlm_loss(logits, labels):
    """Masked language model: logits (B, T, V), labels (B, T) with IGNORE wherever nothing is predicted."""
    return cross_entropy(logits, labels)


def nsp_loss(logits, labels):
    """Next sentence prediction: logits (B, 2), labels (B,), 0 = B follows A, 1 = B comes from another document."""
    return cross_entropy(logits, labels)
