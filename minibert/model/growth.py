"""Growing an encoder: train a few layers, add more, and continue training.

Gong et al. (2019, ICML, Efficient training of BERT by progressively stacking) put copies of the trained
layers on top of them: `stack_layers`. `add_layers` is our own method: each new layer is almost the identity
at first, so that the loss continues from its previous value.
"""

import copy
from typing import cast

import torch

from .encoder import Encoder, EncoderLayer, init_weights


def add_layers(encoder: Encoder, count: int, seed: int) -> None:
    """Add layers to the encoder, in place, up to `count` layers, with hardly any effect on its outputs.

    The two output projections of a new layer are 0, so that it passes on its input: x + 0, followed by the
    LayerNorm that has already been applied. Raises ValueError if `count` is smaller than the number of
    layers.
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
    """Grow the encoder in place to `count` layers by stacking copies of its layers 1 to L on top.

    Algorithm 1 of the paper doubles the number of layers. `seed` is ignored; it exists for compatibility with
    `add_layers`. Raises ValueError if `count` is smaller than the number of layers.
    """
    old = set_layer_count(encoder, count)
    for number in range(old, count):
        encoder.layers.append(copy.deepcopy(encoder.layers[number - old]))


def set_layer_count(encoder: Encoder, count: int) -> int:
    """Set the number of layers in the encoder's configuration, and return the old number."""
    old = len(encoder.layers)
    if count < old:
        raise ValueError(f"count={count} is less than the {old} layers of the encoder")
    encoder.config = encoder.config.replace(num_hidden_layers=count)
    return old
