"""Growing a trunk: train few layers, then add layers that at first change nothing, and train on.

Gong et al. (2019, ICML, Efficient training of BERT by progressively stacking) copy the trained layers on top of themselves.
# paper: copies; here a new layer starts nearly as the identity, so that the loss goes on from where it was
"""
import torch

from .encoder import EncoderLayer, init_weights


def add_layers(encoder, count, seed):
    """Lets the encoder have `count` layers, changing it in place; what it computes changes little.

    A new layer's two output maps are 0, so that it passes its input on: x + 0, and the LayerNorm of what was normalised before.
    Raises ValueError for fewer layers than there are.
    """
    old = len(encoder.layers)
    if count < old:
        raise ValueError(f"count={count} is less than the {old} layers of the encoder")
    last = encoder.layers[-1]
    encoder.config = encoder.config.replace(num_hidden_layers=count)
    torch.manual_seed(seed)
    for _ in range(count - old):
        layer = EncoderLayer(encoder.config)
        layer.apply(lambda module: init_weights(module, encoder.config.initializer_range))
        with torch.no_grad():
            for out in (layer.attention.out, layer.feed_forward.down):
                out.weight.zero_()
            layer.feed_forward_norm.load_state_dict(last.feed_forward_norm.state_dict())
        encoder.layers.append(layer.to(next(encoder.parameters()).device))
