"""Growing an encoder: train few layers, then add more, and train on.

Gong et al. (2019, ICML, Efficient training of BERT by progressively stacking) copy the trained layers on top
of themselves: `stack_layers`. `add_layers` is our own: a new layer starts nearly as the identity, so that the
loss goes on from where it was.
"""

import copy
from typing import cast

import torch

from .encoder import Encoder, EncoderLayer, init_weights


def add_layers(encoder: Encoder, count: int, seed: int) -> None:
    """Grow the encoder, in place, to `count` layers; what it computes changes little.

    A new layer's two output maps are 0, so that it passes its input on: x + 0, and the LayerNorm of what was
    normalised before. Raises ValueError for fewer layers than there are.
    """
    old, last = set_layer_count(encoder, count), cast(EncoderLayer, encoder.layers[-1])
    torch.manual_seed(seed)
    for _ in range(count - old):
        layer = EncoderLayer(encoder.config)
        layer.apply(lambda module: init_weights(module, encoder.config.initializer_range))
        with torch.no_grad():
            for out in (layer.attention.out, layer.feed_forward.down):
                out.weight.zero_()
            layer.feed_forward_norm.load_state_dict(last.feed_forward_norm.state_dict())
        encoder.layers.append(layer.to(next(encoder.parameters()).device))


def stack_layers(encoder: Encoder, count: int, seed: int | None = None) -> None:  # noqa: ARG001
    """Grow the encoder, in place, to `count` layers by copies of its layers 1 to L above them.

    Algorithm 1 doubles the layers. Nothing is drawn; `seed` is there as in `add_layers`. Raises ValueError
    for fewer layers than there are.
    """
    old = set_layer_count(encoder, count)
    for number in range(old, count):
        encoder.layers.append(copy.deepcopy(encoder.layers[number - old]))


def set_layer_count(encoder: Encoder, count: int) -> int:
    """Write the new number of layers into the encoder's configuration; return the old one."""
    old = len(encoder.layers)
    if count < old:
        raise ValueError(f"count={count} is less than the {old} layers of the encoder")
    encoder.config = encoder.config.replace(num_hidden_layers=count)
    return old
