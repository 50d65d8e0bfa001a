"""Stacking during training: the layers are doubled, and each copy inherits its original's optimizer state.

Gong et al. (2019, ICML, Efficient training of BERT by progressively stacking), algorithm 1, copy the weights;
Shen et al. (2022, arXiv 2203.06211) also copy the optimizer's state.
"""

import copy

from torch import Tensor, nn

from ..model import growth
from ..model.encoder import Encoder
from .optimizers import Optimizer, parts_of


def stack(model: nn.Module, optimizer: Optimizer) -> None:
    """Double the depth of `model.encoder` in place: layer L + i starts as a copy of layer i.

    model: a Model in training. optimizer: its optimizer, from `make_optimizer`. A copied parameter is added
    to the group of its original and gets a copy of its state, such as Adam's two moments and step count;
    parameters have the same order as in a new optimizer for the deeper model. Raises ValueError if layers
    share parameters.

    >>> import torch
    >>> from minibert.config import preset
    >>> from minibert.model import Encoder, Model
    >>> model = Model(Encoder(preset("tiny", vocab_size=9)), {})
    >>> optimizer = torch.optim.AdamW(model.parameters())
    >>> stack(model, optimizer)
    >>> len(model.encoder.layers), len(optimizer.param_groups[0]["params"]) == len(list(model.parameters()))
    (4, True)
    """
    encoder: Encoder = model.encoder  # type: ignore[assignment]  # every Model has one
    refuse_shared(encoder)
    originals, L = list(encoder.layers), len(encoder.layers)
    growth.stack_layers(encoder, 2 * L)
    copies = {
        original: new
        for old, grown in zip(originals, encoder.layers[L:])
        for original, new in zip(old.parameters(), grown.parameters(), strict=True)
    }
    order = {parameter: place for place, parameter in enumerate(model.parameters())}
    for part in parts_of(optimizer):
        for group in part.param_groups:
            for original in [parameter for parameter in group["params"] if parameter in copies]:
                group["params"].append(copies[original])
                if original in part.state:
                    part.state[copies[original]] = copy.deepcopy(part.state[original])
            group["params"].sort(key=order.__getitem__)


def refuse_shared(encoder: Encoder) -> None:
    """Raise ValueError if two layers of the encoder share a parameter, as in ALBERT."""
    seen: set[Tensor] = set()
    for number, layer in enumerate(encoder.layers, 1):
        own = set(layer.parameters())
        if own & seen:
            raise ValueError(
                f"layer {number} of {len(encoder.layers)} shares parameters with a layer below it: "
                f"layers with shared parameters cannot be stacked"
            )
        seen |= own
