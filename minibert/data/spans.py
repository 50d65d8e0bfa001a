"""Answer spans: divide a long passage into windows, and find the span with the best score.

Devlin et al. (2019, arXiv 1810.04805), section 4.2, for the score; windows with a stride as in the authors'
`run_squad.py`. Axes: T positions of a sequence.
"""

import numpy as np

LONGEST_ANSWER = 30  # tokens; the paper's code has the same limit


def windows(length: int, room: int, stride: int | None = None) -> list[int]:
    """Return the start positions of overlapping windows of `room` tokens that cover `length` tokens.

    stride: the distance between window starts, by default half of `room`; it is reduced to `room`, to leave
    no gaps. The last window may be shorter. Raises ValueError if `room` or `stride` is less than 1.

    >>> windows(10, 4), windows(3, 4), windows(10, 4, stride=3)
    ([0, 2, 4, 6], [0], [0, 3, 6])
    """
    stride = max(room // 2, 1) if stride is None else stride
    if min(room, stride) < 1:
        raise ValueError(f"room={room} and stride={stride} must both be at least 1")
    stride = min(stride, room)
    return list(range(0, max(length - room, 0) + stride, stride))


def best_span(
    start_logits: np.ndarray, end_logits: np.ndarray, longest: int = LONGEST_ANSWER
) -> tuple[int, int, float]:
    """Return (start, end, score) of the span with the largest start_logits[start] + end_logits[end].

    start_logits, end_logits: (T,). A span must have start <= end < start + longest. Among equal scores, the
    first start wins, then the first end. Raises ValueError if there are no positions.

    >>> best_span(np.array([0.0, 2.0, 1.0]), np.array([3.0, 0.0, 1.0]))[:2]
    (0, 0)
    """
    T = len(start_logits)
    if not T:
        raise ValueError("there are no positions: a span needs at least one")
    scores = start_logits[:, None] + end_logits[None, :]  # (T, T)
    distance = np.arange(T)[None, :] - np.arange(T)[:, None]
    scores = np.where((distance >= 0) & (distance < longest), scores, -np.inf)
    start, end = np.unravel_index(scores.argmax(), scores.shape)
    return int(start), int(end), float(scores[start, end])
