"""Overlapping windows of long passages, and the best spans of each window, in NumPy, for `qa`.

Devlin et al. (2019, arXiv 1810.04805), section 4.2, for the span's score; windows with a stride and the rule
of most context as in the `run_squad.py` that the authors released with the paper. `best_span` (in
`minibert.data.spans`) and `most_context` are the readable definitions; `best_spans` and `owned` compute the
same for long sequences.
"""

import unicodedata
from collections.abc import Sequence

import numpy as np

from ..data.spans import LONGEST_ANSWER

JOINERS = "\u200c\u200d"  # they join the parts of one written sign


def most_context(position: int, spans: Sequence[tuple[int, int]]) -> int:
    """Return the index of the window that shows a token with most context; of equal ones the first.

    spans: (begin, end) of each window. A window's value is the smaller of the numbers of tokens to the left
    and to the right within it, plus a hundredth of its length, as in `run_squad.py`.

    >>> most_context(3, [(0, 5), (2, 7), (4, 9)])   # 1 token on one side in both of the first two windows
    0
    """
    values = [
        min(position - begin, end - 1 - position) + 0.01 * (end - begin) if begin <= position < end else -1.0
        for begin, end in spans
    ]
    return int(np.argmax(values))


def owned(begins: Sequence[int], room: int, length: int) -> list[np.ndarray]:
    """Return for each window a bool array: True where no other window shows the token with more context.

    The same as `most_context` for each token, in one pass over the windows; each token belongs to one window.
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
    """Return the `count` best legal spans (start, end, score), best first, without a (T, T) array.

    The first is `best_span`'s. starts: (T,) bool, where a span may begin; by default everywhere. The list is
    shorter where fewer spans are legal.

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
    found = np.flatnonzero((scores >= least) & (scores > -np.inf))  # few: sort these alone
    best = found[np.argsort(-scores[found], kind="stable")][:count]
    return [(int(i // width), int(i // width + i % width), float(scores[i])) for i in best]


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """Move the end over marks that belong to the last character: accents, vowel signs, joined signs.

    The tokenizer drops accents that are characters of their own; an answer that is shown must not lose them.

    >>> whole_characters("café noir", 0, 4)
    (0, 5)
    """
    while end < len(text) and (unicodedata.category(text[end]).startswith("M") or text[end] in JOINERS):
        end += 1
    return start, end
