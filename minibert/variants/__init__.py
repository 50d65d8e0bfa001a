<<<<<<< HEAD
"""Models after BERT, each as the encoder that differs from BERT's, and their published weights."""
=======
"""Encoders that came after BERT, each as what differs from BERT's, and their published weights."""
>>>>>>> training
from ..model.electra import ReplacedHead
from .albert import AlbertEncoder, FactorisedConfig, FactorisedEmbeddings
from .electra import ElectraConfig, ElectraEncoder
from .fast import FastAlbertEncoder, FastElectraEncoder, FastRobertaEncoder
from .published import load_pretrained, save_pretrained
from .roberta import RobertaEncoder
