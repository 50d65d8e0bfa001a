"""ELECTRA's trunk, of the discriminator and of the small generator beside it, and the discriminator's head.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2. The trunk is BERT's with ALBERT's factorised embeddings, where E
is not D: a generator shares the embeddings of a discriminator that is wider than itself.
"""
from dataclasses import dataclass

from torch import nn
from torch.nn import functional as F

from ..model.encoder import Encoder, init_weights
from .albert import FactorisedConfig, FactorisedEmbeddings


@dataclass(frozen=True)
class ElectraConfig(FactorisedConfig):
    """FactorisedConfig with BERT's exact GELU, the only one that is read."""

    hidden_act: str = "gelu"


class ElectraEncoder(Encoder):
    """config: ElectraConfig."""

    def __init__(self, config):
        super().__init__(config)
        if config.embedding_size != config.hidden_size:
            self.embeddings = FactorisedEmbeddings(config)
            self.embeddings.apply(lambda module: init_weights(module, config.initializer_range))


class ReplacedHead(nn.Module):
    """hidden (B, T, D) -> logits (B, T) of "a generator put this token here"; its name in a Model is `replaced`."""

    def __init__(self, config):
        super().__init__()
        self.transform = nn.Linear(config.hidden_size, config.hidden_size)
        self.classifier = nn.Linear(config.hidden_size, 1)

    def forward(self, hidden):
        return self.classifier(F.gelu(self.transform(hidden))).squeeze(-1)
