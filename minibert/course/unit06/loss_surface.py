"""Compute the loss of a model around its trained weights, along a line or on a plane.

Hao et al. (2019, arXiv 1908.05620), section 2. Weights that are twice as large need steps that are twice as
long, so each row of a random direction is scaled to the norm of the same row of the weights (Li et al., 2018,
arXiv 1712.09913, section 4).
"""

from collections.abc import Callable, Sequence

import torch
from torch import nn

Weights = dict[str, torch.Tensor]


def weights_of(model: nn.Module) -> Weights:
    """Return {name: copy of the tensor} for the trainable parameters of a model."""
    return {
        name: tensor.detach().clone() for name, tensor in model.named_parameters() if tensor.requires_grad
    }


def random_direction(ruler: Weights, generator: torch.Generator) -> Weights:
    """Return random tensors with the same names, shapes and row norms as those in `ruler`.

    Vectors are 0, so that biases and LayerNorms do not change. ruler: tensors by name, such as a model's
    weights.
    """
    direction = {}
    for name, tensor in ruler.items():
        if tensor.dim() < 2:
            direction[name] = torch.zeros_like(tensor)
            continue
        drawn = torch.randn(tensor.shape, generator=generator).to(tensor)
        direction[name] = drawn * tensor.norm(dim=1, keepdim=True) / drawn.norm(dim=1, keepdim=True)
    return direction


@torch.no_grad()
def losses_around(
    model: nn.Module,
    loss: Callable[[nn.Module], float],
    centre: Weights,
    first: Weights,
    second: Weights | None = None,
    at_first: Sequence[float] = (0.0,),
    at_second: Sequence[float] = (0.0,),
) -> list[list[float]]:
    """Return the losses at centre + a * first + b * second, with a row for each a and a column for each b.

    at_first, at_second: the values of a and b. loss: a function that computes the loss of a model. centre,
    first, second: tensors by name. The model's own weights are restored afterwards.
    """
    own, tensors = weights_of(model), dict(model.named_parameters())
    try:
        rows: list[list[float]] = []
        for a in at_first:
            rows.append([])
            for b in at_second:
                for name, value in centre.items():
                    tensors[name].copy_(value + a * first[name] + (b * second[name] if second else 0))
                rows[-1].append(float(loss(model)))
        return rows
    finally:
        for name, value in own.items():
            tensors[name].copy_(value)
