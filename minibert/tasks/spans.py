"""Long passages as overlapping windows, and the best spans of each window: what `qa` needs of a row, in
NumPy.

Devlin et al. (2019, arXiv 1810.04805), section 4.2, for the span's score; windows with a stride and the rule
of most context as in the `run_squad.py` that the authors released with the paper. `best_span` (in
`minibert.reference`) and `most_context` are the readable definitions, `best_spans` and `owned` say the same
for long rows.
"""
import unicodedata

import numpy as np

from ..reference.spans import LONGEST_ANSWER, best_span, windows

__all__ = ["LONGEST_ANSWER", "best_span", "best_spans", "most_context", "owned", "windows", "written"]
JOINERS = "\u200c\u200d"                                    # they hold the parts of one written sign together


def most_context(position, spans):
    """Which of the windows `spans` [(begin, end)] shows a piece with most context: the index of the first
    that is best.

    A window's worth is the smaller of the numbers of pieces to the left and to the right within it, and a
    hundredth of its length, as in `run_squad.py`.

    >>> most_context(3, [(0, 5), (2, 7), (4, 9)])       # 1 piece to the right in the first, 1 to the left in the second
    0
    """
    worths = [min(position - begin, end - 1 - position) + 0.01 * (end - begin) if begin <= position < end
              else -1.0
              for begin, end in spans]
    return int(np.argmax(worths))


def owned(begins, room, length):
    """For each window, a bool array over its pieces: True where no other window shows the piece with more
    context.

    The same as `most_context` for each piece, in one pass over the windows; every piece is owned by one
    window.
    """
    best, owner = np.full(length, -1.0), np.zeros(length, np.int64)
    ends = [min(begin + room, length) for begin in begins]
    for window, (begin, end) in enumerate(zip(begins, ends)):
        left = np.arange(end - begin)
        worth = np.minimum(left, left[::-1]) + 0.01 * (end - begin)
        better = worth > best[begin:end]
        best[begin:end] = np.where(better, worth, best[begin:end])
        owner[begin:end] = np.where(better, window, owner[begin:end])
    return [owner[begin:end] == window for window, (begin, end) in enumerate(zip(begins, ends))]


def best_spans(start_logits, end_logits, count, longest=LONGEST_ANSWER, starts=None):
    """The `count` best legal spans, best first, as (start, end, score): the first is `best_span`'s, without a
    (T, T) array.

    starts: (T,) bool, where a span may begin; by default everywhere. Fewer come back where fewer are legal.

    >>> [span[:2] for span in best_spans(np.array([0.0, 2.0, 1.0]), np.array([3.0, 0.0, 1.5]), count=3)]
    [(1, 2), (0, 0), (2, 2)]
    """
    T, width = len(start_logits), min(longest, len(start_logits))
    if not T:
        return []
    padded = np.concatenate([end_logits, np.full(width - 1, -np.inf, end_logits.dtype)])
    scores = start_logits[:, None] + np.lib.stride_tricks.sliding_window_view(
        padded, width)      # (T, width): start, length - 1
    if starts is not None:
        scores = np.where(starts[:, None], scores, -np.inf)
    scores = scores.ravel()
    least = np.partition(scores, -count)[-count] if count < len(scores) else -np.inf
    found = np.flatnonzero((scores >= least) & (scores > -np.inf))              # few: sort these alone
    best = found[np.argsort(-scores[found], kind="stable")][:count]
    return [(int(i // width), int(i // width + i % width), float(scores[i])) for i in best]


def written(text, start, end):
    """(start, end) with the end moved over marks that belong to the last character: accents, vowel signs,
    joined signs.

    The tokenizer leaves out accents that are characters of their own; an answer that is shown must not lose
    them.

    >>> written("cafe\u0301 noir", 0, 4)
    (0, 5)
    """
    while end < len(text) and (unicodedata.category(text[end]).startswith("M") or text[end] in JOINERS):
        end += 1
    return start, end
