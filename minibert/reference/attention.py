"""Scaled dot-product attention and its heads, in NumPy: the definition.

Vaswani et al. (2017, arXiv 1706.03762), section 3.2. Axes: B batch, T queries, S keys, H heads, K head size,
D hidden.
"""
import math

import numpy as np


def softmax(x, axis=-1):
    """exp(x) over its sum along `axis`; the maximum is subtracted first, so that large x do not overflow.

    x: array of any shape. Returns the same shape; non-negative, sums to 1 along `axis`.

    >>> softmax(np.array([0.0, np.log(3.0)]))
    array([0.25, 0.75])
    """
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(q, k, v, visible=None):
    """softmax(q k^T / sqrt(K)) v, equation (1) of the paper.

    q: (..., T, K); k, v: (..., S, K); visible: bool, broadcast to (..., T, S), True = query t may look at key
    s; None = all may. A hidden score becomes the smallest finite number, so a query that sees nothing gets
    equal weights, not nan. Returns (context (..., T, K), probs (..., T, S)).
    """
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])                    # (..., T, S)
    if visible is not None:
        scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    probs = softmax(scores)                                                     # (..., T, S)
    context = probs @ v                                                         # (..., T, K)
    return context, probs


def split_heads(x, num_heads):
    """(B, T, D) -> (B, H, T, K): each head gets K = D / H neighbouring columns.

    Raises ValueError when D is not a multiple of `num_heads`.
    """
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"hidden size {D} is not a multiple of {num_heads} heads")
    return x.reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)


def merge_heads(x):
    """(B, H, T, K) -> (B, T, D), the inverse of split_heads."""
    B, H, T, K = x.shape
    return x.swapaxes(1, 2).reshape(B, T, H * K)


def multi_head_attention(x, p, num_heads, visible=None, gate=None, memory=None):
    """Project x to queries, keys and values, attend in each head, join the heads, project back (section
    3.2.2).

    x: (B, T, D) asks; memory: (B, S, D) answers, another sequence in encoder-decoder attention, None = x
    (self-attention; section 3.2.3 has both). p: dict with `query.weight` (D, D), `query.bias` (D,), likewise
    `key`, `value`, `out`, in PyTorch's layout y = x W^T + b. visible: (B, T, S) bool or None. gate: (H,)
    factors on the heads' contexts, 0 removes a head. Returns (output (B, T, D), probs (B, H, T, S)).
    """
    memory = x if memory is None else memory
    q, k, v = (split_heads(y @ p[f"{name}.weight"].T + p[f"{name}.bias"], num_heads)
               for name, y in (("query", x), ("key", memory), ("value", memory)))      # (B, H, T or S, K)
    context, probs = attention(q, k, v, None if visible is None else visible[:, None])
    if gate is not None:
        context = context * gate[:, None, None]                                 # (B, H, T, K)
    return merge_heads(context) @ p["out.weight"].T + p["out.bias"], probs
