"""Answers as spans of a passage, in NumPy: the loss of their two ends, the windows of a long passage, the
best span of one.

Devlin et al. (2019, arXiv 1810.04805), section 4.2, for loss and score; windows with a stride as in the
`run_squad.py` that the authors released with the paper. `minibert.tasks.qa` trains and answers with these.
Axes: B rows, T positions of a row.
"""
import numpy as np

from .losses import cross_entropy

LONGEST_ANSWER = 30     # pieces; the paper's code has the same limit


def span_loss(start_logits, end_logits, starts, ends):
    """Mean of the two cross-entropies over positions, in nats: which position is the first, which the last.

    start_logits, end_logits: (B, T); starts, ends: (B,) int, positions in the row, 0 = [CLS] for a row
    without an answer.

    >>> float(np.exp(span_loss(np.zeros((2, 5)), np.zeros((2, 5)), np.array([1, 0]), np.array([3, 0]))).round(6))
    5.0
    """
    return (cross_entropy(start_logits, starts) + cross_entropy(end_logits, ends)) / 2


def windows(length, room, stride=None):
    """First positions of windows of `room` pieces that cover `length` pieces, each `stride` after the one
    before.

    stride: by default half the room; a larger one than the room would leave gaps, and is cut to it. The last
    window may be shorter. Raises ValueError for a room or stride below 1.

    >>> windows(10, 4), windows(3, 4), windows(10, 4, stride=3)
    ([0, 2, 4, 6], [0], [0, 3, 6])
    """
    stride = max(room // 2, 1) if stride is None else stride
    if min(room, stride) < 1:
        raise ValueError(f"room={room}, stride={stride}: both must be at least 1")
    stride = min(stride, room)
    return list(range(0, max(length - room, 0) + stride, stride))


def best_span(start_logits, end_logits, longest=LONGEST_ANSWER):
    """(start, end, score) with the largest start_logits[start] + end_logits[end], start <= end < start +
    longest.

    Of equal scores, the first start, then the first end. Raises ValueError for no position.

    >>> best_span(np.array([0.0, 2.0, 1.0]), np.array([3.0, 0.0, 1.0]))[:2]
    (0, 0)
    """
    T = len(start_logits)
    if not T:
        raise ValueError("0 positions: a span needs at least one")
    scores = start_logits[:, None] + end_logits[None, :]                        # (T, T)
    distance = np.arange(T)[None, :] - np.arange(T)[:, None]
    scores = np.where((distance >= 0) & (distance < longest), scores, -np.inf)
    start, end = np.unravel_index(scores.argmax(), scores.shape)
    return int(start), int(end), float(scores[start, end])
