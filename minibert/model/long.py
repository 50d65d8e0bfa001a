"""Attention for long texts: matrices that say who may attend to whom, and attention linear in the length.

Beltagy et al. (2020, arXiv 2004.05150), section 3 (Longformer); Zaheer et al. (2020, arXiv 2007.14062),
section 2 (BigBird). The matrices are definitions; `long_attention` equals `attention` with
`longformer_visible` but never makes a matrix (T, T). Axes: C chunks of R tokens, G global tokens; the others
as in `attention`.
"""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from .attention import attention


def sliding_window_visible(length: int, reach: int) -> np.ndarray:
    """Return who attends to whom, (T, T) bool: each token to itself and to `reach` tokens on each side.

    >>> sliding_window_visible(4, 1).astype(int).tolist()
    [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]
    """
    at = np.arange(length)
    return abs(at[:, None] - at) <= reach


def global_visible(length: int, positions: Sequence[int]) -> np.ndarray:
    """Return (T, T) bool: the tokens at `positions` attend to all tokens, and all tokens attend to them.

    >>> global_visible(3, [0]).astype(int).tolist()
    [[1, 1, 1], [1, 0, 0], [1, 0, 0]]
    """
    everywhere = np.isin(np.arange(length), positions)
    return everywhere[:, None] | everywhere


def random_visible(length: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return (T, T) bool: each token attends to `count` random tokens."""
    # paper: BigBird draws blocks of tokens, because adjacent memory is faster
    return rng.random((length, length)).argsort(1).argsort(1) < count


def longformer_visible(length: int, reach: int, positions: Sequence[int]) -> np.ndarray:
    """Return Longformer's attention mask, (T, T) bool: a sliding window and global tokens."""
    return sliding_window_visible(length, reach) | global_visible(length, positions)


def bigbird_visible(
    length: int, reach: int, positions: Sequence[int], count: int, rng: np.random.Generator
) -> np.ndarray:
    """Return BigBird's attention mask, (T, T) bool: Longformer's, and `count` random keys for each query."""
    return longformer_visible(length, reach, positions) | random_visible(length, count, rng)


def long_attention(q: Tensor, k: Tensor, v: Tensor, reach: int, positions: Sequence[int] = ()) -> Tensor:
    """Compute the context of `attention` with `longformer_visible` in time and memory linear in T.

    q, k, v: (B, H, T, K). The text is cut into chunks of R = reach tokens. The window of a query lies in its
    own chunk and the two next to it, so each chunk needs scores (R, 3R), and (R, G) for the global tokens.
    Returns (B, H, T, K). Raises ValueError if `reach` is less than 1.
    """
    if reach < 1:
        raise ValueError(f"reach={reach} must be at least 1")
    T, device = q.shape[2], q.device
    far = torch.tensor(sorted(set(positions)), dtype=torch.long, device=device)  # (G,)
    C = -(-T // reach)
    places = torch.arange(-reach, (C + 1) * reach, device=device)  # with a chunk before and a chunk after
    key_at = places.unfold(0, 3 * reach, reach)  # (C, 3R), the positions of the keys for each chunk
    query_at = places[reach:-reach].view(C, reach)  # (C, R)
    seen = (query_at[:, :, None] - key_at[:, None]).abs() <= reach  # (C, R, 3R)
    seen &= ((key_at >= 0) & (key_at < T) & ~torch.isin(key_at, far))[:, None]
    queries = F.pad(q, (0, 0, 0, C * reach - T)).unflatten(2, (C, reach))  # (B, H, C, R, K)
    near_k, near_v = (
        F.pad(x, (0, 0, reach, (C + 1) * reach - T)).unfold(2, 3 * reach, reach) for x in (k, v)
    )  # (B, H, C, K, 3R), views
    far_k, far_v = k[:, :, None, far], v[:, :, None, far]  # (B, H, 1, G, K)
    near = (queries @ near_k).masked_fill(~seen, torch.finfo(q.dtype).min)  # (B, H, C, R, 3R)
    scores = torch.cat([near, queries @ far_k.mT], -1) / math.sqrt(q.shape[-1])
    probs = scores.softmax(-1)  # (B, H, C, R, 3R + G)
    context = probs[..., : 3 * reach] @ near_v.mT + probs[..., 3 * reach :] @ far_v
    context = context.flatten(2, 3)[:, :, :T]  # (B, H, T, K)
    # paper: global tokens have projections of their own
    return context.index_copy(2, far, attention(q[:, :, far], k, v)[0]) if len(far) else context
