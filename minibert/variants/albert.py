"""ALBERT's encoder: word embeddings narrower than the hidden states, and one layer applied L times.

Lan et al. (2019, arXiv 1909.11942), section 3.1. `minibert.model.encoder` has V x D word embeddings and L
<<<<<<< HEAD
different layers; here the embeddings are V x E and E x D, and there is one layer. ALBERT's third change,
sentence order, is an objective and not part of the encoder.
=======
different layers; here there are V x E and E x D numbers, and one layer. ALBERT's third change, sentence order
prediction, is an objective (`minibert.objectives.sop`).
>>>>>>> training
"""
import dataclasses
from dataclasses import dataclass

<<<<<<< HEAD
import torch
from torch import nn
=======
from torch import Tensor, nn
>>>>>>> training
from torch.nn import functional as F

from ..config import ModelConfig
from ..model.encoder import Embeddings, Encoder, FeedForward, init_weights

GELU = {"gelu": "none", "gelu_new": "tanh"}     # Hugging Face's word -> PyTorch's


@dataclass(frozen=True)
class FactorisedConfig(ModelConfig):
<<<<<<< HEAD
    """ModelConfig with E and a choice of two GELUs. Raises ValueError for any other activation."""
=======
    """ModelConfig with E, the width of ALBERT's word embeddings, and its activation.

    Raises ValueError as ModelConfig does, and for another activation than GELU's two.
    """
>>>>>>> training

    embedding_size: int = 128                   # E
    hidden_act: str = "gelu_new"                # or "gelu"; the published models use the tanh approximation

    def __post_init__(self):
        super().__post_init__()
        if self.hidden_act not in GELU:
            raise ValueError(f"hidden_act={self.hidden_act!r} is not one of {', '.join(GELU)}")

    @property
<<<<<<< HEAD
    def gelu(self) -> str:  # type: ignore[override]  # in ModelConfig a constant of the class
        """PyTorch's word for the activation; the token head reads it, too."""
=======
    def gelu(self) -> str:      # type: ignore[override]  # ModelConfig has a constant
        """The activation as the argument `approximate` of PyTorch's GELU; the token head reads it too."""
>>>>>>> training
        return GELU[self.hidden_act]


class FactorisedEmbeddings(Embeddings):
    """BERT's embeddings of width E, projected to D: E (V + D) parameters for the words, not V D."""

<<<<<<< HEAD
    def __init__(self, config: FactorisedConfig) -> None:
=======
    def __init__(self, config: FactorisedConfig):
>>>>>>> training
        super().__init__(dataclasses.replace(config, hidden_size=config.embedding_size,
                                             num_attention_heads=1))
        self.project = nn.Linear(config.embedding_size, config.hidden_size)

<<<<<<< HEAD
    def narrow(self, input_ids: torch.Tensor, token_type_ids: torch.Tensor,
               position_ids: torch.Tensor | None = None) -> torch.Tensor:
        """The embeddings before the projection, (B, T, E): ELECTRA's generator shares them."""
        return super().forward(input_ids, token_type_ids, position_ids)

    def forward(self, input_ids: torch.Tensor, token_type_ids: torch.Tensor,
                position_ids: torch.Tensor | None = None) -> torch.Tensor:
        """Embed ids (B, T) as (B, T, D); arguments are those of BERT's embeddings."""
        narrow = self.narrow(input_ids, token_type_ids, position_ids)
        return self.project(narrow)                                  # (B, T, E) -> (B, T, D)
=======
    def narrow(self, input_ids: Tensor, token_type_ids: Tensor,
               position_ids: Tensor | None = None) -> Tensor:
        """Embed ids (B, T) as vectors (B, T, E), before the projection: ELECTRA's generator shares these."""
        return super().forward(input_ids, token_type_ids, position_ids)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor,
                position_ids: Tensor | None = None) -> Tensor:
        """Embed ids (B, T) as vectors (B, T, D)."""
        return self.project(self.narrow(input_ids, token_type_ids, position_ids))   # (B, T, E) -> (B, T, D)
>>>>>>> training


class AlbertFeedForward(FeedForward):
    """The feed-forward layer, with the GELU that the configuration names."""

<<<<<<< HEAD
    def __init__(self, config: FactorisedConfig) -> None:
        super().__init__(config)
        self.gelu = config.gelu

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform each token on its own, (B, T, D) to (B, T, D)."""
=======
    def __init__(self, config: FactorisedConfig):
        super().__init__(config)
        self.gelu = config.gelu

    def forward(self, x: Tensor) -> Tensor:
        """Transform x (B, T, D) -> (B, T, D)."""
>>>>>>> training
        return self.down(F.gelu(self.up(x), approximate=self.gelu))             # (B, T, F) -> (B, T, D)


class AlbertEncoder(Encoder):
    """BERT's encoder with one layer applied L times; its gradient is the sum over all its uses."""

<<<<<<< HEAD
    def __init__(self, config: FactorisedConfig) -> None:
=======
    def __init__(self, config: FactorisedConfig):
>>>>>>> training
        super().__init__(config.replace(num_hidden_layers=1))
        self.config, layer = config, self.layers[0]
        self.embeddings = FactorisedEmbeddings(config)
        layer.feed_forward = AlbertFeedForward(config)
        self.layers = nn.ModuleList([layer] * config.num_hidden_layers)
        self.apply(lambda module: init_weights(module, config.initializer_range))
