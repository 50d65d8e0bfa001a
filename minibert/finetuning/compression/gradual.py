"""Gradual pruning of single weights during fine-tuning, by magnitude or by movement.

Zhu and Gupta (2017, arXiv 1710.01878), equation (1): the share of removed weights grows quickly, then slowly.
Sanh et al. (2020, arXiv 2005.07683), section 3: movement pruning keeps the weights that move away from 0.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from ...model import Encoder, FastEncoder
from .pruning import largest_mask, magnitude_mask

EVERY = 20  # steps between two updates of the masks, which sort all weights


def pruned_share(step: int, steps: int, share: float) -> float:
    """Return the share of weights to remove after `step` of `steps` steps: it grows from 0 to `share`.

    >>> [round(pruned_share(step, 10, 0.8), 3) for step in (0, 5, 10, 20)]
    [0.0, 0.7, 0.8, 0.8]
    """
    return share * (1 - (1 - min(step / steps, 1)) ** 3)


class MagnitudeMask(nn.Module):
    """A parametrisation that sets the smallest weights to 0, in each forward pass."""

    kept: Tensor

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.register_buffer("kept", torch.ones_like(weight, dtype=torch.bool))

    def forward(self, weight: Tensor) -> Tensor:
        return weight * self.kept

    def update(self, weight: Tensor, share: float) -> None:
        self.kept.copy_(torch.from_numpy(magnitude_mask(weight.detach().cpu().numpy(), share)))


class MovementMask(MagnitudeMask):
    """A parametrisation that sets the weights with the lowest scores to 0; the scores are trained.

    The gradient reaches the scores as if they were the mask (straight-through): -gradient * weight is
    positive for a weight that moves away from 0.
    """

    def __init__(self, weight: Tensor) -> None:
        super().__init__(weight)
        self.scores = nn.Parameter(torch.zeros_like(weight))

    def forward(self, weight: Tensor) -> Tensor:
        return weight * (self.kept + (self.scores - self.scores.detach()))

    def update(self, weight: Tensor, share: float) -> None:
        self.kept.copy_(torch.from_numpy(largest_mask(self.scores.detach().cpu().numpy(), share)))


class MaskedEncoder(FastEncoder):
    """An encoder whose linear layers lose weights while it is fine-tuned; see `of`."""

    count: Tensor
    share: float
    steps: int

    @classmethod
    def of(  # type: ignore[override]  # two more arguments
        cls, encoder: Encoder, share: float, steps: int, mask: type[MagnitudeMask] = MagnitudeMask
    ) -> "MaskedEncoder":
        """Return a copy of an encoder that removes `share` of each matrix within `steps` training steps.

        The embeddings are kept whole. mask: the criterion. A step is a forward pass in training mode. Call
        `merged` of `minibert.model.low_rank` at the end: zeros are then ordinary weights. Raises ValueError
        unless 0 <= share <= 1 and steps >= 1.
        """
        if not 0 <= share <= 1 or steps < 1:
            raise ValueError(f"share={share} must be between 0 and 1, and steps={steps} at least 1")
        masked = cls(encoder.config)
        masked.load_state_dict(encoder.state_dict())
        for module in list(masked.layers.modules()):
            if isinstance(module, nn.Linear):
                parametrize.register_parametrization(module, "weight", mask(module.weight))
        masked.share, masked.steps = share, steps
        masked.register_buffer("count", torch.zeros((), dtype=torch.int64))  # in checkpoints
        return masked.to(next(encoder.parameters()).device)

    def forward(self, *inputs: Any, **options: Any) -> dict[str, Any]:
        """Encode as FastEncoder does, after updating the masks if it is time."""
        if self.training:
            step = int(self.count)  # makes a GPU wait
            if step % EVERY == 0 or step == self.steps:
                self.update(pruned_share(step, self.steps, self.share))
            self.count += 1
        return super().forward(*inputs, **options)

    def update(self, share: float) -> None:
        for module in self.layers.modules():
            if parametrize.is_parametrized(module, "weight"):
                weight: Any = module.parametrizations.weight  # type: ignore[union-attr]
                weight[0].update(weight.original, share)
