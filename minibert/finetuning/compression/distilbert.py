"""DistilBERT: a student with half of the layers is pretrained again, with a teacher.

Sanh et al. (2019, arXiv 1910.01108), section 3. Axes: B sequences, T tokens, N non-padding tokens, D hidden.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor
from torch.nn import functional as F

from ...model import Model
from ...model.goal import Tensors
from ...objectives.mlm import MLM
from .hidden_states import StateDistillation, real_tokens

FACTORS = {"mlm": 2.0, "soft": 5.0, "cosine": 1.0}


class DistilBERT(StateDistillation):
    """DistilBERT's pretraining: soft targets, masked tokens, and the cosine of the last states (section 3).

    The student starts from about every second layer of the teacher: `start_from(teacher, layer_map(12, 6,
    "skip"))`. factors: of the terms of the loss; the default is that of the authors' command.
    """

    extra = ("cosine",)

    def __init__(
        self,
        goal: MLM,
        teacher: Model,
        layers: Sequence[int],
        temperature: float = 2.0,
        factors: Mapping[str, float] = FACTORS,
    ) -> None:
        super().__init__(goal, teacher, layers, False, temperature=temperature)
        self.factors = factors

    @property
    def weights(self) -> Mapping[str, float]:  # type: ignore[override]  # three factors, not a share
        return self.factors

    def inside(self, found: Any, taught: Any, inputs: Tensors) -> tuple[Tensor, ...]:
        real = real_tokens(inputs)
        own, theirs = found["states"][0][-1][real], taught["states"][0][-1][real]  # (N, D)
        return (1 - F.cosine_similarity(own, theirs, dim=-1).mean(),)
