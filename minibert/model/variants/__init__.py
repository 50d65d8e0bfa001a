"""Encoders of later models, each implemented by its differences from BERT's encoder."""

from ..electra import ReplacedHead
from .albert import AlbertEncoder, FactorisedConfig, FactorisedEmbeddings
from .electra import ElectraConfig, ElectraEncoder
from .fast import FastAlbertEncoder, FastElectraEncoder, FastRobertaEncoder
from .roberta import RobertaEncoder
from .sharing import share_layers
