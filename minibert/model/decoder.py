"""A Transformer decoder over the states of an encoder, and an encoder-decoder model.

Vaswani et al. (2017, arXiv 1706.03762), sections 3.1 and 3.2.3; as part of BART: Lewis et al. (2020, arXiv
1910.13461), section 2.1. A decoder layer is an encoder layer with additional attention over another sequence.
Axes: S tokens of the source, T tokens of the target.
"""

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn

from ..config import ModelConfig
from .attention import MultiHeadAttention
from .encoder import FeedForward, init_weights
from .fast import select
from .heads import Backbone, Model


class DecoderLayer(nn.Module):
    """A decoder layer: self-attention, cross-attention, feed-forward, each with residual and LayerNorm."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.cross_attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.attention_norm, self.cross_attention_norm, self.feed_forward_norm = (
            nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps) for _ in range(3)
        )
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(
        self, x: Tensor, states: Tensor, visible: Tensor, source_visible: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return (new x (B, T, D), attention probabilities over the source (B, H, T, S)).

        For the arguments, see Decoder.forward, where `words` corresponds to x.
        """
        attended, _ = self.attention(x, visible)
        x = self.attention_norm(x + self.dropout(attended))
        attended, probs = self.cross_attention(x, source_visible, memory=states)
        x = self.cross_attention_norm(x + self.dropout(attended))
        x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
        return x, probs


def run_layer(layer: DecoderLayer, *inputs: Tensor) -> tuple[Tensor, Tensor]:
    return layer(*inputs)


class Decoder(nn.Module):
    """A Transformer decoder with learned positions, whose inputs are word embeddings."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.num_hidden_layers))
        self.layer_pass: Callable = run_layer  # training may wrap it, see `prepared_layers`
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def forward(
        self, words: Tensor, states: Tensor, visible: Tensor, source_visible: Tensor
    ) -> dict[str, Any]:
        """Decode words (B, T, D), the embedded target so far, given the encoder's states (B, S, D).

        visible: (B, T, T) bool, causal; source_visible: (B, T, S) bool, the non-padding tokens of the source.
        Returns {"hidden": (B, T, D), "probs": L tensors (B, H, T, S) over the source}. Raises ValueError if
        the target is longer than the position table.
        """
        T, longest = words.shape[1], self.position.num_embeddings
        if longest < T:
            raise ValueError(f"a target of {T} tokens is longer than max_position_embeddings={longest}")
        x, probs = self.dropout(self.norm(words + self.position.weight[:T])), []  # (B, T, D)
        layer_pass: Callable = self.layer_pass if self.training else run_layer
        for layer in self.layers:
            x, layer_probs = layer_pass(layer, x, states, visible, source_visible)
            probs.append(layer_probs)
        return {"hidden": x, "probs": probs}


class TiedOutputHead(nn.Module):
    """An output head that uses only the word embeddings, as in BART; BERT applies a transform first."""

    def __init__(self, config: ModelConfig, word_embeddings: nn.Embedding):
        super().__init__()
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)
        self.decoder.weight = word_embeddings.weight  # tied

    def forward(self, hidden: Tensor, counted: Tensor | None = None) -> Tensor:
        """Compute logits: hidden (B, T, D) -> (B, T, V). counted: see TokenHead.forward."""
        return self.decoder(select(hidden, counted))


class EncoderDecoder(Model):
    """A Model whose heads read the decoder's states; encoder, decoder and output share word embeddings."""

    def __init__(self, encoder: Backbone, decoder: Decoder, heads: Mapping[str, nn.Module]):
        super().__init__(encoder, heads)
        self.decoder = decoder

    # overrides Model.forward with another signature, because the target has its own arguments
    def forward(  # type: ignore[override]
        self,
        input_ids: Tensor,
        visible: Tensor,
        token_type_ids: Tensor,
        target_ids: Tensor,
        target_visible: Tensor,
        source_visible: Tensor,
        counted: Tensor | None = None,
    ) -> dict[str, Tensor]:
        """Return {head name: logits} for each target word, given the source and the words before it.

        Source: ids and segment ids (B, S), visible (B, S, S). Target: ids (B, T), shifted so that each is the
        word before the one to predict; target_visible (B, T, T); source_visible (B, T, S). counted: see
        TiedOutputHead.forward.
        """
        states = self.encoder(input_ids, visible, token_type_ids)["hidden"]  # (B, S, D)
        words = self.encoder.embeddings.word(target_ids)  # (B, T, D)
        hidden = self.decoder(words, states, target_visible, source_visible)["hidden"]  # (B, T, D)
        return {name: head(hidden, counted) for name, head in self.heads.items()}
