"""Patient knowledge distillation: the student's [CLS] vectors imitate those of several layers of the teacher.

Sun et al. (2019, arXiv 1908.09355), section 3.2, in addition to soft targets. Axes: B sequences, D hidden.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ...model.goal import Tensors
from .hidden_states import StateDistillation


class PatientDistillation(StateDistillation):
    """PKD: the student's [CLS] vectors imitate those of some of the teacher's layers (section 3.2).

    weight: beta, of the squared distance of the vectors scaled to length 1, equation (7). The published maps
    leave out the last layer, which the soft targets already train.
    """

    extra = ("patient",)

    def __init__(self, *args: Any, weight: float = 10.0, **more: Any) -> None:
        super().__init__(*args, **more)
        self.weight = weight

    def inside(self, found: Any, taught: Any, inputs: Tensors) -> tuple[Tensor, ...]:
        distances = [
            (F.normalize(own[:, 0], dim=-1) - F.normalize(theirs[:, 0], dim=-1)).square().sum(-1).mean()
            for own, theirs in self.pairs(found["states"][0], taught["states"][0])
        ]
        # paper: a sum over layers and examples
        return (self.weight * torch.stack(distances).mean(),)
