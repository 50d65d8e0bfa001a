"""Noise that changes the order or length of a text, in NumPy: BART's five kinds, and StructBERT's shuffling.

Lewis et al. (2020, arXiv 1910.13461), section 2.2 and figure 2; Wang et al. (2020, arXiv 1908.04577), section
2. From the noisy text, BART generates the original text, and StructBERT predicts the original token at each
position.
"""

from collections.abc import Sequence

import numpy as np

from .masking import check_rate


def token_masking(
    ids: Sequence[int] | np.ndarray, rate: float, mask_id: int, rng: np.random.Generator
) -> np.ndarray:
    """Replace each token by [MASK] with probability `rate`. ids: (T,) int. Returns (T,) int."""
    check_rate(rate)
    ids = np.asarray(ids, np.int64)
    return np.where(rng.random(len(ids)) < rate, mask_id, ids)


def token_deletion(ids: Sequence[int] | np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Delete each token with probability `rate`; the model must detect the missing positions.

    ids: (T,) int. Returns an array of at most T ids.
    """
    check_rate(rate)
    ids = np.asarray(ids, np.int64)
    return ids[rng.random(len(ids)) >= rate]


def span_lengths(budget: int, mean: float, rng: np.random.Generator) -> np.ndarray:
    """Draw span lengths from a Poisson distribution until they sum to `budget`; the last one is cut to fit.

    Returns (N,) int, possibly with zeros. Raises ValueError unless `mean` is greater than 0.
    """
    if mean <= 0:
        raise ValueError(f"mean={mean!r} must be greater than 0: empty spans never fill the budget")
    lengths: list[int] = []
    total = 0
    while total < budget:
        lengths.append(min(int(rng.poisson(mean)), budget - total))
        total += lengths[-1]
    return np.array(lengths, np.int64)


def text_infilling(
    ids: Sequence[int] | np.ndarray, rate: float, mask_id: int, rng: np.random.Generator, mean: float = 3
) -> np.ndarray:
    """Replace spans that cover `rate` of the tokens by one [MASK] each; a span of length 0 inserts a [MASK].

    ids: (T,) int. mean: the mean length of the spans. Returns the remaining tokens, in order, with the masks
    between them.
    """
    check_rate(rate)
    ids = np.asarray(ids, np.int64)
    lengths = span_lengths(round(rate * len(ids)), mean, rng)  # (N,)
    gaps = np.sort(
        rng.integers(len(ids) - lengths.sum() + 1, size=len(lengths))
    )  # (N,): tokens kept before each span
    starts = gaps + np.cumsum(lengths) - lengths  # (N,): plus the lengths of all earlier spans
    return infill(ids, list(zip(starts.tolist(), lengths.tolist())), mask_id)


def infill(ids: Sequence[int] | np.ndarray, spans: Sequence[tuple[int, int]], mask_id: int) -> np.ndarray:
    """Replace each span by a single [MASK]; a span of length 0 inserts one.

    ids: (T,) int. spans: pairs (start, length), in text order. Returns (N,) int. Raises ValueError if spans
    overlap, are out of order, or extend beyond the end of the text.

    >>> infill([5, 6, 7, 8], [(0, 2), (3, 0)], mask_id=4).tolist()
    [4, 7, 4, 8]
    """
    ids = np.asarray(ids, np.int64)
    kept, end = [], 0
    for start, length in spans:
        if not end <= start <= start + length <= len(ids):
            raise ValueError(
                f"span (start={start}, length={length}) must be between {end}, the end of the previous "
                f"span, and {len(ids)}, the end of the text"
            )
        kept += [ids[end:start], np.array([mask_id])]
        end = start + length
    return np.concatenate([*kept, ids[end:]]).astype(np.int64)


def split_sentences(
    ids: Sequence[int] | np.ndarray, stop_ids: Sequence[int] | np.ndarray
) -> list[np.ndarray]:
    """Split a text after each full stop and return a list of arrays; the last one may lack a full stop.

    ids: (T,) int. stop_ids: the ids that end a sentence.

    >>> [sentence.tolist() for sentence in split_sentences([5, 9, 6, 7, 9, 8], [9])]
    [[5, 9], [6, 7, 9], [8]]
    """
    ids = np.asarray(ids, np.int64)
    cuts = np.flatnonzero(np.isin(ids, stop_ids)) + 1
    return [sentence for sentence in np.split(ids, cuts) if len(sentence)]


def sentence_permutation(
    ids: Sequence[int] | np.ndarray, stop_ids: Sequence[int] | np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Shuffle the sentences of a text. ids: (T,) int. stop_ids: see split_sentences. Returns (T,) int."""
    sentences = split_sentences(ids, stop_ids)
    return np.concatenate([np.zeros(0, np.int64), *(sentences[i] for i in rng.permutation(len(sentences)))])


def document_rotation(ids: Sequence[int] | np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rotate a text so that it starts at a random token. ids: (T,) int. Returns (T,) int."""
    ids = np.asarray(ids, np.int64)
    return np.roll(ids, -int(rng.integers(len(ids)))) if len(ids) else ids


def shuffle_runs(
    input_ids: np.ndarray, free: np.ndarray, rate: float, rng: np.random.Generator, size: int = 3
) -> tuple[np.ndarray, np.ndarray]:
    """Shuffle random runs of `size` neighbouring tokens, and return (ids (B, T), moved (B, T) bool).

    input_ids: (B, T) int. free: (B, T) bool, the tokens that may move. Each run of free tokens is chosen with
    probability `rate`, but skipped if it overlaps an earlier run. All orders, including the original one, are
    equally likely. moved: True for all positions of the chosen runs.
    """
    check_rate(rate)
    padded = np.pad(free, ((0, 0), (0, size - 1)))
    whole = np.lib.stride_tricks.sliding_window_view(padded, size, axis=1).all(-1)  # (B, T)
    drawn = whole & (rng.random(free.shape) < rate)
    keys = rng.random(free.shape)  # sort keys of the new order
    shuffled, moved = input_ids.copy(), np.zeros(free.shape, bool)
    for b, t in np.argwhere(drawn):
        run = slice(t, t + size)
        if not moved[b, run].any():
            shuffled[b, run], moved[b, run] = input_ids[b, run][np.argsort(keys[b, run])], True
    return shuffled, moved
