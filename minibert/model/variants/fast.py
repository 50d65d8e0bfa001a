"""Faster versions of the encoders of ALBERT, ELECTRA and RoBERTa."""

from ..fast import FastEncoder
from .albert import AlbertEncoder
from .electra import ElectraEncoder
from .roberta import RobertaEncoder


class FastAlbertEncoder(FastEncoder, AlbertEncoder):
    """ALBERT's encoder with a faster forward pass."""


class FastElectraEncoder(FastEncoder, ElectraEncoder):
    """ELECTRA's encoder with a faster forward pass."""


class FastRobertaEncoder(FastEncoder, RobertaEncoder):
    """RoBERTa's encoder with a faster forward pass."""
