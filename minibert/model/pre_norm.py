"""The encoder with its LayerNorms before the sublayers, as most models after BERT have them.

Xiong et al. (2020, arXiv 2002.04745), section 3. `encoder` has them after the residuals.
"""

from typing import Any

from torch import Tensor, nn

from ..config import ModelConfig
from .encoder import Encoder, EncoderLayer


class PreNormEncoderLayer(EncoderLayer):
    """x + attention(LayerNorm(x)), then x + feed_forward(LayerNorm(x)): no LayerNorm on the residual path."""

    def forward(
        self, x: Tensor, visible: Tensor | None = None, gate: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Transform x; arguments and result as of EncoderLayer.forward."""
        attended, probs = self.attention(self.attention_norm(x), visible, gate)
        x = x + self.dropout(attended)
        x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        return x, probs  # (B, T, D), (B, H, T, T)


class PreNormEncoder(Encoder):
    """An encoder of pre-norm layers, with one more LayerNorm at the end."""

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
        """Encode as Encoder.forward; "hidden" and the last of "layers" are normalised, the others are not."""
        out = super().forward(input_ids, visible, token_type_ids, gate, position_ids)
        hidden = self.norm(out["hidden"])  # (B, T, D)
        return {**out, "hidden": hidden, "layers": [*out["layers"][:-1], hidden]}
