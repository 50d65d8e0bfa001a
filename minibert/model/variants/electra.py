"""ELECTRA's encoder, for the discriminator and the small generator.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2. It is BERT's encoder, with ALBERT's factorised
embeddings if E differs from D: a generator shares the embeddings of a wider discriminator.
"""

from dataclasses import dataclass

from ..encoder import Encoder, init_weights
from .albert import FactorisedConfig, FactorisedEmbeddings


@dataclass(frozen=True)
class ElectraConfig(FactorisedConfig):
    """The sizes of an ELECTRA model: like ALBERT's, but with BERT's exact GELU."""

    hidden_act: str = "gelu"


class ElectraEncoder(Encoder):
    """BERT's encoder, with factorised embeddings if their width differs from the hidden size."""

    def __init__(self, config: ElectraConfig):
        super().__init__(config)
        if config.embedding_size != config.hidden_size:
            self.embeddings = FactorisedEmbeddings(config)
            self.embeddings.apply(lambda module: init_weights(module, config.initializer_range))
