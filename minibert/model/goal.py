"""The common base of pretraining objectives and fine-tuning tasks: what `train` needs to know.

An objective (`minibert.objectives`) makes its labels from the text itself, a task (`minibert.tasks`) reads
them from a file; from there on both are a batch, inputs and labels, and a loss. Which tokens are computed and
how a batch is divided is decided in `training.micro_batch`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from torch import Tensor, nn
from torch.nn import functional as F

from ..data.batch import IGNORE, Batch, collate
from .heads import Backbone, Model

Arrays = dict[str, np.ndarray]
Tensors = dict[str, Tensor]


class Goal:
    """What a model is trained for: from a batch to its loss. Subclasses say how.

    `corrupt` is NumPy and takes its random generator; `loss` is PyTorch and draws nothing. weights: of the
    terms of the loss, 1 for those without an entry.
    """

    name = "?"
    max_length: int  # of a sequence, special tokens included
    specials: Any  # ids of the special tokens
    weights: Mapping[str, float] = {}

    @property
    def terms(self) -> Mapping[str, str]:
        """Each term of the loss, as the log names it, with the name of the labels that it is a mean over."""
        return {self.name: self.name}

    def collate(self, rows: list, labels: Any = None, length: int | None = None) -> Batch:
        """Pad sequences, with any labels, to a Batch; length: T, or None for that of the longest."""
        return collate(rows, self.specials, labels, length)

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return (inputs of the model, labels of the loss) for a batch, which stays unchanged.

        Called every step. A label does not count if it is IGNORE; boolean labels count where they are True.
        """
        raise NotImplementedError

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Make the output layers that the goal needs, by the name of their logits."""
        raise NotImplementedError

    def model(self, encoder: Backbone) -> Model:
        """Make what is trained: a Model of this encoder and fresh output layers."""
        return Model(encoder, self.heads(encoder))

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Compute the `terms` of the loss, a scalar each, from logits and labels by name."""
        raise NotImplementedError

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Run the model and compute the terms of the loss; inputs, labels: of `corrupt`, as tensors."""
        return self.loss(model(**inputs), labels)


def token_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Compute the mean cross-entropy over labels (B, T) other than IGNORE.

    logits: (B, T, V), or (N, V) at the N counted labels only; then `labels` may be these (N,).
    """
    if logits.dim() == labels.dim() == 2:
        labels = labels[labels != IGNORE]  # (N,)
    return F.cross_entropy(logits.float().flatten(0, -2), labels.flatten(), ignore_index=IGNORE)
