"""An encoder with its LayerNorms before the sublayers, as in most models after BERT.

Xiong et al. (2020, arXiv 2002.04745), section 3. In `encoder`, they come after the residual connections.
"""

from typing import Any

from torch import Tensor, nn

from ..config import ModelConfig
from .encoder import Encoder, EncoderLayer


class PreNormEncoderLayer(EncoderLayer):
    """A pre-norm layer: x + attention(LayerNorm(x)), then x + feed_forward(LayerNorm(x))."""

    def forward(
        self, x: Tensor, visible: Tensor | None = None, gate: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        attended, probs = self.attention(self.attention_norm(x), visible, gate)
        x = x + self.dropout(attended)
        x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        return x, probs  # (B, T, D), (B, H, T, T)


class PreNormEncoder(Encoder):
    """An encoder of pre-norm layers, with an additional LayerNorm at the end."""

    layer = PreNormEncoderLayer

    def __init__(self, config: ModelConfig):
        super().__init__(config)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(
        self,
        input_ids: Tensor,
        visible: Tensor | None,
        token_type_ids: Tensor,
        gate: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> dict[str, Any]:
        """Encode like Encoder.forward, but normalise only "hidden" and the last of "layers"."""
        out = super().forward(input_ids, visible, token_type_ids, gate, position_ids)
        hidden = self.norm(out["hidden"])  # (B, T, D)
        return {**out, "hidden": hidden, "layers": [*out["layers"][:-1], hidden]}
