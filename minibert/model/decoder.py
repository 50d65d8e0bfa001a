"""A Transformer decoder over the encoder's states, and the two joined: text in, another text out.

Vaswani et al. (2017, arXiv 1706.03762), sections 3.1 and 3.2.3; its place in BART: Lewis et al. (2020, arXiv
1910.13461), section 2.1. To the encoder's layer it adds attention over another sequence. Axes: S tokens of
the source, T of the target.
"""
from torch import nn

from .attention import MultiHeadAttention
from .dropout import Dropout
from .encoder import FeedForward, init_weights
from .heads import Model


class CrossAttention(MultiHeadAttention):
    """Encoder-decoder attention: queries from the target, keys and values from the source."""

    def forward(self, x, states, visible, with_probs=True):
        """x: (B, T, D); states: (B, S, D); visible: (B, T, S) bool. Returns (output (B, T, D), probs (B, H,
        T, S) or None).
        """
        return super().forward(x, visible, with_probs=with_probs, memory=states)


class DecoderLayer(nn.Module):
    """Self-attention, attention over the source, feed-forward; LayerNorm after each residual."""

    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.cross_attention = CrossAttention(config)
        self.feed_forward = FeedForward(config)
        self.attention_norm, self.cross_attention_norm, self.feed_forward_norm = (
            nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps) for _ in range(3))
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, x, states, visible, source_visible, with_probs=True):
        """Shapes as in Decoder.forward. Returns (x (B, T, D), probs of the source (B, H, T, S) or None)."""
        attended, _ = self.attention(x, visible, with_probs=with_probs)
        x = self.attention_norm(x + self.dropout(attended))
        attended, probs = self.cross_attention(x, states, source_visible, with_probs)
        x = self.cross_attention_norm(x + self.dropout(attended))
        x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
        return x, probs


class Decoder(nn.Module):
    """As many layers as the encoder, positions of its own, and no word embeddings: it is called with the
    encoder's.
    """

    def __init__(self, config):
        super().__init__()
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.num_hidden_layers))
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def forward(self, words, states, visible, source_visible, with_probs=False):
        """words: (B, T, D), the embedded target so far; states: (B, S, D), the encoder's last layer;
        visible: (B, T, T) bool, causal; source_visible: (B, T, S) bool, the source's real tokens.

        Returns {"hidden": (B, T, D), "probs": L tensors (B, H, T, S) over the source, or None without
        `with_probs`}. Raises ValueError for rows longer than the position table.
        """
        T, longest = words.shape[1], self.position.num_embeddings
        if T > longest:
            raise ValueError(f"a target of {T} tokens is longer than max_position_embeddings={longest}")
        x, probs = self.dropout(self.norm(words + self.position.weight[:T])), []    # (B, T, D)
        for layer in self.layers:
            x, layer_probs = layer(x, states, visible, source_visible, with_probs)
            probs.append(layer_probs)
        return {"hidden": x, "probs": probs if with_probs else None}


class WordHead(nn.Module):
    """hidden (..., D) -> logits (..., V) by the word embeddings alone; BART drops the transform that BERT
    puts before them.
    """

    def __init__(self, config, word_embeddings):
        super().__init__()
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)
        self.decoder.weight = word_embeddings.weight                            # tied

    def forward(self, hidden, counted=None):
        """counted: (B, T) bool; if given, only those positions are computed: logits (N, V)."""
        return self.decoder(hidden if counted is None else hidden[counted])


class EncoderDecoder(Model):
    """A Model whose heads read a decoder; encoder, decoder and output share one matrix of word embeddings."""

    def __init__(self, encoder, decoder, heads):
        super().__init__(encoder, heads)
        self.decoder = decoder

    def forward(self, input_ids, visible, token_type_ids, target_ids, target_visible, source_visible,
                counted=None):
        """Source: ids and segment ids (B, S), visible (B, S, S). Target: ids (B, T), each the word before the
        one to predict, target_visible (B, T, T), source_visible (B, T, S). counted: see WordHead.forward.
        Returns {head name: logits}."""
        states = self.encoder(input_ids, visible, token_type_ids)["hidden"]     # (B, S, D)
        words = self.encoder.embeddings.word(target_ids)                        # (B, T, D)
        hidden = self.decoder(words, states, target_visible, source_visible)["hidden"]      # (B, T, D)
        return {name: head(hidden, counted) for name, head in self.heads.items()}
