"""Parameter sharing across layers: all layers use all or some of the first layer's parameters.

Lan et al. (2020, arXiv 1909.11942), section 3.1 and table 4, compare sharing all parameters, only attention,
only feed-forward, and none. Dehghani et al. (2019, arXiv 1807.03819) shared parameters earlier.
"""

from torch import nn

from ..encoder import Encoder

PARTS = {
    "all": ("attention", "attention_norm", "feed_forward", "feed_forward_norm"),
    "attention": ("attention", "attention_norm"),
    "feed_forward": ("feed_forward", "feed_forward_norm"),
}


def share_layers(encoder: Encoder, what: str = "all") -> None:
    """Make all layers of an encoder use the first layer's parameters, in place.

    what: "all", "attention" or "feed_forward", each with the LayerNorm after it. The gradient of a shared
    parameter is the sum over all layers, and a step takes as long as before. Call this function before you
    create an optimizer. Raises ValueError for any other `what`.

    >>> from minibert.config import preset
    >>> encoder = Encoder(preset("mini"))
    >>> before = count(encoder)
    >>> share_layers(encoder)
    >>> len(encoder.layers), before - count(encoder) == 3 * count(encoder.layers[0])
    (4, True)
    """
    if what not in PARTS:
        raise ValueError(f"what={what!r} must be one of {', '.join(map(repr, PARTS))}")
    first, *others = encoder.layers
    for layer in others:
        for part in PARTS[what]:
            setattr(layer, part, getattr(first, part))


def count(module: nn.Module) -> int:
    """Return the number of parameters of a module; shared parameters are counted once."""
    return sum(parameter.numel() for parameter in module.parameters())
