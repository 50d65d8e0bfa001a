"""Measures of attention patterns and of where attention goes, and fixed patterns that need no training.

Kovaleva et al. (2019, arXiv 1908.08593) sort heads into five classes by eye and with a trained classifier;
this file uses an explicit rule. Clark et al. (2019, arXiv 1906.04341), section 3, measure where attention
goes; Raganato et al. (2020, arXiv 2002.10260) replace learned heads by fixed patterns. Axes: L layers, H
heads, T tokens.
"""

import numpy as np
from scipy.special import entr, rel_entr

CLASSES = ("vertical", "diagonal", "vertical + diagonal", "block", "heterogeneous")
CLEAR, PART = 0.4, 0.2  # thresholds for attention above uniform attention, see `classify`
FIXED = ("current", "previous", "next", "left", "right")


def above_uniform(probs: np.ndarray, wanted: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Measure how much attention to the wanted tokens exceeds uniform attention: (...), at most 1.

    probs: attention weights (..., T, T). wanted (T, T) bool: the tokens wanted for each query. rows (T,)
    bool: the queries that count. 0 means as much as with equal weights, and 1 means all attention. Plain
    shares would mislead: in a short text, most tokens are neighbours.
    """
    share = (probs * wanted).sum(axis=-1)[..., rows].mean(axis=-1)
    uniform = wanted.mean(axis=-1)[rows].mean()
    return np.zeros_like(share) if uniform == 1 else (share - uniform) / (1 - uniform)


def classify(probs: np.ndarray, special: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Classify the pattern of each head: (...), an array of names from CLASSES.

    probs (..., T, T): the attention in one sequence; special (T,) bool: [CLS] and [SEP]; segments (T,) int.
    The rule uses the attention from all but the special tokens, and each number is relative to uniform
    attention: vertical is attention to special tokens, diagonal is attention to the token itself and its two
    neighbours, and block is attention to the token's own segment if there are two. A head is "vertical" (or
    "diagonal") if that number is at least CLEAR and the other is less than PART. It is "vertical + diagonal"
    if both are at least PART, or one is at least CLEAR. Otherwise, it is "block" if the block number is at
    least CLEAR, or else "heterogeneous". Raises ValueError if all tokens are special.

    >>> special = np.array([True, False, False, False, False, True])
    >>> to_cls = np.zeros((6, 6)); to_cls[:, 0] = 1
    >>> classify(np.stack([to_cls, np.eye(6), np.full((6, 6), 1 / 6)]), special, np.zeros(6)).tolist()
    ['vertical', 'diagonal', 'heterogeneous']
    """
    special, segments = np.asarray(special, bool), np.asarray(segments)
    if special.all():
        raise ValueError(f"all {len(special)} tokens are special, but a pattern needs other tokens")
    T = np.arange(len(special))
    near = (np.abs(np.subtract.outer(T, T)) <= 1) & ~special  # (T, T)
    own = np.equal.outer(segments, segments) & ~special
    vertical, diagonal, block = (
        above_uniform(probs, np.broadcast_to(wanted, near.shape), ~special) for wanted in (special, near, own)
    )
    two = len(np.unique(segments[~special])) > 1
    return np.select(
        [
            (vertical >= CLEAR) & (diagonal < PART),
            (diagonal >= CLEAR) & (vertical < PART),
            (vertical >= PART) & (diagonal >= PART) | (vertical >= CLEAR) | (diagonal >= CLEAR),
            (block >= CLEAR) & two,
        ],
        CLASSES[:-1],
        default=CLASSES[-1],
    )


def attention_to(probs: np.ndarray, chosen: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    """Return the share of attention that goes to chosen tokens, such as [SEP]: (..., T, S) -> (...).

    Clark et al., section 3.2. chosen (S,) bool; rows (T,) bool: the tokens that attend; None = all.

    >>> attention_to(np.array([[0.1, 0.9], [0.3, 0.7]]), np.array([False, True])).round(2).item()
    0.8
    """
    to = (probs * np.asarray(chosen, bool)).sum(axis=-1)  # (..., T)
    return to.mean(axis=-1) if rows is None else to[..., np.asarray(rows, bool)].mean(axis=-1)


def entropy(probs: np.ndarray) -> np.ndarray:
    """Return the mean entropy of attention in nats: (..., T, S) -> (...). Clark et al., section 3.3.

    It is 0 if each token attends to one token, and ln S if it attends to all tokens equally.
    """
    return entr(probs).sum(axis=-1).mean(axis=-1)


def head_distances(probs: np.ndarray) -> np.ndarray:
    """Measure how differently each pair of heads attends: (L, H, T, S) -> (L H, L H), 0 = identically.

    The measure is the Jensen-Shannon divergence of their attention in nats, summed over the tokens. Clark et
    al., section 6.
    """
    heads = np.asarray(probs).reshape(-1, *np.shape(probs)[2:])  # (L H, T, S)
    result = np.zeros((len(heads), len(heads)))
    for i, head in enumerate(heads):
        mean = (head + heads[i:]) / 2  # (rest, T, S)
        result[i, i:] = result[i:, i] = ((rel_entr(head, mean) + rel_entr(heads[i:], mean)) / 2).sum((-2, -1))
    return result


def fixed_pattern(name: str, T: int) -> np.ndarray:
    """Return an attention pattern that depends only on positions: (T, T), with rows that sum to 1.

    name: one of FIXED. "previous" and "next" attend to a neighbour; "left" and "right" attend equally to all
    tokens beyond the neighbour. A token without such tokens attends to itself.

    >>> fixed_pattern("previous", 3).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    # paper: tokens in the larger contexts are weighted by position, and other patterns attend to both ends
    t = np.arange(T)
    step = np.subtract.outer(t, t)  # [t, s]: how far s is to the left of t
    looks = {
        "current": step == 0,
        "previous": step == 1,
        "next": step == -1,
        "left": step > 1,
        "right": step < -1,
    }
    if name not in looks:
        raise ValueError(f"{name!r} is not a fixed pattern; the fixed patterns are {', '.join(FIXED)}")
    seen = np.where(looks[name].any(axis=1, keepdims=True), looks[name], step == 0)
    return seen / seen.sum(axis=1, keepdims=True)
