"""Encoders that came after BERT, each as what differs from BERT's."""

from ..electra import ReplacedHead
from .albert import AlbertEncoder, FactorisedConfig, FactorisedEmbeddings
from .electra import ElectraConfig, ElectraEncoder
from .fast import FastAlbertEncoder, FastElectraEncoder, FastRobertaEncoder
from .roberta import RobertaEncoder
from .sharing import share_layers
