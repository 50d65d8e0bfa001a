"""The losses of pretraining, question answering, search and distillation, in NumPy: the reference.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, and section 4.2 for the start and the end of an answer;
for search, Henderson et al. (2017, arXiv 1705.00652), section 4.4; for distillation, Hinton et al. (2015,
arXiv 1503.02531), section 2.
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


def in_batch_loss(queries: np.ndarray, answers: np.ndarray, temperature: float = 0.05) -> float:
    """Return the loss of choosing each query's answer among all answers of the batch, in nats.

    queries, answers: (B, D), where row i of `answers` belongs to row i of `queries`; the other rows are its
    negatives. The scores are cosine similarities divided by the temperature.

    >>> float(np.exp(in_batch_loss(np.ones((4, 2)), np.ones((4, 2)))).round(6))  # no difference: 1 of 4
    4.0
    """
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    answers = answers / np.linalg.norm(answers, axis=-1, keepdims=True)
    scores = queries @ answers.T / temperature  # (B, B)
    return cross_entropy(scores, np.arange(len(scores)))


def soften(scores: np.ndarray, temperature: float) -> np.ndarray:
    """Return softmax(scores / temperature) over the last axis, a probability for each class.

    Hinton et al. (2015, arXiv 1503.02531), equation (1). scores: logits (..., C). A temperature above 1
    makes the probabilities more equal. Raises ValueError unless the temperature is above 0.

    >>> soften(np.array([0.0, 4.0]), temperature=4.0).round(2).tolist()
    [0.27, 0.73]
    """
    return np.exp(log_soften(scores, temperature))


def log_soften(scores: np.ndarray, temperature: float) -> np.ndarray:
    """Return the logarithm of `soften`, which stays finite if a probability is too small for a float."""
    check_temperature(temperature)
    scores = (scores - scores.max(-1, keepdims=True)) / temperature
    return scores - np.log(np.exp(scores).sum(-1, keepdims=True))


def distillation_loss(student: np.ndarray, teacher: np.ndarray, temperature: float) -> float:
    """Return T^2 times the mean of KL(soften(teacher, T) || soften(student, T)), in nats.

    Hinton et al. (2015), section 2: the gradient shrinks with 1 / T^2, and the factor T^2 keeps its size if T
    changes. student, teacher: logits (..., C). The result is at least 0, and 0 if the probabilities agree.

    >>> distillation_loss(np.array([[0.0, 4.0]]), np.array([[1.0, 5.0]]), temperature=2.0)
    0.0
    """
    log_p, log_q = log_soften(teacher, temperature), log_soften(student, temperature)  # (..., C)
    return float(temperature**2 * (np.exp(log_p) * (log_p - log_q)).sum(-1).mean())


def check_temperature(temperature: float) -> None:
    if not temperature > 0:
        raise ValueError(f"temperature={temperature} must be above 0")
