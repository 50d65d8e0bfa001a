"""Two-stream attention: one encoder reads a text in any order and predicts tokens without seeing them.

Yang et al. (2019, arXiv 1906.08237), section 2.3 and figure 1. `Model` has one stream; here a second one,
which knows its position but not which token stands there, goes through the same layers.
# paper: relative positions and the memory of Transformer-XL (section 2.4); here BERT's learned positions
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from .attention import MultiHeadAttention, merge_heads, split_heads
from .encoder import EncoderLayer
from .fast import attention_fast, fast_layer
from .fast_dropout import dropout
from .heads import Backbone, Model
from .pre_norm import PreNormEncoder


def attend(attention: MultiHeadAttention, queries: Tensor, states: Tensor, visible: Tensor) -> Tensor:
    """Attend from queries (B, T, D) of one stream to states (B, S, D) of the other.

    visible: (B, T, S) bool. A query that sees nothing gets the context 0, not the mean of what it may not
    see. Returns (B, T, D).
    """
    parts = (attention.query, queries), (attention.key, states), (attention.value, states)
    q, k, v = (split_heads(linear(x), attention.num_heads) for linear, x in parts)  # (B, H, T or S, K)
    blind = ~visible.any(-1, keepdim=True)[:, None]  # (B, 1, T, 1)
    p = attention.dropout.p if attention.training else 0.0
    # the kernel is not defined for a query that sees nothing
    context = attention_fast(q, k, v, visible[:, None] | blind, p)
    return attention.out(merge_heads(context.masked_fill(blind, 0.0)))


def two_stream_layer(
    layer: EncoderLayer, content: Tensor, query: Tensor, visible: Tensor, query_visible: Tensor
) -> tuple[Tensor, Tensor]:
    """Run one layer on both streams, (B, T, D) each; queries look at the content below, never at queries."""
    p, training = layer.dropout.p, layer.training
    attended = attend(layer.attention, query, content, query_visible)  # (B, T, D)
    query = layer.attention_norm(query + dropout(attended, p, training))
    query = layer.feed_forward_norm(query + dropout(layer.feed_forward(query), p, training))
    content, _ = fast_layer(layer, content, visible)
    return content, query  # (B, T, D) each


class TwoStream(Model):
    """A Model whose heads read the query stream; fine-tuning uses the content stream alone.

    Raises ValueError for a PreNormEncoder: the query stream's norms come after the residuals.
    """

    takes_no_mask = False

    def __init__(self, encoder: Backbone, heads: Mapping[str, nn.Module]):
        super().__init__(encoder, heads)
        if isinstance(encoder, PreNormEncoder):
            raise ValueError(
                "PreNormEncoder has its norms before the sublayers; the query stream has them "
                "after the residuals"
            )
        config = encoder.config
        # w of the paper
        self.start = nn.Parameter(torch.randn(config.hidden_size) * config.initializer_range)
        self.layer_pass: Callable = two_stream_layer  # training may wrap it, see `prepared_layers`

    def streams(
        self, input_ids: Tensor, visible: Tensor, query_visible: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return (content, query), (B, T, D) each, of ids (B, T).

        Both attention masks are (B, T, T) bool, see `permutation_visible`.
        """
        embeddings = self.encoder.embeddings
        content = embeddings(input_ids, token_type_ids)  # (B, T, D)
        place = embeddings.position.weight[: input_ids.shape[1]]  # (T, D)  # paper: relative segments (2.5)
        query = embeddings.dropout(embeddings.norm(self.start + place).expand_as(content))  # (B, T, D)
        layer_pass = self.layer_pass if self.training else two_stream_layer
        for layer in self.encoder.layers:
            content, query = layer_pass(layer, content, query, visible, query_visible)
        return content, query

    # overrides Model.forward with another signature: two streams need two attention masks
    def forward(  # type: ignore[override]
        self,
        input_ids: Tensor,
        visible: Tensor,
        query_visible: Tensor,
        token_type_ids: Tensor,
        counted: Tensor | None = None,
    ) -> dict[str, Tensor]:
        """Arguments as of `streams`; counted: see TokenHead.forward. Returns {head name: logits}."""
        _, query = self.streams(input_ids, visible, query_visible, token_type_ids)
        return {name: head(query, counted) for name, head in self.heads.items()}
