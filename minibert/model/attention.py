"""Scaled dot-product attention and its heads in PyTorch; mirrors `minibert.reference.attention`.

Vaswani et al. (2017, arXiv 1706.03762), section 3.2. Adds dropout, and a fast twin of the readable function.
Axes: B batch, T queries, S keys, H heads, K head size, D hidden.
"""
import math

import torch
from torch import nn
from torch.nn import functional as F

from .dropout import dropout as drop


def attention(q, k, v, visible=None, dropout=0.0):
    """softmax(q k^T / sqrt(K)) v, equation (1): the readable path. Shapes as in the reference; `dropout` on
    the probs.

    Returns (context (..., T, K), probs (..., T, S)); the probs returned are those before dropout.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])                   # (..., T, S)
    if visible is not None:
        scores = scores.masked_fill(~visible, torch.finfo(scores.dtype).min)
    probs = scores.softmax(dim=-1)                                              # (..., T, S)
    context = F.dropout(probs, dropout, training=dropout > 0) @ v               # (..., T, K)
    return context, probs


def attention_fast(q, k, v, visible=None, dropout=0.0):
    """The context of `attention`, in the way that is fastest where the tensors are.

    A query that sees nothing has no defined context here; in `attention` it gets the mean of all values.
    """
    # there the fused kernel takes 2 to 3 times as long to train
    if q.device.type == "cpu" and q.dtype == torch.bfloat16:
        return attention_products(q, k, v, visible, dropout)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=visible, dropout_p=dropout)


def attention_products(q, k, v, visible=None, dropout=0.0):
    """The context of `attention` by two batched products; scaling and visibility cost no pass over the scores
    of their own.

    `attention_fast` takes it for bfloat16 on a processor alone. The softmax is taken in float32, or in a
    wider dtype if the scores are of that. Shapes (B, H, T, K), of k and v (B, H, S, K); visible: (B, 1, T, S)
    bool, or what broadcasts to (B, H, T, S), or None.
    """
    B, H, T, K = q.shape
    S = k.shape[2]
    q, k, v = (x.reshape(B * H, -1, K) for x in (q, k, v))                      # (B * H, T or S, K)
    bias = q.new_zeros(1)
    if visible is not None:
        bias = bias.expand(visible.shape).masked_fill(~visible, torch.finfo(q.dtype).min)
    bias = bias.expand(B, H, T, S).reshape(B * H, T, S)  # 0, or as good as minus infinity
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=1 / math.sqrt(K))  # (B * H, T, S)
    wide = torch.promote_types(scores.dtype, torch.float32)  # bfloat16's is slower where 32 divides not S
    probs = scores.softmax(dim=-1, dtype=wide).to(v.dtype)
    context = drop(probs, dropout) @ v                                          # (B * H, T, K)
    return context.view(B, H, T, K)


def none_hidden(visible):
    """visible (..., T, S) bool, or None where it hides nothing: a GPU's flash kernel takes no mask (Dao et
    al., 2022, 2205.14135).

    One look at the numbers, for which the caller waits: once a pass, not once a layer.
    """
    return None if visible is None or bool(visible.all()) else visible


def tokens_at(x, places):
    """x (B, T, D) as it is, or (N, D), its tokens at places (N,) among the B * T."""
    return x if places is None else x.flatten(0, 1).index_select(0, places)


def split_heads(x, num_heads):
    """(B, T, D) -> (B, H, T, K): each head gets K = D / H neighbouring columns."""
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"hidden size {D} is not a multiple of {num_heads} heads")
    return x.view(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    """(B, H, T, K) -> (B, T, D), the inverse of split_heads."""
    B, H, T, K = x.shape
    return x.transpose(1, 2).reshape(B, T, H * K)


class MultiHeadAttention(nn.Module):
    """Project to queries, keys and values, attend in each head, join the heads, project back (section
    3.2.2).
    """

    def __init__(self, config):
        super().__init__()
        D = config.hidden_size
        self.num_heads, self.dropout = config.num_attention_heads, config.attention_probs_dropout_prob
        self.query, self.key, self.value, self.out = (nn.Linear(D, D) for _ in range(4))

    def forward(self, x, visible=None, gate=None, with_probs=True, memory=None, places=None):
        """x: (B, T, D); visible: (B, T, S) bool; gate: (H,); memory: (B, S, D), None = x, hence S = T.

        Returns (output (B, T, D), or (N, D) of the tokens at `places`: see `tokens_at`; probs (B, H, T, S) or
        None).
        """
        if memory is None:
            weight = torch.cat([self.query.weight, self.key.weight,
                                self.value.weight])     # (3D, D): one product, not three
            bias = torch.cat([self.query.bias, self.key.bias, self.value.bias])             # (3D,)
            projected = F.linear(x, weight, bias).chunk(3, dim=-1)                          # 3 of (B, T, D)
        else:
            projected = self.query(x), self.key(memory), self.value(memory)  # (B, T, D), 2 of (B, S, D)
        q, k, v = (split_heads(y, self.num_heads) for y in projected)  # (B, H, T or S, K)
        visible = None if visible is None else visible[:, None]
        dropout = self.dropout if self.training else 0.0
        if with_probs:
            context, probs = attention(q, k, v, visible, dropout)
        else:
            context, probs = attention_fast(q, k, v, visible, dropout), None
        if gate is not None:
            context = context * gate[:, None, None]                             # (B, H, T, K)
        return self.out(tokens_at(merge_heads(context), places)), probs
