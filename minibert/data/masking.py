"""Masking for masked language models, in NumPy: the choice of positions to predict, and of their input ids.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1, and appendix A.1; whole words: the authors'
release of May 2019; spans: Joshi et al. (2020, arXiv 1907.10529), section 3.1; n-grams: Lan et al. (2020,
arXiv 1909.11942), section 4.1; phrases: Sun et al. (2019, arXiv 1904.09223), section 3.2.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from .batch import IGNORE


def check_rate(rate: float, name: str = "rate") -> None:
    """Raise ValueError unless `rate` is between 0 and 1; the message calls it `name`."""
    if not 0 <= rate <= 1:
        raise ValueError(f"{name}={rate!r} must be between 0 and 1")


def choose_positions(candidates: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Choose each candidate independently with probability `rate`.

    candidates: bool, any shape; False for [CLS], [SEP] and padding, which are never predicted. Returns bool,
    same shape. Devlin et al. choose exactly 15% of a sequence; independent draws choose 15% on average.
    """
    check_rate(rate)
    return candidates & (rng.random(candidates.shape) < rate)


def epoch_masks(
    candidates: np.ndarray, rate: float, epochs: int, copies: int | None, rng: np.random.Generator
) -> np.ndarray:
    """Return the mask of each epoch: one of `copies` stored masks in turn, or a new one if `copies` is None.

    candidates: bool, any shape. rate: as in choose_positions. Stored masks are called static masking (the
    code of Devlin et al. masks ten copies of the text in advance), and new ones dynamic masking (Liu et al.,
    2019, arXiv 1907.11692, section 4.1). Returns (epochs, *candidates.shape) bool. Raises ValueError if
    `epochs` or `copies` is less than 1.

    >>> masks = epoch_masks(np.ones(100, bool), 0.15, 5, 2, np.random.default_rng(0))
    >>> [next(f for f in range(5) if (masks[f] == masks[e]).all()) for e in range(5)]
    [0, 1, 0, 1, 0]
    """
    if epochs < 1 or copies is not None and copies < 1:
        raise ValueError(f"epochs={epochs} and copies={copies} must be at least 1")
    drawn = np.stack(
        [choose_positions(candidates, rate, rng) for _ in range(epochs if copies is None else copies)]
    )
    return drawn[np.arange(epochs) % len(drawn)]


def corrupt_80_10_10(
    input_ids: np.ndarray,
    chosen: np.ndarray,
    mask_id: int,
    ordinary_ids: Sequence[int] | np.ndarray,
    rng: np.random.Generator,
    to_mask: float = 0.8,
    to_random: float = 0.1,
) -> np.ndarray:
    """Replace 80% of the chosen positions by [MASK] and 10% by a random token, and keep the other 10%.

    input_ids: (B, T) int. chosen: (B, T) bool. ordinary_ids: (N,) ids to draw random tokens from. to_mask,
    to_random: the fractions replaced by [MASK] and by random tokens. A single uniform draw for each position
    is divided into three ranges, so that the three cases have exactly these probabilities. Returns a new (B,
    T) array. Raises ValueError if the fractions are negative or sum to more than 1.
    """
    if to_mask < 0 or to_random < 0 or to_mask + to_random > 1:
        raise ValueError(
            f"to_mask={to_mask} and to_random={to_random} must not be negative, and sum to at most 1"
        )
    fate = rng.random(input_ids.shape)  # (B, T)
    token = np.asarray(ordinary_ids)[rng.integers(len(ordinary_ids), size=input_ids.shape)]
    masked = chosen & (fate < to_mask)
    replaced = chosen & (fate >= to_mask) & (fate < to_mask + to_random)
    return np.where(masked, mask_id, np.where(replaced, token, input_ids))


def whole_word_positions(words: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Choose whole words: if one subword of a word is chosen, so are all its other subwords.

    words: (T,) int, the index of the word that each subword belongs to, -1 for a special token. Words are
    visited in random order. A word is chosen if it still fits into the budget (`rate` of the subwords), and
    skipped otherwise; the first is chosen even if it exceeds the budget. Returns (T,) bool.
    """
    words = np.asarray(words)
    budget = max(1, round(rate * int((words >= 0).sum())))
    chosen = np.zeros(len(words), bool)
    for word in rng.permutation(np.unique(words[words >= 0])):
        own = words == word  # (T,)
        if not chosen.any() or chosen.sum() + own.sum() <= budget:
            chosen |= own
    return chosen


def span_positions(
    words: np.ndarray, rate: float, rng: np.random.Generator, p: float = 0.2, longest: int = 10
) -> np.ndarray:
    """Choose spans of neighbouring whole words, with lengths from a geometric distribution.

    The probability of a span of n words is proportional to p (1 - p)^(n - 1), for n up to `longest`. words:
    (T,) int as in whole_word_positions. A span starts at the beginning of a word and never crosses a special
    token. Spans are drawn until at least `rate` of the subwords are chosen. Returns (T,) bool.
    """
    words = np.asarray(words)
    starts = np.flatnonzero((words >= 0) & (words != np.r_[-2, words[:-1]]))  # first subword of each word
    if len(starts) == 0:
        return np.zeros(len(words), bool)
    ends = np.flatnonzero((words >= 0) & (words != np.r_[words[1:], -2])) + 1
    weights = p * (1 - p) ** np.arange(longest)
    budget = max(1, round(rate * int((words >= 0).sum())))
    chosen = np.zeros(len(words), bool)
    while chosen.sum() < budget:
        first = last = rng.integers(len(starts))
        for _ in range(rng.choice(longest, p=weights / weights.sum())):
            if last + 1 < len(starts) and starts[last + 1] == ends[last]:  # the next word is adjacent
                last += 1
        chosen[starts[first] : ends[last]] = True
    return chosen


def choose_whole_words(
    candidates: np.ndarray, continues: np.ndarray, rate: float, rng: np.random.Generator
) -> np.ndarray:
    """Choose each word of a batch, with all its subwords, independently with probability `rate`.

    candidates: (B, T) bool as in choose_positions. continues: (B, T) bool, True for a subword that continues
    a word (##). All subwords of a word share the draw of the first one. Returns (B, T) bool.
    """
    check_rate(rate)
    draws = rng.random(candidates.shape)  # (B, T)
    first = np.maximum.accumulate(np.where(continues, 0, np.arange(candidates.shape[1])), axis=1)
    return candidates & (np.take_along_axis(draws, first, axis=1) < rate)


def choose_repeated_words(
    input_ids: np.ndarray,
    candidates: np.ndarray,
    continues: np.ndarray,
    telling: np.ndarray,
    share: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Choose each occurrence of a repeated word, except one, with probability `share`.

    input_ids: (B, T) int. candidates, continues: (B, T) bool as in choose_whole_words. telling: (B, T) bool,
    True for informative subwords; a word without an informative subword is never chosen. Two words of a
    sequence are the same if all their subwords are equal; one occurrence, drawn at random, is never chosen.
    Returns (B, T) bool. This rule is not from a paper.

    >>> ids = np.array([[5, 6, 7, 5, 6, 5]])          # four words: 5 6, 7, 5 6 again, and 5
    >>> rng = np.random.default_rng(0)
    >>> choose_repeated_words(ids, ids > 0, ids == 6, ids > 0, 1.0, rng).astype(int).tolist()
    [[0, 0, 0, 1, 1, 0]]
    """
    check_rate(share, "share")
    draws, words = rng.random(input_ids.shape).ravel(), word_index(candidates, continues)
    starts = (words >= 0) & (np.diff(words, axis=1, prepend=-1) != 0)
    ids, start = input_ids.ravel(), np.flatnonzero(starts)  # start: (W,), flat index of each word
    inside = np.flatnonzero(candidates)  # (N,), flat index of each subword
    number = starts.ravel().cumsum()[inside] - 1  # (N,), the word of each subword, 0 to W - 1
    tells = np.bincount(number, weights=telling.ravel()[inside]) > 0  # (W,)
    length = np.bincount(number)  # (W,) in subwords
    kind = start // input_ids.shape[1]  # (W,), initially the sequence
    for i in range(length.max(initial=0)):
        more = np.flatnonzero(length > i)
        extended = kind[more] * (ids.max() + 1) + ids[start[more] + i]
        kind[more] = kind.max() + 1 + np.unique(extended, return_inverse=True)[1]
    order = np.lexsort((draws[start], kind))  # by kind, then by draw
    stays = np.diff(kind[order], append=-1) != 0  # the last word of each kind
    masked = np.zeros(len(start), bool)  # (W,)
    masked[order] = ~stays & tells[order] & (draws[start[order]] < share)
    chosen = np.zeros(input_ids.size, bool)
    chosen[inside] = masked[number]
    return chosen.reshape(input_ids.shape)


def ngram_positions(words: np.ndarray, rate: float, rng: np.random.Generator, longest: int = 3) -> np.ndarray:
    """Choose n-grams of whole words; the probability of length n is proportional to 1 / n.

    words: (T,) int as in whole_word_positions. longest: the largest n. Words are visited in random order, and
    each may start an n-gram, which never crosses a special token. An n-gram is skipped if it would overlap an
    earlier one, or exceed the budget (`rate` of the subwords) and is not the first. Returns (T,) bool.
    """
    words = np.asarray(words)
    first_subword = (words >= 0) & (words != np.r_[-2, words[:-1]])  # (T,)
    last_subword = (words >= 0) & (words != np.r_[words[1:], -2])  # (T,)
    starts, ends = np.flatnonzero(first_subword).tolist(), (np.flatnonzero(last_subword) + 1).tolist()
    weights = 1 / np.arange(1, longest + 1)
    lengths = 1 + rng.choice(longest, size=len(starts), p=weights / weights.sum())
    budget = max(1, round(rate * int((words >= 0).sum())))
    chosen, count = np.zeros(len(words), bool), 0
    for first in rng.permutation(len(starts)):
        last, stop = first, min(first + lengths[first], len(starts))
        while last + 1 < stop and starts[last + 1] == ends[last]:  # the next word is adjacent
            last += 1
        ngram = slice(starts[first], ends[last])
        size = ngram.stop - ngram.start
        if count == 0 or count + size <= budget and not chosen[ngram].any():
            chosen[ngram], count = True, count + size
        if count >= budget:
            break
    return chosen


def word_index(candidates: np.ndarray, continues: np.ndarray) -> np.ndarray:
    """Return the word index of each token, (B, T) int, or -1 for tokens that may not be chosen.

    candidates, continues: (B, T) bool as in choose_whole_words. A continuing subword starts a new word if the
    token before it is not a candidate.

    >>> candidates, continues = np.array([[0, 1, 1, 1, 0]], bool), np.array([[0, 0, 1, 0, 0]], bool)
    >>> word_index(candidates, continues).tolist()
    [[-1, 0, 0, 1, -1]]
    """
    before = np.pad(candidates, ((0, 0), (1, 0)))[:, :-1]  # (B, T), whether the previous token is a candidate
    starts = candidates & ~(continues & before)
    return np.where(candidates, np.cumsum(starts, axis=1) - 1, -1)


def phrase_continues(
    input_ids: np.ndarray, continues: np.ndarray, phrases: Iterable[tuple[int, ...]]
) -> np.ndarray:
    """Find phrases or entities, and return (B, T) bool: True for tokens that continue a phrase.

    input_ids: (B, T) int. continues: (B, T) bool as in choose_whole_words. phrases: tuples of ids. The
    longest phrase wins, from left to right; a phrase must not start or end inside a word. Raises ValueError
    for a phrase of fewer than two ids.
    """
    by_first: dict[int, list[list[int]]] = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        if len(phrase) < 2:
            raise ValueError(f"the phrase {phrase} has fewer than 2 ids")
        by_first.setdefault(phrase[0], []).append(list(phrase))
    result = np.zeros(input_ids.shape, bool)
    for ids, inside_word, row in zip(input_ids.tolist(), continues.tolist(), result):
        t = 0
        while t < len(ids):
            fitting = (
                len(phrase)
                for phrase in by_first.get(ids[t], [])
                if not inside_word[t]
                and ids[t : t + len(phrase)] == phrase
                and not any(inside_word[t + len(phrase) : t + len(phrase) + 1])
            )
            size = next(fitting, 1)
            row[t + 1 : t + size] = True
            t += size
    return result


def run_edges(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (left, right), (B, T) int each: the nearest unchosen positions before and after each position.

    chosen: (B, T) bool. For an unchosen position, both are the position itself. Raises ValueError if the
    first or last position of a sequence is chosen.

    >>> [edge.tolist() for edge in run_edges(np.array([[False, True, True, False]]))]
    [[[0, 0, 0, 3]], [[0, 3, 3, 3]]]
    """
    if chosen[:, [0, -1]].any():
        number = int(np.argmax(chosen[:, [0, -1]].any(1)))
        raise ValueError(
            f"a chosen span touches the edge of sequence {number}, so it has no boundary token: do not "
            f"choose the first or last position"
        )
    T = chosen.shape[1]
    left = np.maximum.accumulate(np.where(chosen, 0, np.arange(T)), axis=1)
    right = np.minimum.accumulate(np.where(chosen, T, np.arange(T))[:, ::-1], axis=1)[:, ::-1]
    return left, right.copy()  # PyTorch does not accept a reversed view


def corrupt_spans(
    input_ids: np.ndarray,
    chosen: np.ndarray,
    mask_id: int,
    ordinary_ids: Sequence[int] | np.ndarray,
    rng: np.random.Generator,
    to_mask: float = 0.8,
    to_random: float = 0.1,
) -> np.ndarray:
    """Corrupt chosen positions like corrupt_80_10_10, but with one draw for each run of adjacent positions.

    If a run is replaced by random tokens, each position gets a different draw. Raises ValueError for invalid
    fractions, and for a run at the edge of a sequence.
    """
    if to_mask < 0 or to_random < 0 or to_mask + to_random > 1:
        raise ValueError(
            f"to_mask={to_mask} and to_random={to_random} must not be negative, and sum to at most 1"
        )
    fate = np.take_along_axis(rng.random(input_ids.shape), run_edges(chosen)[0], axis=1)  # (B, T)
    token = np.asarray(ordinary_ids)[rng.integers(len(ordinary_ids), size=input_ids.shape)]
    masked = chosen & (fate < to_mask)
    replaced = chosen & (fate >= to_mask) & (fate < to_mask + to_random)
    return np.where(masked, mask_id, np.where(replaced, token, input_ids))


def shifted(labels: np.ndarray, by: int) -> np.ndarray:
    """Shift labels by `by` positions: position t gets labels[t + by], or IGNORE outside the sequence.

    >>> shifted(np.array([[7, 8, 9]]), 1).tolist(), shifted(np.array([[7, 8, 9]]), -1).tolist()
    ([[8, 9, -100]], [[-100, 7, 8]])
    """
    moved = np.roll(labels, -by, axis=1)
    moved[:, slice(-by, None) if by > 0 else slice(None, -by)] = IGNORE
    return moved
