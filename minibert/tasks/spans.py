"""Overlapping windows of long passages, and the best spans in each window, in NumPy.

Devlin et al. (2019, arXiv 1810.04805), section 4.2, for the score of a span; windows with a stride and the
maximum context rule as in the authors' `run_squad.py`.
"""

import unicodedata
from collections.abc import Sequence

import numpy as np

from ..data.spans import LONGEST_ANSWER

JOINERS = "\u200c\u200d"  # zero-width characters that join or separate the parts of a written character


def owned(begins: Sequence[int], room: int, length: int) -> list[np.ndarray]:
    """Return a bool array for each window, True for the tokens that have the most context in this window.

    begins: the index of each window's first token. room: the maximum number of tokens in a window. length:
    the number of tokens in total. As in `run_squad.py`, a token's context is the smaller of the numbers of
    tokens to the left and to the right in the window, plus 0.01 times its length; in a tie, the first window
    counts.
    """
    best, owner = np.full(length, -1.0), np.zeros(length, np.int64)
    ends = [min(begin + room, length) for begin in begins]
    for window, (begin, end) in enumerate(zip(begins, ends)):
        left = np.arange(end - begin)
        value = np.minimum(left, left[::-1]) + 0.01 * (end - begin)
        better = value > best[begin:end]
        best[begin:end] = np.where(better, value, best[begin:end])
        owner[begin:end] = np.where(better, window, owner[begin:end])
    return [owner[begin:end] == window for window, (begin, end) in enumerate(zip(begins, ends))]


def best_spans(
    start_logits: np.ndarray,
    end_logits: np.ndarray,
    count: int,
    longest: int = LONGEST_ANSWER,
    starts: np.ndarray | None = None,
) -> list[tuple[int, int, float]]:
    """Return the `count` best legal spans (start, end, score), best first.

    longest: the maximum length of a span. starts: (T,) bool, True where a span may begin, or None for
    everywhere. Equivalent to `best_span` for the first one, but without a (T, T) array.

    >>> [span[:2] for span in best_spans(np.array([0.0, 2.0, 1.0]), np.array([3.0, 0.0, 1.5]), count=3)]
    [(1, 2), (0, 0), (2, 2)]
    """
    T, width = len(start_logits), min(longest, len(start_logits))
    if not T:
        return []
    padded = np.concatenate([end_logits, np.full(width - 1, -np.inf, end_logits.dtype)])
    following = np.lib.stride_tricks.sliding_window_view(padded, width)  # (T, width): start, length
    scores = start_logits[:, None] + following  # (T, width)
    if starts is not None:
        scores = np.where(starts[:, None], scores, -np.inf)
    scores = scores.ravel()
    least = np.partition(scores, -count)[-count] if count < len(scores) else -np.inf
    found = np.flatnonzero((scores >= least) & (scores > -np.inf))  # only these few are sorted
    best = found[np.argsort(-scores[found], kind="stable")][:count]
    return [(int(i // width), int(i // width + i % width), float(scores[i])) for i in best]


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a span to include marks that belong to its last character, such as accents and vowel signs.

    The tokenizer drops combining accents, but a displayed answer must keep them. Returns (start, end).

    >>> whole_characters("café noir", 0, 4)
    (0, 5)
    """
    while end < len(text) and (unicodedata.category(text[end]).startswith("M") or text[end] in JOINERS):
        end += 1
    return start, end
