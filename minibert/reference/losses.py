"""The two losses of BERT's pretraining, and the labels of ELECTRA's, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: the sum of the mean masked-LM and the mean next-sentence
likelihood. Clark et al. (2020, arXiv 2003.10555), section 2: a label for every token, not only for those that
were hidden.
"""
import numpy as np

from ..batch import IGNORE


def cross_entropy(logits, labels):
    """Mean of -log softmax(logits)[label] in nats over labels other than IGNORE.

    logits: (..., C); labels: (...) int. Raises ValueError when every label is ignored: a mean of nothing is
    no number.
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
    """Next sentence prediction: logits (B, 2), labels (B,), 0 = B follows A, 1 = B comes from another
    document.
    """
    return cross_entropy(logits, labels)


def replaced_token_labels(original, seen, real):
    """(B, T) int64 labels of ELECTRA's discriminator: 1 = replaced, 0 = original, IGNORE = padding.

    original, seen: (B, T) ids before and after the generator; real: (B, T) bool. A token that the generator
    guessed right counts as original.

    >>> replaced_token_labels(np.array([[7, 8, 0]]), np.array([[7, 9, 0]]), np.array([[True, True, False]])).tolist()
    [[0, 1, -100]]
    """
    return np.where(real, (seen != original).astype(np.int64), IGNORE)
