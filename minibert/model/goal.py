"""The common base class of pretraining objectives and fine-tuning tasks.

An objective makes its labels from the text itself, and a task reads them from a file. Both turn a batch into
inputs, labels and a loss.
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
    """A training goal, which turns a batch into inputs and labels, and model outputs into a loss.

    `corrupt` uses NumPy and its `rng` argument; `loss` uses PyTorch and draws no random numbers. weights:
    weights of the terms of the loss; terms without an entry have weight 1.
    """

    name = "?"
    max_length: int  # maximum length of a sequence, including special tokens
    specials: Any  # ids of the special tokens
    weights: Mapping[str, float] = {}

    @property
    def terms(self) -> Mapping[str, str]:
        """Return a dict that maps each loss term's name to the name of the labels it is averaged over."""
        return {self.name: self.name}

    def collate(self, rows: list, labels: Any = None, length: int | None = None) -> Batch:
        """Pad sequences and their labels, if any, and return them as a Batch.

        length: the number of tokens T of each padded sequence, or None for the length of the longest.
        """
        return collate(rows, self.specials, labels, length)

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return (model inputs, labels of the loss) for a batch, without changing the batch.

        It is called in every step. Labels count unless they are IGNORE; boolean labels count if True.
        """
        raise NotImplementedError

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Build the output heads for this goal; return a dict with the names of their logits as keys."""
        raise NotImplementedError

    def model(self, encoder: Backbone) -> Model:
        """Build the model to train: a Model with this encoder and new output heads."""
        return Model(encoder, self.heads(encoder))

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Return the `terms` of the loss as a dict of scalars, from named logits and labels."""
        raise NotImplementedError

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Run the model and return the terms of the loss; inputs and labels are tensors from `corrupt`."""
        return self.loss(model(**inputs), labels)


def token_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Compute the mean cross-entropy over the labels (B, T) other than IGNORE.

    logits: (B, T, V), or (N, V) for only the N counted labels; then `labels` may also be just these (N,).
    """
    if logits.dim() == labels.dim() == 2:
        labels = labels[labels != IGNORE]  # (N,)
    return F.cross_entropy(logits.float().flatten(0, -2), labels.flatten(), ignore_index=IGNORE)
