"""Mixout: reset a random share of the weights to their pretrained values in each training step.

Lee et al. (2020, arXiv 1909.11299): mixout is like dropout, but with the pretrained weights instead of 0, so
it pulls the weights towards the pretrained model.
"""

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize


class Mixout(nn.Module):
    """A PyTorch parametrisation that resets a random share `prob` of a weight to its initial values."""

    start: Tensor

    def __init__(self, weight: Tensor, prob: float) -> None:
        super().__init__()
        self.prob = prob
        self.register_buffer("start", weight.detach().clone(), persistent=False)

    def forward(self, weight: Tensor) -> Tensor:
        """Return the weight, in training mode with a random share reset and its expected value kept."""
        if not self.training or self.prob == 0:
            return weight
        back = torch.rand_like(weight) < self.prob
        mixed = torch.where(back, self.start, weight)
        return (mixed - self.prob * self.start) / (1 - self.prob)  # as dropout scales


def with_mixout(module: nn.Module, prob: float) -> None:
    """Apply mixout to the weights of a module's linear layers, in place.

    prob: the share of each weight that is reset. Raises ValueError unless 0 <= prob < 1.
    """
    if not 0 <= prob < 1:
        raise ValueError(f"prob={prob} must be at least 0 and below 1")
    for layer in list(module.modules()):
        if isinstance(layer, nn.Linear):
            parametrize.register_parametrization(layer, "weight", Mixout(layer.weight, prob))
