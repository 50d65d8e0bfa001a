"""Which pattern each attention head shows, where its attention goes, and patterns that need no training.

Kovaleva et al. (2019, arXiv 1908.08593) sort heads by eye and by a trained classifier into five classes; here
a stated rule does it. Clark et al. (2019, arXiv 1906.04341), section 3, measure where attention goes;
Raganato et al. (2020, arXiv 2002.10260) replace learned heads by fixed patterns. Axes: L layers, H heads, T
tokens.
"""

import numpy as np
from scipy.special import entr, rel_entr

CLASSES = ("vertical", "diagonal", "vertical + diagonal", "block", "heterogeneous")
CLEAR, PART = 0.4, 0.2  # of what attention could have more than uniform attention has; see `classify`
FIXED = ("current", "previous", "next", "left", "right")


def above_uniform(probs: np.ndarray, wanted: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """How much more attention goes where it is wanted than uniform attention would give: (...), at most 1.

    probs (..., T, T); wanted (T, T) bool: where attention counts; rows (T,) bool: the queries that count. 0 =
    as much as with equal weights, 1 = all of it. In a short text most tokens are neighbours, so plain shares
    would call uniform attention diagonal.
    """
    share = (probs * wanted).sum(axis=-1)[..., rows].mean(axis=-1)
    uniform = wanted.mean(axis=-1)[rows].mean()
    return np.zeros_like(share) if uniform == 1 else (share - uniform) / (1 - uniform)


def classify(probs: np.ndarray, special: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Name the pattern of each head, one of CLASSES: (...), an array of texts.

    probs (..., T, T): attention of one sequence; special (T,) bool: [CLS] and [SEP]; segments (T,) int. The
    rule, on the attention of all but the special tokens, each number above uniform attention: vertical is
    attention to special tokens, diagonal that to a token itself and its two neighbours, block that to its own
    segment, where there are two. A head is vertical, or diagonal, if that alone is at least CLEAR and the
    other less than PART; vertical + diagonal if both are at least PART, or one is at least CLEAR; else block
    if that is at least CLEAR; else heterogeneous. Raises ValueError where every token is special.

    >>> special = np.array([True, False, False, False, False, True])
    >>> to_cls = np.zeros((6, 6)); to_cls[:, 0] = 1
    >>> classify(np.stack([to_cls, np.eye(6), np.full((6, 6), 1 / 6)]), special, np.zeros(6)).tolist()
    ['vertical', 'diagonal', 'heterogeneous']
    """
    special, segments = np.asarray(special, bool), np.asarray(segments)
    if special.all():
        raise ValueError(f"all {len(special)} tokens are special, but a pattern needs another token")
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


def share_by_layer(classes: np.ndarray) -> np.ndarray:
    """The share of each class among all heads of a layer: (..., L, H) names -> (L, len(CLASSES)).

    >>> share_by_layer(np.array([["block", "diagonal"], ["block", "block"]])).tolist()
    [[0.0, 0.5, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]
    """
    by_layer = np.moveaxis(np.asarray(classes), -2, 0).reshape(np.shape(classes)[-2], -1)
    return np.stack([(by_layer == name).mean(axis=1) for name in CLASSES], axis=1)


def attention_to(probs: np.ndarray, chosen: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    """The share of attention that goes to the chosen tokens, such as [SEP]: (..., T, S) -> (...).

    Clark et al., section 3.2. chosen (S,) bool; rows (T,) bool: the tokens that attend, None = all.

    >>> attention_to(np.array([[0.1, 0.9], [0.3, 0.7]]), np.array([False, True])).round(2).item()
    0.8
    """
    to = (probs * np.asarray(chosen, bool)).sum(axis=-1)  # (..., T)
    return to.mean(axis=-1) if rows is None else to[..., np.asarray(rows, bool)].mean(axis=-1)


def entropy(probs: np.ndarray) -> np.ndarray:
    """The mean entropy of the rows of attention in nats: (..., T, S) -> (...). Clark et al., section 3.3.

    0 = each token looks at one token; ln S = at all alike.
    """
    return entr(probs).sum(axis=-1).mean(axis=-1)


def head_distances(probs: np.ndarray) -> np.ndarray:
    """How differently each two heads attend: (L, H, T, S) -> (L H, L H), 0 = alike.

    The Jensen-Shannon divergence of their rows, in nats, added up over the tokens. Clark et al., section 6.
    """
    heads = np.asarray(probs).reshape(-1, *np.shape(probs)[2:])  # (L H, T, S)
    result = np.zeros((len(heads), len(heads)))
    for i, head in enumerate(heads):
        mean = (head + heads[i:]) / 2  # (rest, T, S)
        result[i, i:] = result[i:, i] = ((rel_entr(head, mean) + rel_entr(heads[i:], mean)) / 2).sum((-2, -1))
    return result


def fixed_pattern(name: str, T: int) -> np.ndarray:
    """Attention that depends on places alone, one of FIXED: (T, T), rows that sum to 1.

    "previous" and "next" are the neighbours; "left" and "right" are equal weights on all tokens beyond the
    neighbour. A token that has none looks at itself. Raises ValueError for another name.

    # paper: tokens of the larger contexts are weighted by their place, and further patterns look at both ends

    >>> fixed_pattern("previous", 3).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
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
        raise ValueError(f"{name!r} is no fixed pattern; there are {', '.join(FIXED)}")
    seen = np.where(looks[name].any(axis=1, keepdims=True), looks[name], step == 0)
    return seen / seen.sum(axis=1, keepdims=True)
