"""Two-stream attention: one encoder's weights read a text in any order and predict each token without seeing
it.

Yang et al. (2019, arXiv 1906.08237), section 2.3 and figure 1. `Model` has one stream; this file runs a
second one, which knows where it is but not what stands there, through the same layers. # paper: relative
positions and the memory of Transformer-XL (section 2.4); here BERT's learned positions, no memory
"""
import torch
from torch import nn

from .attention import attention_fast, merge_heads, split_heads
from .encoder import PreNormEncoder
from .heads import Model


def attend(attention, queries, states, visible):
    """The attention of one layer with queries from one stream, keys and values from the other.

    attention: MultiHeadAttention; queries: (B, T, D); states: (B, S, D); visible: (B, T, S) bool. A query
    that sees nothing gets the context 0, not the mean of what it may not see. Returns (B, T, D).
    """
    q, k, v = (split_heads(linear(x), attention.num_heads) for linear, x in
               ((attention.query, queries), (attention.key, states),
                (attention.value, states)))    # (B, H, T, K)
    blind = ~visible.any(-1, keepdim=True)[:, None]                             # (B, 1, T, 1)
    dropout = attention.dropout if attention.training else 0.0
    # the kernel has no answer for an empty row
    context = attention_fast(q, k, v, visible[:, None] | blind, dropout)
    return attention.out(merge_heads(context.masked_fill(blind, 0.0)))


def two_stream_layer(layer, content, query, visible, query_visible):
    """One EncoderLayer on both streams; queries look at the content below, never at queries. Returns
    (content, query).
    """
    attended = attend(layer.attention, query, content, query_visible)           # (B, T, D)
    query = layer.attention_norm(query + layer.dropout(attended))
    query = layer.feed_forward_norm(query + layer.dropout(layer.feed_forward(query)))
    content, _ = layer(content, visible, with_probs=False)
    return content, query                                                       # (B, T, D) each


class TwoStream(Model):
    """A Model whose heads read the query stream. The encoder stays an ordinary one, to be fine-tuned with its
    content stream.

    Raises ValueError for a PreNormEncoder: the query stream's norms come after the residuals.
    """

    def __init__(self, encoder, heads):
        super().__init__(encoder, heads)
        if isinstance(encoder, PreNormEncoder):
            raise ValueError("PreNormEncoder has its norms before the sublayers; the query stream has them "
                             "after the residuals")
        config = encoder.config
        self.start = nn.Parameter(
            torch.randn(config.hidden_size) * config.initializer_range)      # w of the paper

    def streams(self, input_ids, visible, query_visible, token_type_ids):
        """Ids (B, T), both visibilities (B, T, T) bool, see `permutation_visible`. Returns (content, query),
        (B, T, D) each.
        """
        embeddings = self.encoder.embeddings
        content = embeddings(input_ids, token_type_ids)                         # (B, T, D)
        # (T, D) # paper: relative segments (2.5)
        query = self.start + embeddings.position.weight[:input_ids.shape[1]]
        query = embeddings.dropout(embeddings.norm(query).expand_as(content))   # (B, T, D)
        for layer in self.encoder.layers:
            content, query = two_stream_layer(layer, content, query, visible, query_visible)
        return content, query

    def forward(self, input_ids, visible, query_visible, token_type_ids, counted=None):
        """As `streams`; counted: see TokenHead.forward. Returns {head name: logits}."""
        _, query = self.streams(input_ids, visible, query_visible, token_type_ids)
        return {name: head(query, counted) for name, head in self.heads.items()}
