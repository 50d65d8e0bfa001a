"""BERT's encoder in PyTorch, as in `minibert.reference.encoder`, plus dropout.

Devlin et al. (2019, arXiv 1810.04805), section 3 and appendix A.2. `fast` computes the same result faster.
Axes: B batch, T tokens, H heads, K head size, D hidden, F feed-forward, L layers.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..config import ModelConfig
from .attention import MultiHeadAttention


class Embeddings(nn.Module):
    """The sum of word, position and segment embeddings, followed by LayerNorm (figure 2)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.word = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor, position_ids: Tensor | None = None
    ) -> Tensor:
        """Embed ids (B, T) as vectors (B, T, D). position_ids: (B, T), or None for 0 to T - 1.

        Raises ValueError if the sequence is longer than the position table.
        """
        T, longest = input_ids.shape[1], self.position.num_embeddings
        if position_ids is None and longest < T:
            raise ValueError(f"a sequence of {T} tokens is longer than max_position_embeddings={longest}")
        position_ids = torch.arange(T, device=input_ids.device) if position_ids is None else position_ids
        x = self.word(input_ids) + self.position(position_ids) + self.token_type(token_type_ids)
        return self.dropout(self.norm(x))  # (B, T, D)


class FeedForward(nn.Module):
    """A feed-forward network that is applied to each token separately: D -> F, GELU, F -> D."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.gelu(self.up(x)))  # (B, T, F) -> (B, T, D)


class EncoderLayer(nn.Module):
    """An encoder layer: LayerNorm(x + attention(x)), then LayerNorm(x + feed_forward(x))."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.attention_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.feed_forward = FeedForward(config)
        self.feed_forward_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(
        self, x: Tensor, visible: Tensor | None = None, gate: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Transform x (B, T, D), and return (x (B, T, D), attention probabilities (B, H, T, T)).

        visible: (B, T, T) bool, or None; gate: (H,) factors for the attention heads, or None.
        """
        attended, probs = self.attention(x, visible, gate)
        x = self.attention_norm(x + self.dropout(attended))
        x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
        return x, probs  # (B, T, D), (B, H, T, T)


def init_weights(module: nn.Module, std: float) -> None:
    """Draw a module's matrix from normal(0, std), and set its bias to 0; a LayerNorm is unchanged."""
    # paper: the authors' code truncates the normal distribution at 2 std
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


class Encoder(nn.Module):
    """The Transformer encoder, independent of any objective or task."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.num_hidden_layers))
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def forward(
        self,
        input_ids: Tensor,
        visible: Tensor | None,
        token_type_ids: Tensor,
        gate: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> dict[str, Any]:
        """Encode ids and segment ids (B, T), and return all hidden states and attention probabilities.

        visible: (B, T, T) bool, like Hugging Face's `attention_mask` but for each query separately; gate: (L,
        H) or None; position_ids: see Embeddings. Returns {"hidden": (B, T, D), the last layer; "layers": L +
        1 tensors (B, T, D), beginning with the embeddings; "probs": L tensors (B, H, T, T)}.
        """
        x = self.embeddings(input_ids, token_type_ids, position_ids)
        hidden, probs = [x], []
        for i, layer in enumerate(self.layers):
            x, layer_probs = layer(x, visible, None if gate is None else gate[i])
            hidden.append(x)
            probs.append(layer_probs)
        return {"hidden": x, "layers": hidden, "probs": probs}
