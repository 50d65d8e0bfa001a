"""The variants' encoders with the fast forward pass of `minibert.model.fast`, for training and prediction."""

from ..fast import FastEncoder
from .albert import AlbertEncoder
from .electra import ElectraEncoder
from .roberta import RobertaEncoder


class FastAlbertEncoder(FastEncoder, AlbertEncoder):
    """AlbertEncoder's parameters and outputs, faster."""


class FastElectraEncoder(FastEncoder, ElectraEncoder):
    """ElectraEncoder's parameters and outputs, faster."""


class FastRobertaEncoder(FastEncoder, RobertaEncoder):
    """RobertaEncoder's parameters and outputs, faster."""
