"""ALBERT's encoder: word embeddings narrower than the hidden states, and one layer applied L times.

Lan et al. (2019, arXiv 1909.11942), section 3.1. ALBERT's third change, sentence order prediction, is an
objective (`minibert.objectives.sop`).
"""

import dataclasses
from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn import functional as F

from minibert.config import ModelConfig

from ..encoder import Embeddings, Encoder, FeedForward, init_weights

GELU = {"gelu": "none", "gelu_new": "tanh"}  # Hugging Face's name -> PyTorch's


@dataclass(frozen=True)
class FactorisedConfig(ModelConfig):
    """The sizes of an ALBERT model: BERT's, the width E of the word embeddings, and the activation function.

    Raises ValueError like ModelConfig, and if the activation is not one of the two versions of GELU.
    """

    embedding_size: int = 128  # E
    hidden_act: str = "gelu_new"  # or "gelu"; the published models use the tanh approximation

    def __post_init__(self):
        super().__post_init__()
        if self.hidden_act not in GELU:
            raise ValueError(f"hidden_act={self.hidden_act!r} is not one of {', '.join(GELU)}")

    @property
    def gelu(self) -> str:  # type: ignore[override]  # ModelConfig has a constant
        """Return PyTorch's name for the GELU: "none" for the exact one, "tanh" for the approximation."""
        return GELU[self.hidden_act]


class FactorisedEmbeddings(Embeddings):
    """BERT's embeddings of width E, projected to D; word embeddings take E (V + D) parameters, not V D."""

    def __init__(self, config: FactorisedConfig):
        super().__init__(
            dataclasses.replace(config, hidden_size=config.embedding_size, num_attention_heads=1)
        )
        self.project = nn.Linear(config.embedding_size, config.hidden_size)

    def narrow(self, input_ids: Tensor, token_type_ids: Tensor, position_ids: Tensor | None = None) -> Tensor:
        """Embed ids (B, T) as vectors (B, T, E), before the projection."""
        return super().forward(input_ids, token_type_ids, position_ids)

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor, position_ids: Tensor | None = None
    ) -> Tensor:
        """Embed ids (B, T) as vectors (B, T, D)."""
        return self.project(self.narrow(input_ids, token_type_ids, position_ids))  # (B, T, E) -> (B, T, D)


class AlbertFeedForward(FeedForward):
    """A feed-forward network with the GELU version from the configuration."""

    def __init__(self, config: FactorisedConfig):
        super().__init__(config)
        self.gelu = config.gelu

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.gelu(self.up(x), approximate=self.gelu))  # (B, T, F) -> (B, T, D)


class AlbertEncoder(Encoder):
    """BERT's encoder with one layer applied L times; its gradient is the sum over all L applications."""

    def __init__(self, config: FactorisedConfig):
        super().__init__(config.replace(num_hidden_layers=1))
        self.config, layer = config, self.layers[0]
        self.embeddings = FactorisedEmbeddings(config)
        layer.feed_forward = AlbertFeedForward(config)
        self.layers = nn.ModuleList([layer] * config.num_hidden_layers)
        self.apply(lambda module: init_weights(module, config.initializer_range))
