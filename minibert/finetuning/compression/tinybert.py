"""TinyBERT: the student imitates the teacher's embeddings, hidden states and attention, layer by layer.

Jiao et al. (2020, arXiv 1909.10351), section 3.1. Axes: B sequences, T tokens, H heads, D hidden, L layers.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ...model import Model
from ...model.goal import Goal, Tensors
from .hidden_states import StateDistillation, real_tokens


class MapDistillation(StateDistillation):
    """TinyBERT's first stage: imitate embeddings, hidden states and attention, without any labels.

    Equations (7) to (9), with a learned projection. The second stage is `Distillation` with share=1, equation
    (10). Student and teacher need the same number of heads.
    """

    extra = ("embeddings", "states", "attention")
    options = {"with_probs": True}

    def __init__(self, goal: Goal, teacher: Model, layers: Sequence[int], project: bool = True) -> None:
        super().__init__(goal, teacher, layers, project)

    @property
    def weights(self) -> dict[str, float]:  # type: ignore[override]  # the labels are only counted
        return {**dict.fromkeys(self.goal.terms, 0.0), "soft": 0.0}

    def inside(self, found: Any, taught: Any, inputs: Tensors) -> tuple[Tensor, ...]:
        real, visible = real_tokens(inputs), inputs["visible"]  # (B, T), (B, T, T)
        (own, own_maps), (theirs, their_maps) = found["states"], taught["states"]
        # paper: a second matrix projects the embeddings
        embeddings = F.mse_loss(own[0][real], theirs[0][real])
        states = [F.mse_loss(one[real], other[real]) for one, other in self.pairs(own, theirs)]
        attention = [
            F.mse_loss(centred(one, visible), centred(their_maps[number], visible))
            for one, number in zip(own_maps, self.layers)
        ]
        return embeddings, torch.stack(states).sum(), torch.stack(attention).sum()


def centred(probs: Tensor, visible: Tensor | None) -> Tensor:
    """Return attention scores with mean 0 over the visible keys, (B, H, T, T), from probabilities."""
    # paper: the scores before the softmax, which also have a constant that no probability depends on
    scores = probs.float().clamp_min(1e-9).log()
    shown = torch.ones_like(probs, dtype=torch.bool) if visible is None else visible[:, None].expand_as(probs)
    scores = scores.masked_fill(~shown, 0)
    return (scores - scores.sum(-1, keepdim=True) / shown.sum(-1, keepdim=True).clamp_min(1)) * shown
