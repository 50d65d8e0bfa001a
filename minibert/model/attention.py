"""Scaled dot-product attention and multi-head attention in PyTorch, as in `minibert.reference.attention`.

Vaswani et al. (2017, arXiv 1706.03762), section 3.2. Unlike the reference, it has dropout. Axes: B batch, T
queries, S keys, H heads, K head size, D hidden.
"""

import math

import torch
from torch import Tensor, nn

from ..config import ModelConfig

NO_DROPOUT = nn.Identity()


def attention(
    q: Tensor, k: Tensor, v: Tensor, visible: Tensor | None = None, dropout: nn.Module = NO_DROPOUT
) -> tuple[Tensor, Tensor]:
    """Compute scaled dot-product attention: softmax(q k^T / sqrt(K)) v, equation (1).

    q: (..., T, K); k, v: (..., S, K); visible: bool, broadcast to (..., T, S), True = query t may attend to
    key s; dropout: applied to the probabilities. Returns (context (..., T, K), probs (..., T, S) before
    dropout).
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, S)
    if visible is not None:
        scores = scores.masked_fill(~visible, torch.finfo(scores.dtype).min)
    probs = scores.softmax(dim=-1)  # (..., T, S)
    context = dropout(probs) @ v  # (..., T, K)
    return context, probs


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Split the hidden dimension into heads of K = D / H adjacent columns: (B, T, D) -> (B, H, T, K).

    Raises ValueError if D is not a multiple of `num_heads`.
    """
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"hidden size {D} is not a multiple of {num_heads} heads")
    return x.view(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """Concatenate the heads: (B, H, T, K) -> (B, T, D). This is the inverse of `split_heads`."""
    B, H, T, K = x.shape
    return x.transpose(1, 2).reshape(B, T, H * K)


class MultiHeadAttention(nn.Module):
    """Multi-head attention: projections, attention in each head, and an output projection (3.2.2)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        D = config.hidden_size
        self.num_heads = config.num_attention_heads
        self.query, self.key, self.value, self.out = (nn.Linear(D, D) for _ in range(4))
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def forward(
        self,
        x: Tensor,
        visible: Tensor | None = None,
        gate: Tensor | None = None,
        memory: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Attend from x (B, T, D) to memory (B, S, D), or to x itself (self-attention) if memory is None.

        visible: (B, T, S) bool, or None; gate: (H,) factors for the contexts of the heads, where 0 removes a
        head. Returns (output (B, T, D), probs (B, H, T, S)).
        """
        memory = x if memory is None else memory
        q, k, v = (
            split_heads(project(y), self.num_heads)
            for project, y in ((self.query, x), (self.key, memory), (self.value, memory))
        )  # (B, H, T or S, K)
        context, probs = attention(q, k, v, None if visible is None else visible[:, None], self.dropout)
        if gate is not None:
            context = context * gate[:, None, None]  # (B, H, T, K)
        return self.out(merge_heads(context)), probs
