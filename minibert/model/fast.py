"""A faster encoder with the same outputs, gradients and `state_dict` as `Encoder`.

All optimisations are in this file, each with its reason. Axes as in `encoder`; N is the number of selected
tokens.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..config import ModelConfig
from .attention import MultiHeadAttention, attention, merge_heads, split_heads
from .encoder import Encoder, EncoderLayer
from .fast_dropout import FastDropout
from .fast_dropout import dropout as drop


def attention_fast(
    q: Tensor, k: Tensor, v: Tensor, visible: Tensor | None = None, dropout: float = 0.0
) -> Tensor:
    """Compute the context of `attention` with the fastest kernel for the device of the tensors.

    Shapes as in `attention`; dropout: a probability. If a query may attend to no key, its context is
    undefined here; in `attention` it is the mean of all values.
    """
    # On the CPU in bfloat16, the fused kernel would make training 2 to 3 times slower.
    if q.device.type == "cpu" and q.dtype == torch.bfloat16:
        return attention_products(q, k, v, visible, dropout)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=visible, dropout_p=dropout)


def attention_products(
    q: Tensor, k: Tensor, v: Tensor, visible: Tensor | None = None, dropout: float = 0.0
) -> Tensor:
    """Compute the context of `attention` with two batched products, for bfloat16 on the CPU.

    Scaling and the attention mask are part of the first product, so they need no extra pass over the scores.
    The softmax is computed in float32, or in the dtype of the scores if that is wider. q: (B, H, T, K); k, v:
    (B, H, S, K); visible: bool, (B, 1, T, S) or broadcastable to (B, H, T, S), or None.
    """
    B, H, T, K = q.shape
    S = k.shape[2]
    q, k, v = (x.reshape(B * H, -1, K) for x in (q, k, v))  # (B * H, T or S, K)
    bias = q.new_zeros(1)
    if visible is not None:
        bias = bias.expand(visible.shape).masked_fill(~visible, torch.finfo(q.dtype).min)
    bias = bias.expand(B, H, T, S).reshape(B * H, T, S)  # 0, or practically -infinity
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=1 / math.sqrt(K))  # (B * H, T, S)
    # a softmax in bfloat16 is slower if S is not a multiple of 32
    wide = torch.promote_types(scores.dtype, torch.float32)
    probs = scores.softmax(dim=-1, dtype=wide).to(v.dtype)
    context = drop(probs, dropout) @ v  # (B * H, T, K)
    return context.view(B, H, T, K)


def none_if_all_visible(visible: Tensor | None) -> Tensor | None:
    """Return `visible` (..., T, S), or None if it is all True, so that a flash kernel can be used.

    Flash attention (Dao et al., 2022, arXiv 2205.14135) does not store the attention matrix, but its kernel
    accepts no mask. The values are only checked on the CPU: on a GPU the check would make the CPU wait, so
    there the caller passes None.
    """
    return None if visible is None or visible.device.type == "cpu" and bool(visible.all()) else visible


def select(x: Tensor, places: Tensor | None) -> Tensor:
    """Select tokens of x (B, T) or (B, T, D) as (N,) or (N, D). Without places, return x unchanged.

    places: (B, T) bool, or flat indices (N,), which do not require waiting for a GPU.
    """
    if places is None:
        return x
    return x[places] if places.dtype == torch.bool else x.flatten(0, 1).index_select(0, places)


def fast_attention(
    module: MultiHeadAttention,
    x: Tensor,
    visible: Tensor | None,
    gate: Tensor | None,
    with_probs: bool,
    places: Tensor | None,
) -> tuple[Tensor, Tensor | None]:
    """Compute multi-head self-attention with the weights of `module`, faster than the module itself.

    Returns (output (B, T, D), or (N, D) if `places` are given, see `select`; probs (B, H, T, T), or None
    without `with_probs`).
    """
    parts = (module.query, module.key, module.value)
    weight, bias = torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts])
    q, k, v = (
        split_heads(y, module.num_heads) for y in F.linear(x, weight, bias).chunk(3, dim=-1)
    )  # one product with (3D, D) instead of three products
    visible = None if visible is None else visible[:, None]
    probs = None
    if with_probs:
        context, probs = attention(q, k, v, visible, module.dropout)
    else:
        context = attention_fast(q, k, v, visible, module.dropout.p if module.training else 0.0)
    if gate is not None:
        context = context * gate[:, None, None]  # (B, H, T, K)
    return module.out(select(merge_heads(context), places)), probs


def fast_layer(
    layer: EncoderLayer,
    x: Tensor,
    visible: Tensor | None = None,
    gate: Tensor | None = None,
    with_probs: bool = False,
    places: Tensor | None = None,
) -> tuple[Tensor, Tensor | None]:
    """Run an encoder layer, as `layer(x, visible, gate)` does, but faster.

    Returns (x (B, T, D), or (N, D) if `places` are given, see `select`; probs (B, H, T, T), or None without
    `with_probs`).
    """
    p, training = layer.dropout.p, layer.training
    attended, probs = fast_attention(layer.attention, x, visible, gate, with_probs, places)
    x = layer.attention_norm(select(x, places) + drop(attended, p, training))
    x = layer.feed_forward_norm(x + drop(layer.feed_forward(x), p, training))
    return x, probs


class FastEncoder(Encoder):
    """An Encoder with the same parameters and outputs, but a much faster forward pass."""

    def __init__(self, config: ModelConfig):
        super().__init__(config)
        use_fast_dropout(self.embeddings)
        self.layer_pass: Callable = fast_layer  # training may wrap it, see `prepared_layers`

    @classmethod
    def of(cls, encoder: nn.Module) -> nn.Module:
        """Return a FastEncoder that shares the modules of a plain Encoder.

        Any other encoder is returned unchanged. The shared embeddings also get the fast dropout. Subclasses
        of Encoder have their own fast classes.
        """
        if type(encoder) is not Encoder:
            return encoder
        fast = cls.__new__(cls)
        nn.Module.__init__(fast)
        fast.config, fast.layer_pass = encoder.config, fast_layer
        fast.embeddings, fast.layers = encoder.embeddings, encoder.layers
        use_fast_dropout(fast.embeddings)
        return fast.train(encoder.training)

    def forward(
        self,
        input_ids: Tensor,
        visible: Tensor | None,
        token_type_ids: Tensor,
        gate: Tensor | None = None,
        position_ids: Tensor | None = None,
        *,
        with_probs: bool = False,
        wanted: Tensor | None = None,
    ) -> dict[str, Any]:
        """Encode like Encoder.forward, but "probs" is None unless `with_probs`.

        wanted: (B, T) bool, the tokens whose last hidden vector is needed, or None for all tokens. For the
        other tokens, the end of the last layer is not computed, because no other token depends on it; their
        last hidden vector is 0.
        """
        x = self.embeddings(input_ids, token_type_ids, position_ids)
        hidden, probs = [x], []
        visible = none_if_all_visible(visible)
        places = None if wanted is None else wanted.flatten().nonzero().flatten()  # (N,)
        layer_pass: Callable = self.layer_pass if self.training else fast_layer
        for i, layer in enumerate(self.layers):
            asked = places if i == len(self.layers) - 1 else None
            x, layer_probs = layer_pass(
                layer, x, visible, None if gate is None else gate[i], with_probs, asked
            )
            hidden.append(x)
            probs.append(layer_probs)
        if places is not None:
            B, T, D = hidden[0].shape
            hidden[-1] = x.new_zeros(B * T, D).index_copy(0, places, x).view(B, T, D)
        return {"hidden": hidden[-1], "layers": hidden, "probs": probs if with_probs else None}


def use_fast_dropout(module: nn.Module) -> None:
    """Replace each nn.Dropout inside `module` by FastDropout, which is several times faster on the CPU."""
    for parent in list(module.modules()):
        for name, child in parent.named_children():
            if type(child) is nn.Dropout:
                setattr(parent, name, FastDropout(child.p).train(child.training))
