"""Two-stream attention: an encoder reads a text in any order and predicts tokens that it cannot see.

Yang et al. (2019, arXiv 1906.08237), section 2.3 and figure 1. Unlike `Model`, it has a second stream, which
knows its position but not the token there, and goes through the same layers.
"""
# paper: relative positions and the memory of Transformer-XL (section 2.4); here BERT's learned positions

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from .attention import MultiHeadAttention, merge_heads, split_heads
from .encoder import EncoderLayer
from .fast import attention_fast, fast_layer
from .fast_dropout import dropout
from .heads import Backbone, Model


def attend(attention: MultiHeadAttention, queries: Tensor, states: Tensor, visible: Tensor) -> Tensor:
    """Attend from the queries (B, T, D) of one stream to the states (B, S, D) of the other.

    visible: (B, T, S) bool. If a query may attend to nothing, its context is 0. Returns (B, T, D).
    """
    parts = (attention.query, queries), (attention.key, states), (attention.value, states)
    q, k, v = (split_heads(linear(x), attention.num_heads) for linear, x in parts)  # (B, H, T or S, K)
    blind = ~visible.any(-1, keepdim=True)[:, None]  # (B, 1, T, 1)
    p = attention.dropout.p if attention.training else 0.0
    # the kernel is undefined for a query that may attend to nothing
    context = attention_fast(q, k, v, visible[:, None] | blind, p)
    return attention.out(merge_heads(context.masked_fill(blind, 0.0)))


def two_stream_layer(
    layer: EncoderLayer, content: Tensor, query: Tensor, visible: Tensor, query_visible: Tensor
) -> tuple[Tensor, Tensor]:
    """Run one layer on both streams, and return the new (content, query), each (B, T, D).

    Both streams attend to the content stream only. visible, query_visible: their masks, (B, T, T) bool.
    """
    p, training = layer.dropout.p, layer.training
    attended = attend(layer.attention, query, content, query_visible)  # (B, T, D)
    query = layer.attention_norm(query + dropout(attended, p, training))
    query = layer.feed_forward_norm(query + dropout(layer.feed_forward(query), p, training))
    content, _ = fast_layer(layer, content, visible)
    return content, query  # (B, T, D) each


class TwoStream(Model):
    """A model whose output heads use the query stream; fine-tuning uses only the content stream."""

    mask_optional = False

    def __init__(self, encoder: Backbone, heads: Mapping[str, nn.Module]):
        super().__init__(encoder, heads)
        config = encoder.config
        # w in the paper
        self.start = nn.Parameter(torch.randn(config.hidden_size) * config.initializer_range)
        self.layer_pass: Callable = two_stream_layer  # training may wrap it, see `prepared_layers`

    def streams(
        self, input_ids: Tensor, visible: Tensor, query_visible: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return (content, query), each (B, T, D), for ids (B, T).

        Both attention masks are (B, T, T) bool; see `permutation_visible`.
        """
        embeddings = self.encoder.embeddings
        content = embeddings(input_ids, token_type_ids)  # (B, T, D)
        place = embeddings.position.weight[: input_ids.shape[1]]  # (T, D)  # paper: relative segments (2.5)
        query = embeddings.dropout(embeddings.norm(self.start + place).expand_as(content))  # (B, T, D)
        layer_pass = self.layer_pass if self.training else two_stream_layer
        for layer in self.encoder.layers:
            content, query = layer_pass(layer, content, query, visible, query_visible)
        return content, query

    # overrides Model.forward with another signature, because two streams need two attention masks
    def forward(  # type: ignore[override]
        self,
        input_ids: Tensor,
        visible: Tensor,
        query_visible: Tensor,
        token_type_ids: Tensor,
        counted: Tensor | None = None,
    ) -> dict[str, Tensor]:
        """Return {head name: logits}; see `streams` and, for `counted`, TokenHead.forward."""
        _, query = self.streams(input_ids, visible, query_visible, token_type_ids)
        return {name: head(query, counted) for name, head in self.heads.items()}
