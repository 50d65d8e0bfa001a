"""The reference implementation, in NumPy, of scaled dot-product attention and multi-head attention.

Vaswani et al. (2017, arXiv 1706.03762), section 3.2. Axes: B batch, T queries, S keys, H heads, K head size,
D hidden.
"""

import math
from collections.abc import Mapping

import numpy as np


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return exp(x) divided by its sum along `axis`: non-negative numbers that sum to 1.

    x: an array of any shape; the result has the same shape. The maximum is subtracted first, so that large
    values do not overflow.

    >>> softmax(np.array([0.0, np.log(3.0)]))
    array([0.25, 0.75])
    """
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, visible: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return softmax(q k^T / sqrt(K)) v, equation (1) of the paper, and the attention probabilities.

    q: (..., T, K); k, v: (..., S, K); visible: bool, broadcast to (..., T, S), True = query t may attend to
    key s; None = every query may attend to every key. The scores of masked keys become the smallest finite
    number; with -inf, a query that may attend to no key would get nan. Returns (context (..., T, K), probs
    (..., T, S)).

    >>> q = k = v = np.eye(2)                  # two tokens, each most similar to itself
    >>> attention(q, k, v, visible=np.array([[True, False], [True, True]]))[1].round(2).tolist()
    [[1.0, 0.0], [0.33, 0.67]]
    """
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, S)
    if visible is not None:
        scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    probs = softmax(scores)  # (..., T, S)
    context = probs @ v  # (..., T, K)
    return context, probs


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """Split the last axis into heads of K = D / H adjacent columns: (B, T, D) -> (B, H, T, K).

    Raises ValueError if D is not a multiple of `num_heads`.
    """
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"hidden size {D} is not a multiple of {num_heads} heads")
    return x.reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)


def merge_heads(x: np.ndarray) -> np.ndarray:
    """Concatenate the heads: (B, H, T, K) -> (B, T, D). This is the inverse of split_heads."""
    B, H, T, K = x.shape
    return x.swapaxes(1, 2).reshape(B, T, H * K)


def multi_head_attention(
    x: np.ndarray,
    p: Mapping[str, np.ndarray],
    num_heads: int,
    visible: np.ndarray | None = None,
    gate: np.ndarray | None = None,
    memory: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Project to queries, keys and values, attend in each head, concatenate the heads, and project again.

    Section 3.2.2. x: (B, T, D), the input for the queries. memory: (B, S, D), the input for the keys and
    values: another sequence in encoder-decoder attention, or None for x itself (self-attention); section
    3.2.3 describes both. p: dict with `query.weight` (D, D) and `query.bias` (D,), and the same for `key`,
    `value` and `out`, in PyTorch's layout y = x W^T + b. visible: (B, T, S) bool or None. gate: (H,) factors
    for the contexts of the heads, or None; 0 removes a head. Returns (output (B, T, D), probs (B, H, T, S)).
    """
    memory = x if memory is None else memory
    q, k, v = (
        split_heads(y @ p[f"{name}.weight"].T + p[f"{name}.bias"], num_heads)
        for name, y in (("query", x), ("key", memory), ("value", memory))
    )  # (B, H, T or S, K)
    context, probs = attention(q, k, v, None if visible is None else visible[:, None])
    if gate is not None:
        context = context * gate[:, None, None]  # (B, H, T, K)
    return merge_heads(context) @ p["out.weight"].T + p["out.bias"], probs
