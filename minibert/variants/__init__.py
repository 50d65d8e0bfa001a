"""Encoders that came after BERT, each as what differs from BERT's, and their published weights."""
from ..model.electra import ReplacedHead
from .albert import AlbertEncoder, FactorisedConfig, FactorisedEmbeddings
from .electra import ElectraConfig, ElectraEncoder
from .fast import FastAlbertEncoder, FastElectraEncoder, FastRobertaEncoder
from .published import load_pretrained, save_pretrained
from .roberta import RobertaEncoder
from .sharing import share_layers
