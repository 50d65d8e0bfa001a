"""Distillation inside the models: students of PKD, TinyBERT and DistilBERT imitate hidden states.

Romero et al. (2015, arXiv 1412.6550), section 2.2, "hints". This file has what `pkd`, `tinybert` and
`distilbert` share; `distillation` compares only the outputs. Axes: B sequences, T tokens, H heads, D hidden,
L layers.
"""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ...model import Model
from ...model.goal import Goal, Tensors
from ...model.heads import Backbone
from .distillation import Distillation


class StatesHead(nn.Module):
    """An output head that returns all layers and attention maps; it serves only for distillation.

    size: the teacher's hidden size, to which a learned matrix maps the student's, or None to keep the states.
    """

    reads = ("layers", "probs")
    role = "states"

    def __init__(self, own: int, size: int | None) -> None:
        super().__init__()
        self.matrix = None if size is None else nn.Parameter(torch.randn(own, size) / math.sqrt(own))

    def forward(self, layers: Sequence[Tensor], probs: Any) -> tuple[list[Tensor], Any]:
        """Return (L + 1 tensors (B, T, D of the teacher), L tensors (B, H, T, T) or None)."""
        return [x if self.matrix is None else x @ self.matrix for x in layers], probs


class StateDistillation(Distillation):
    """Distillation with a further loss on hidden states, the base class of the three papers' goals.

    layers: the teacher's layer for each layer of the student, from `layer_map`. project: whether to map the
    student's states by a learned matrix, which is needed if the hidden sizes differ. The encoders must be
    Transformers.
    """

    def __init__(
        self, goal: Goal, teacher: Model, layers: Sequence[int], project: bool = False, **more: Any
    ) -> None:
        super().__init__(goal, teacher, **more)
        self.layers, self.project = list(layers), project
        heads = {**teacher.heads, "states": StatesHead(1, None)}
        self.teacher = teacher.with_part("heads", nn.ModuleDict(heads)).eval()

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Return the goal's heads and the student's StatesHead. Raises ValueError if sizes do not fit."""
        own, theirs = encoder.config, self.teacher.encoder.config
        if own.num_hidden_layers != len(self.layers):
            raise ValueError(f"layers={self.layers} must name one layer for each of {own.num_hidden_layers}")
        if own.hidden_size != theirs.hidden_size and not self.project:
            raise ValueError(
                f"hidden sizes {own.hidden_size} and {theirs.hidden_size} differ: give project=True"
            )
        size = theirs.hidden_size if self.project else None
        return {**super().heads(encoder), "states": StatesHead(own.hidden_size, size)}

    def pairs(self, found: Sequence[Tensor], taught: Sequence[Tensor]) -> list[tuple[Tensor, Tensor]]:
        """Return (student's, teacher's) states after each layer of the student."""
        return [(own, taught[number + 1]) for own, number in zip(found[1:], self.layers)]


def real_tokens(inputs: Tensors) -> Tensor:
    """Return which tokens are not padding, (B, T) bool."""
    visible = inputs["visible"]  # None if there is no padding
    return torch.ones_like(inputs["input_ids"], dtype=torch.bool) if visible is None else visible.any(dim=1)
