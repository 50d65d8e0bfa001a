"""Sharing across layers: all layers of an encoder use the parameters of its first, or of a part of it.

Lan et al. (2020, arXiv 1909.11942), section 3.1 and table 4, which compares all, attention alone,
feed-forward alone and none. Dehghani et al. (2019, arXiv 1807.03819) shared before, in the Universal
Transformer, where in addition each token may stop at a depth of its own. `albert.AlbertEncoder` is "all" with
factorised embeddings; here any encoder can be changed, for the comparison.
"""

from torch import nn

from ..encoder import Encoder

PARTS = {
    "all": ("attention", "attention_norm", "feed_forward", "feed_forward_norm"),
    "attention": ("attention", "attention_norm"),
    "feed_forward": ("feed_forward", "feed_forward_norm"),
}


def share_layers(encoder: Encoder, what: str = "all") -> None:
    """Let all layers of an encoder use the first one's parameters, in place; the others' are dropped.

    what: "all", "attention" or "feed_forward", each with the LayerNorm behind it. A shared parameter's
    gradient is the sum over all its uses, and a step costs as much as before. For `pretrain(start=...)`, or
    before an optimizer is made. Raises ValueError for another part.

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
    """Return the number of a module's parameters, each counted once however often it is used."""
    return sum(parameter.numel() for parameter in module.parameters())
