"""The encoders of this folder, with the fast forward pass of `minibert.model.fast`."""

from ..fast import FastEncoder
from .albert import AlbertEncoder
from .electra import ElectraEncoder
from .roberta import RobertaEncoder


class FastAlbertEncoder(FastEncoder, AlbertEncoder):
    """A faster encoder with AlbertEncoder's parameters and outputs."""


class FastElectraEncoder(FastEncoder, ElectraEncoder):
    """A faster encoder with ElectraEncoder's parameters and outputs."""


class FastRobertaEncoder(FastEncoder, RobertaEncoder):
    """A faster encoder with RobertaEncoder's parameters and outputs."""
