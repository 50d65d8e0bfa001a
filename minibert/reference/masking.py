"""Which positions a masked language model predicts, and what it sees there, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1, and appendix A.1; whole words: the authors'
release of May 2019; spans: Joshi et al. (2020, arXiv 1907.10529), section 3.1; n-grams: Lan et al. (2020,
arXiv 1909.11942), section 4.1; units of several words: Sun et al. (2019, arXiv 1904.09223), section 3.2.
"""
import numpy as np

from ..batch import IGNORE


def check_rate(rate, name="rate"):
    """Raise ValueError for a rate that is no share: below 0, above 1, or not a number."""
    if not 0 <= rate <= 1:
        raise ValueError(f"{name}={rate!r} must lie between 0 and 1")


def choose_positions(candidates, rate, rng):
    """Each candidate independently with probability `rate`.

    candidates: bool, any shape; False for [CLS], [SEP] and padding, which are never predicted. Returns bool,
    same shape. Devlin et al. choose exactly 15% of a row; independent draws choose 15% on average, and need
    no loop.
    """
    check_rate(rate)
    return candidates & (rng.random(candidates.shape) < rate)


def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng, to_mask=0.8, to_random=0.1):
    """What the model sees: of the chosen positions 80% [MASK], 10% a random token, 10% the token itself.

    input_ids: (B, T) int; chosen: (B, T) bool; ordinary_ids: (N,) ids a random token is drawn from. One
    uniform draw is cut in three, so the fates exclude each other and their shares are exact. Returns a new
    (B, T) array.
    """
    if to_mask < 0 or to_random < 0 or to_mask + to_random > 1:
        raise ValueError(
            f"to_mask={to_mask} and to_random={to_random} must not be negative, and sum to at most 1")
    fate = rng.random(input_ids.shape)                                          # (B, T)
    token = np.asarray(ordinary_ids)[rng.integers(len(ordinary_ids), size=input_ids.shape)]
    masked = chosen & (fate < to_mask)
    replaced = chosen & (fate >= to_mask) & (fate < to_mask + to_random)
    return np.where(masked, mask_id, np.where(replaced, token, input_ids))


def whole_word_positions(words, rate, rng):
    """Whole words: if one piece of a word is chosen, all its pieces are.

    words: (T,) int, the index of each piece's word, -1 for a special token. Words are taken in random order
    until at least `rate` of the pieces (and at least one word) are chosen; a word that would overshoot is
    skipped. Returns (T,) bool.
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
    """Spans of neighbouring whole words, their length geometric: P(n) ~ p (1 - p)^(n - 1), cut at `longest`
    words.

    words: (T,) int as in whole_word_positions; a span starts at a word and never crosses a special token.
    Spans are drawn until at least `rate` of the pieces are chosen. Returns (T,) bool.
    """
    words = np.asarray(words)
    starts = np.flatnonzero((words >= 0) & (words != np.r_[-2, words[:-1]]))    # first piece of each word
    if len(starts) == 0:
        return np.zeros(len(words), bool)
    ends = np.flatnonzero((words >= 0) & (words != np.r_[words[1:], -2])) + 1
    weights = p * (1 - p) ** np.arange(longest)
    budget = max(1, round(rate * int((words >= 0).sum())))
    chosen = np.zeros(len(words), bool)
    while chosen.sum() < budget:
        first = last = rng.integers(len(starts))
        for _ in range(rng.choice(longest, p=weights / weights.sum())):
            if last + 1 < len(starts) and starts[last + 1] == ends[last]:  # the next word touches this one
                last += 1
        chosen[starts[first]:ends[last]] = True
    return chosen


def choose_whole_words(candidates, continues, rate, rng):
    """Each word independently with probability `rate`, all its pieces together; fast, for batches of rows.

    candidates: (B, T) bool as in choose_positions; continues: (B, T) bool, True where a piece goes on a word
    (##). A word shares the draw of its first piece. Returns (B, T) bool.
    """
    check_rate(rate)
    draws = rng.random(candidates.shape)                                        # (B, T)
    first = np.maximum.accumulate(np.where(continues, 0, np.arange(candidates.shape[1])), axis=1)
    return candidates & (np.take_along_axis(draws, first, axis=1) < rate)


def repeated_word_positions(input_ids, words, telling, share, rng):
    """Words that stand more than once in their row: each is hidden with probability `share`, but one of a
    kind always stays.

    input_ids: (T,) int; words: (T,) int as in whole_word_positions; telling: (T,) bool, a word counts when
    one of its pieces does. Words are the same when all their pieces are. Returns (T,) bool. Our own: no paper
    has this rule.

    >>> ids = np.array([5, 6, 7, 5, 6, 5])                              # the word 5 6, the word 7, the word 5 6, the word 5
    >>> words = np.array([0, 0, 1, 2, 2, 3])
    >>> repeated_word_positions(ids, words, ids > 0, 1.0, np.random.default_rng(0)).astype(int).tolist()
    [0, 0, 0, 1, 1, 0]
    """
    check_rate(share, "share")
    draws = rng.random(len(words))  # that of its first piece is a word's
    chosen = np.zeros(len(words), bool)
    places = {}  # the pieces of a word: where it stands
    for word in np.unique(words[words >= 0]):
        place = np.flatnonzero(words == word)
        if telling[place].any():
            places.setdefault(tuple(input_ids[place]), []).append(place)
    for same in places.values():
        *hidden, _ = sorted(same, key=lambda place: draws[place[0]])
        for place in hidden:
            chosen[place] = draws[place[0]] < share
    return chosen


def choose_repeated_words(input_ids, candidates, continues, telling, share, rng):
    """repeated_word_positions of each row, with the same draws; fast, for batches of rows.

    input_ids: (B, T) int; candidates, continues: (B, T) bool as in choose_whole_words; telling: (B, T) bool,
    by piece. All words of the batch are numbered, and the same words of a row get the same kind: words that
    begin alike are told apart piece by piece. Returns (B, T) bool.

    >>> ids = np.array([[5, 6, 7, 5, 6, 5]])
    >>> choose_repeated_words(ids, ids > 0, ids == 6, ids > 0, 1.0, np.random.default_rng(0)).astype(int).tolist()
    [[0, 0, 0, 1, 1, 0]]
    """
    check_rate(share, "share")
    draws, words = rng.random(input_ids.shape).ravel(), word_index(candidates, continues)
    starts = (words >= 0) & (np.diff(words, axis=1, prepend=-1) != 0)
    ids, start, pieces = input_ids.ravel(), np.flatnonzero(starts), np.flatnonzero(
        candidates)      # start: of W words
    number = starts.ravel().cumsum()[pieces] - 1  # of each piece's word, 0 to W - 1
    tells = np.bincount(number, weights=telling.ravel()[pieces]) > 0            # (W,)
    length = np.bincount(number)
    kind = start // input_ids.shape[1]                                          # the row
    for piece in range(length.max(initial=0)):
        more = np.flatnonzero(length > piece)
        extended = kind[more] * (ids.max() + 1) + ids[start[more] + piece]
        kind[more] = kind.max() + 1 + np.unique(extended, return_inverse=True)[1]
    order = np.lexsort((draws[start], kind))  # kind by kind, in each the smallest draw first
    stays = np.diff(kind[order], append=-1) != 0                                # the last of its kind
    hidden = np.zeros(len(start), bool)
    hidden[order] = ~stays & tells[order] & (draws[start[order]] < share)
    chosen = np.zeros(input_ids.size, bool)
    chosen[pieces] = hidden[number]
    return chosen.reshape(input_ids.shape)


def ngram_positions(words, rate, rng, longest=3):
    """N-grams of whole words, P(n) ~ 1 / n for n up to `longest`; they neither overlap nor cross a special
    token.

    words: (T,) int as in whole_word_positions. An n-gram starts at each word in random order; but for the
    first, one that would overlap another, or overshoot `rate` of the pieces, is skipped. Returns (T,) bool.
    """
    words = np.asarray(words)
    starts = np.flatnonzero(
        (words >= 0) & (words != np.r_[-2, words[:-1]])).tolist()           # first piece of each word
    ends = (np.flatnonzero((words >= 0) & (words != np.r_[words[1:], -2])) + 1).tolist()
    weights = 1 / np.arange(1, longest + 1)
    lengths = 1 + rng.choice(longest, size=len(starts), p=weights / weights.sum())
    budget = max(1, round(rate * int((words >= 0).sum())))
    chosen, count = np.zeros(len(words), bool), 0
    for first in rng.permutation(len(starts)):
        last = first
        while last + 1 < min(first + lengths[first],
                             len(starts)) and starts[last + 1] == ends[last]:   # the next word touches
            last += 1
        pieces = slice(starts[first], ends[last])
        size = pieces.stop - pieces.start
        if count == 0 or count + size <= budget and not chosen[pieces].any():
            chosen[pieces], count = True, count + size
        if count >= budget:
            break
    return chosen


def word_index(candidates, continues):
    """(B, T) int: the running number of each piece's word, -1 where nothing may be chosen.

    candidates, continues: (B, T) bool as in choose_whole_words. A piece that goes on no candidate starts a
    word.

    >>> word_index(np.array([[False, True, True, True, False]]), np.array([[False, False, True, False, False]])).tolist()
    [[-1, 0, 0, 1, -1]]
    """
    before = np.pad(candidates, ((0, 0), (1, 0)))[:, :-1]  # (B, T) is the piece before a candidate?
    starts = candidates & ~(continues & before)
    return np.where(candidates, np.cumsum(starts, axis=1) - 1, -1)


def phrase_continues(input_ids, continues, phrases):
    """(B, T) bool: True where a token goes on the phrase or entity that starts before it.

    input_ids: (B, T) int; continues: (B, T) bool as in choose_whole_words; phrases: tuples of ids. The
    longest phrase wins, from left to right; it neither starts nor ends inside a word. Raises ValueError for a
    phrase of fewer than two ids.
    """
    by_first = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        if len(phrase) < 2:
            raise ValueError(f"a phrase has at least 2 ids: {phrase}")
        by_first.setdefault(phrase[0], []).append(list(phrase))
    goes_on = np.zeros(input_ids.shape, bool)
    for ids, inside_word, row in zip(input_ids.tolist(), continues.tolist(), goes_on):
        t = 0
        while t < len(ids):
            fitting = (len(phrase) for phrase in by_first.get(ids[t], []) if not inside_word[t]
                       and ids[t:t + len(phrase)] == phrase
                       and not any(inside_word[t + len(phrase):t + len(phrase) + 1]))
            size = next(fitting, 1)
            row[t + 1:t + size] = True
            t += size
    return goes_on


def run_edges(chosen):
    """(left, right), each (B, T) int: the nearest positions before and after that are not chosen; elsewhere t
    itself.

    Raises ValueError where a run of chosen positions touches the edge of the row: it has no boundary there.

    >>> [edge.tolist() for edge in run_edges(np.array([[False, True, True, False]]))]
    [[[0, 0, 0, 3]], [[0, 3, 3, 3]]]
    """
    if chosen[:, [0, -1]].any():
        raise ValueError(
            f"a span touches the edge of row {int(np.argmax(chosen[:, [0, -1]].any(1)))}: it has no boundary")
    T = chosen.shape[1]
    left = np.maximum.accumulate(np.where(chosen, 0, np.arange(T)), axis=1)
    right = np.minimum.accumulate(np.where(chosen, T, np.arange(T))[:, ::-1], axis=1)[:, ::-1]
    return left, right.copy()  # PyTorch takes no reversed view


def corrupt_spans(input_ids, chosen, mask_id, ordinary_ids, rng, to_mask=0.8, to_random=0.1):
    """corrupt_80_10_10 with one fate for each run of neighbouring chosen positions; each position has its own
    random token.

    Arguments and result as there. Raises ValueError for wrong shares, and for a run at the edge of a row
    (`run_edges`).
    """
    if to_mask < 0 or to_random < 0 or to_mask + to_random > 1:
        raise ValueError(
            f"to_mask={to_mask} and to_random={to_random} must not be negative, and sum to at most 1")
    fate = np.take_along_axis(rng.random(input_ids.shape), run_edges(chosen)[0], axis=1)        # (B, T)
    token = np.asarray(ordinary_ids)[rng.integers(len(ordinary_ids), size=input_ids.shape)]
    masked = chosen & (fate < to_mask)
    replaced = chosen & (fate >= to_mask) & (fate < to_mask + to_random)
    return np.where(masked, mask_id, np.where(replaced, token, input_ids))


def shifted(labels, by):
    """(B, T) labels of another position: at t stands labels[t + by], or IGNORE where there is none.

    >>> shifted(np.array([[7, 8, 9]]), 1).tolist(), shifted(np.array([[7, 8, 9]]), -1).tolist()
    ([[8, 9, -100]], [[-100, 7, 8]])
    """
    moved = np.roll(labels, -by, axis=1)
    moved[:, slice(-by, None) if by > 0 else slice(None, -by)] = IGNORE
    return moved
