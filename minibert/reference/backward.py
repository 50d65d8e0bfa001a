"""The gradients of attention, LayerNorm and cross-entropy, derived by hand; in PyTorch, autograd does this.

They apply the chain rule to equation (1) of Vaswani et al. (2017, arXiv 1706.03762), to Ba et al. (2016,
arXiv 1607.06450) and to the masked-LM loss of Devlin et al. (2019, arXiv 1810.04805). `d_x` is the gradient
of a scalar loss with respect to x, and has the shape of x. `f_backward` takes the gradient of the result of
f, followed by the arguments of f, and returns the gradients of these arguments.
"""

import math
from collections.abc import Mapping

import numpy as np

from ..data.batch import IGNORE
from .attention import attention, merge_heads, softmax, split_heads


def softmax_backward(d_probs: np.ndarray, probs: np.ndarray) -> np.ndarray:
    """Return the gradient with respect to x, given that probs = softmax(x) over the last axis.

    d_probs: the loss's gradient for probs, which has the same shape. Each probability is multiplied by its
    own gradient minus the mean gradient, which is weighted by the probabilities.
    """
    return probs * (d_probs - (d_probs * probs).sum(-1, keepdims=True))


def attention_backward(
    d_context: np.ndarray, q: np.ndarray, k: np.ndarray, v: np.ndarray, visible: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the gradients (d_q, d_k, d_v) for the context of attention(q, k, v, visible).

    d_context: (..., T, K), the loss's gradient for the context; the other shapes are as in attention. A
    masked score does not influence the context, so its gradient is 0.
    """
    _, probs = attention(q, k, v, visible)  # (..., T, S)
    d_v = probs.swapaxes(-2, -1) @ d_context  # (..., S, K)
    d_scores = softmax_backward(d_context @ v.swapaxes(-2, -1), probs)  # (..., T, S)
    if visible is not None:
        d_scores = np.where(visible, d_scores, 0)
    d_scores = d_scores / math.sqrt(q.shape[-1])
    return d_scores @ k, d_scores.swapaxes(-2, -1) @ q, d_v  # (..., T, K), 2 of (..., S, K)


def linear_backward(
    d_out: np.ndarray, x: np.ndarray, p: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the gradients (d_x, {"weight", "bias"}) for linear(x, p).

    x: (..., in); d_out: (..., out), the loss's gradient for the output. The weight matrix is shared by all
    rows of x, so its gradient is a sum over them.
    """
    rows, d_rows = x.reshape(-1, x.shape[-1]), d_out.reshape(-1, d_out.shape[-1])
    return d_out @ p["weight"], {"weight": d_rows.T @ rows, "bias": d_rows.sum(0)}


def multi_head_attention_backward(
    d_out: np.ndarray,
    x: np.ndarray,
    p: Mapping[str, np.ndarray],
    num_heads: int,
    visible: np.ndarray | None = None,
    gate: np.ndarray | None = None,
) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray | None]:
    """Return the gradients (d_x, d_p, d_gate) for the output of multi-head self-attention (no memory).

    d_out: the loss's gradient for the output. d_out, x: (B, T, D); others as in multi_head_attention. d_p has
    the keys of p; d_gate is (H,), or None without a gate.
    """
    part = {
        name: {kind: p[f"{name}.{kind}"] for kind in ("weight", "bias")}
        for name in ("query", "key", "value", "out")
    }
    q, k, v = (
        split_heads(x @ part[name]["weight"].T + part[name]["bias"], num_heads)
        for name in ("query", "key", "value")
    )
    visible = None if visible is None else visible[:, None]
    context, _ = attention(q, k, v, visible)  # (B, H, T, K)
    scale = 1.0 if gate is None else gate[:, None, None]
    d_joined, d_part = linear_backward(d_out, merge_heads(context * scale), part["out"])
    d_gated = split_heads(d_joined, num_heads)  # (B, H, T, K)
    d_gate = None if gate is None else (d_gated * context).sum((0, 2, 3))  # (H,)
    d_p, d_x = {f"out.{kind}": value for kind, value in d_part.items()}, np.zeros_like(x)
    for name, d_y in zip(("query", "key", "value"), attention_backward(d_gated * scale, q, k, v, visible)):
        d_input, d_part = linear_backward(merge_heads(d_y), x, part[name])
        d_x = d_x + d_input
        d_p |= {f"{name}.{kind}": value for kind, value in d_part.items()}
    return d_x, d_p, d_gate


def layer_norm_backward(
    d_out: np.ndarray, x: np.ndarray, p: Mapping[str, np.ndarray], eps: float = 1e-12
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the gradients (d_x, {"weight", "bias"}) for layer_norm(x, p, eps).

    d_out, x: (..., D); d_out is the loss's gradient for the output. The mean and the standard deviation of a
    row depend on all of its numbers, and LayerNorm removes both, so shifting or scaling a whole row has no
    effect: d_x has mean 0 and no component along the normalised row.
    """
    mean, std = x.mean(-1, keepdims=True), np.sqrt(x.var(-1, keepdims=True) + eps)  # (..., 1)
    normal = (x - mean) / std  # (..., D)
    d_normal = d_out * p["weight"]
    d_x = (
        d_normal - d_normal.mean(-1, keepdims=True) - normal * (d_normal * normal).mean(-1, keepdims=True)
    ) / std
    rows = tuple(range(x.ndim - 1))
    return d_x, {"weight": (d_out * normal).sum(rows), "bias": d_out.sum(rows)}


def cross_entropy_backward(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the gradient of cross_entropy(logits, labels) with respect to the logits.

    logits: (..., C); labels: (...) int. At each of the N counted positions, it is (probabilities - 1 at the
    label) / N; elsewhere, it is 0. Raises ValueError, like cross_entropy, if all labels are ignored.
    """
    counted = labels != IGNORE
    if not counted.any():
        raise ValueError(f"all {labels.size} labels are {IGNORE}, so there is nothing to average over")
    d_counted = softmax(logits[counted])  # (N, C)
    d_counted[np.arange(len(d_counted)), labels[counted]] -= 1
    d_logits = np.zeros_like(logits)
    d_logits[counted] = d_counted / len(d_counted)
    return d_logits
