"""Texts in another order or length, in NumPy: the five ways in which BART spoils one, and StructBERT's
shuffled runs.

Lewis et al. (2020, arXiv 1910.13461), section 2.2 and figure 2; Wang et al. (2020, arXiv 1908.04577), section
2. `masking` keeps every token in its place. Here BART's decoder has to write the text anew, and StructBERT
names the token that stood at each place.
"""
import numpy as np


def check_rate(rate):
    """Raises ValueError for a rate that is no share."""
    if not 0 <= rate <= 1:
        raise ValueError(f"rate={rate!r} must lie between 0 and 1")


def token_masking(ids, rate, mask_id, rng):
    """Each token becomes [MASK] with probability `rate`. ids: (T,) int. Returns (T,) int."""
    check_rate(rate)
    ids = np.asarray(ids, np.int64)
    return np.where(rng.random(len(ids)) < rate, mask_id, ids)


def token_deletion(ids, rate, rng):
    """Each token disappears with probability `rate`; the model must find out where. ids: (T,) int. Returns at
    most T ids.
    """
    check_rate(rate)
    ids = np.asarray(ids, np.int64)
    return ids[rng.random(len(ids)) >= rate]


def span_lengths(budget, mean, rng):
    """Lengths from a Poisson distribution until they sum to `budget`; the last one is cut to fit.

    budget: int of at least 0; mean: above 0. Returns (N,) int, zeros among them. Raises ValueError for
    another `mean`.
    """
    if mean <= 0:
        raise ValueError(f"mean={mean!r} must be above 0: spans without length never fill the budget")
    lengths, total = [], 0
    while total < budget:
        lengths.append(min(int(rng.poisson(mean)), budget - total))
        total += lengths[-1]
    return np.array(lengths, np.int64)


def text_infilling(ids, rate, mask_id, rng, mean=3):
    """Spans that cover `rate` of the tokens are each replaced by one [MASK]; a span of length 0 inserts a
    [MASK].

    ids: (T,) int; mean: of the spans' lengths. The tokens that stay form gaps, and each span falls into one
    at random. Returns the kept tokens, in order, with the masks between them.
    """
    check_rate(rate)
    ids = np.asarray(ids, np.int64)
    lengths = span_lengths(round(rate * len(ids)), mean, rng)            # (N,)
    # (N,): kept tokens before each span
    gaps = np.sort(rng.integers(len(ids) - lengths.sum() + 1, size=len(lengths)))
    starts = gaps + np.cumsum(lengths) - lengths  # (N,): the spans before it count too
    pieces, end = [], 0
    for start, length in zip(starts, lengths):
        pieces += [ids[end:start], [mask_id]]
        end = start + length
    return np.concatenate([*pieces, ids[end:]]).astype(np.int64)


def split_sentences(ids, stop_ids):
    """Cut after each full stop: (T,) int to a list of arrays, the last one perhaps without a stop.

    stop_ids: ids that end a sentence.

    >>> [sentence.tolist() for sentence in split_sentences([5, 9, 6, 7, 9, 8], [9])]
    [[5, 9], [6, 7, 9], [8]]
    """
    ids = np.asarray(ids, np.int64)
    cuts = np.flatnonzero(np.isin(ids, stop_ids)) + 1
    return [sentence for sentence in np.split(ids, cuts) if len(sentence)]


def sentence_permutation(ids, stop_ids, rng):
    """The sentences in random order. ids: (T,) int; stop_ids: see split_sentences. Returns (T,) int."""
    sentences = split_sentences(ids, stop_ids)
    return np.concatenate([np.zeros(0, np.int64), *(sentences[i] for i in rng.permutation(len(sentences)))])


def document_rotation(ids, rng):
    """The text begins at a token chosen uniformly; what stood before it comes last. ids: (T,) int. Returns
    (T,) int.
    """
    ids = np.asarray(ids, np.int64)
    return np.roll(ids, -int(rng.integers(len(ids)))) if len(ids) else ids


def shuffle_runs(input_ids, free, rate, rng, size=3):
    """Shuffle some runs of `size` neighbouring tokens. Returns (ids (B, T), moved (B, T) bool: True in those
    runs).

    free: (B, T) bool, the tokens that may move. Each run of free tokens is drawn with probability `rate`; one
    that would overlap a run before it is passed over. Every order is equally likely, the right one too.
    """
    check_rate(rate)
    # (B, T)
    whole = np.lib.stride_tricks.sliding_window_view(np.pad(free, ((0, 0), (0, size - 1))), size,
                                                     axis=1).all(-1)
    drawn = whole & (rng.random(free.shape) < rate)
    keys = rng.random(free.shape)  # a token's place in the new order
    shuffled, moved = input_ids.copy(), np.zeros(free.shape, bool)
    for b, t in np.argwhere(drawn):
        run = slice(t, t + size)
        if not moved[b, run].any():
            shuffled[b, run], moved[b, run] = input_ids[b, run][np.argsort(keys[b, run])], True
    return shuffled, moved
