"""Which positions a long text's tokens see when it is read segment by segment, with Transformer-XL's memory.

Dai et al. (2019, arXiv 1901.02860), sections 3.1 and 3.2, whose memory XLNet takes over (Yang et al., 2019,
arXiv 1906.08237, section 2.4). `minibert.data.batch.visible_causal` is the case of one segment. Axes: T tokens.
"""
import numpy as np


def memory_visible(length: int, segment: int, memory: int = 0) -> np.ndarray:
    """Return which positions each token sees in one layer, (T, T) bool: its segment up to itself, and memory.

    length: T, the tokens of the text, which is cut every `segment` tokens; memory: how many hidden states of
    the tokens before the segment are kept, 0 = none. Raises ValueError for a length or segment below 1 and a
    negative memory.

    >>> memory_visible(5, segment=2, memory=1).astype(int).tolist()
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 1, 1]]
    """
    for name, value, least in (("length", length, 1), ("segment", segment, 1), ("memory", memory, 0)):
        if value < least:
            raise ValueError(f"{name}={value} must be at least {least}")
    place = np.arange(length)
    first = place // segment * segment - memory                                 # (T,): the first one it sees
    return (place <= place[:, None]) & (place >= first[:, None])                # (T, T)


def receptive_field(visible: np.ndarray, layers: int) -> np.ndarray:
    """Return which tokens the output of each position depends on after `layers` layers, (T, T) bool.

    visible: (T, T) bool, what a position sees in one layer, such as `memory_visible`. What it sees was
    computed from what those positions saw, so each layer reaches one step further: with a memory as long as a
    segment, L layers see about L segments back. Raises ValueError for a negative number of layers.

    >>> field = receptive_field(memory_visible(9, segment=2, memory=2), layers=3)
    >>> np.flatnonzero(field[8]).tolist()           # without a memory it would see itself alone
    [2, 3, 4, 5, 6, 7, 8]
    """
    if layers < 0:
        raise ValueError(f"layers={layers} must be at least 0")
    field = np.eye(len(visible), dtype=bool)
    for _ in range(layers):
        field = visible @ field                     # bool: is there a position between that sees it?
    return field
