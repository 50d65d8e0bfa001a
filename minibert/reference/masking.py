"""Which positions a masked language model predicts, and what it sees there, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1, and appendix A.1; whole words: the authors' release of
May 2019; spans: Joshi et al. (2020, arXiv 1907.10529), section 3.1.
"""
import numpy as np


def choose_positions(candidates, rate, rng):
    """Each candidate independently with probability `rate`.

    candidates: bool, any shape; False for [CLS], [SEP] and padding, which are never predicted. Returns bool, same shape.
    Devlin et al. choose exactly 15% of a row; independent draws choose 15% on average, and need no loop.
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"rate={rate!r} must lie between 0 and 1")
    return candidates & (rng.random(candidates.shape) < rate)


def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng, to_mask=0.8, to_random=0.1):
    """What the model sees: of the chosen positions 80% [MASK], 10% a random token, 10% the token itself.

    input_ids: (B, T) int; chosen: (B, T) bool; ordinary_ids: (N,) ids a random token is drawn from. One uniform draw is
    cut in three, so the fates exclude each other and their shares are exact. Returns a new (B, T) array.
    """
    if to_mask < 0 or to_random < 0 or to_mask + to_random > 1:
        raise ValueError(f"to_mask={to_mask} and to_random={to_random} must not be negative, and sum to at most 1")
    fate = rng.random(input_ids.shape)                                          # (B, T)
    token = np.asarray(ordinary_ids)[rng.integers(len(ordinary_ids), size=input_ids.shape)]
    masked = chosen & (fate < to_mask)
    replaced = chosen & (fate >= to_mask) & (fate < to_mask + to_random)
    return np.where(masked, mask_id, np.where(replaced, token, input_ids))


def whole_word_positions(words, rate, rng):
    """Whole words: if one piece of a word is chosen, all its pieces are.

    words: (T,) int, the index of each piece's word, -1 for a special token. Words are taken in random order until at
    least `rate` of the pieces (and at least one word) are chosen; a word that would overshoot is skipped. Returns (T,) bool.
    """
    words = np.asarray(words)
    budget = max(1, round(rate * int((words >= 0).sum())))
    chosen = np.zeros(len(words), bool)
    for word in rng.permutation(np.unique(words[words >= 0])):
        pieces = words == word
        if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
            chosen |= pieces
    return chosen


def span_positions(words, rate, rng, p=0.2, longest=10):
    """Spans of neighbouring whole words, their length geometric: P(n) ~ p (1 - p)^(n - 1), cut at `longest` words.

    words: (T,) int as in whole_word_positions; a span starts at a word and never crosses a special token. Spans are
    drawn until at least `rate` of the pieces are chosen. Returns (T,) bool.
    """
    words = np.asarray(words)
    starts = np.flatnonzero((words >= 0) & (words != np.r_[-2, words[:-1]]))    # first piece of each word
    if len(starts) == 0:
        return np.zeros(len(words), bool)
    ends = np.array([start + np.argmax(np.r_[words[start:] != words[start], True]) for start in starts])
    weights = p * (1 - p) ** np.arange(longest)
    budget = max(1, round(rate * int((words >= 0).sum())))
    chosen = np.zeros(len(words), bool)
    while chosen.sum() < budget:
        first = last = rng.integers(len(starts))
        for _ in range(rng.choice(longest, p=weights / weights.sum())):
            if last + 1 < len(starts) and starts[last + 1] == ends[last]:       # the next word touches this one
                last += 1
        chosen[starts[first]:ends[last]] = True
    return chosen


def choose_whole_words(candidates, continues, rate, rng):
    """Each word independently with probability `rate`, all its pieces together; fast, for batches of rows.

    candidates: (B, T) bool as in choose_positions; continues: (B, T) bool, True where a piece goes on a word (##). A word
    shares the draw of its first piece. Returns (B, T) bool.
    """
    draws = rng.random(candidates.shape)                                        # (B, T)
    first = np.maximum.accumulate(np.where(continues, 0, np.arange(candidates.shape[1])), axis=1)
    return candidates & (np.take_along_axis(draws, first, axis=1) < rate)
