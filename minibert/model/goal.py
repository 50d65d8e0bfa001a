"""The common base of pretraining objectives and fine-tuning tasks: what `train` needs to know.

An objective (`minibert.objectives`) makes its labels from the text itself, a task (`minibert.tasks`) reads
them from a file; from there on both are a batch, inputs and labels, and a loss. Axes: B sequences of a batch,
T tokens, N labels that count, V vocabulary.
"""
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..batch import ALL, IGNORE, Batch
from .heads import Backbone, Model

Arrays = dict[str, np.ndarray]
Tensors = dict[str, Tensor]


class Goal:
    """What a model is trained for: from a batch to its loss. Subclasses say how.

    corrupt (and build, collate) are NumPy and take their random generator; loss is PyTorch and draws nothing.
    """

    name = "?"
    max_length: int                         # of a sequence, special tokens included
    specials: Any                           # ids of the special tokens

    def collate(self, rows: list, labels: list | None = None) -> Batch:
        """Pad sequences, with their labels if they have any, to a Batch."""
        raise NotImplementedError

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return (inputs of the model, labels of the loss) for a batch, which stays unchanged.

        Called every step.
        """
        raise NotImplementedError

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Make the output layers that the goal needs, by the name of their logits."""
        raise NotImplementedError

    def model(self, encoder: Backbone) -> Model:
        """Make what is trained: a Model of this encoder and fresh output layers."""
        return Model(encoder, self.heads(encoder))

    def outputs(self, model: nn.Module, inputs: Tensors) -> Tensors:
        """Run the model: {head name: logits}."""
        return model(**inputs)

    def loss(self, outputs: Tensors, labels: Any) -> Tensor:
        """Compute the loss, a scalar, from logits and labels by name."""
        raise NotImplementedError

    def parts(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Compute each term of the loss by name, for the log; one term unless the goal is a sum."""
        return {self.name: self.loss(outputs, labels)}

    def counts(self, labels: Arrays) -> dict[str, int]:
        """Count how many labels each term of the loss is a mean over."""
        raise NotImplementedError

    def prepare(self, batch: Batch, rng: np.random.Generator) -> Any:
        """Draw all that is random about a step, once, however many parts it has: here, `corrupt`."""
        return self.corrupt(batch, rng)

    def losses(self, model: nn.Module, prepared: Any, rows: slice = ALL) -> tuple[Tensor, Tensors]:
        """Compute forward pass and loss of some sequences: (scalar, {term: scalar}).

        prepared: from `prepare`, the whole batch. The losses are what these sequences add to those of the
        batch, so that several processes with some sequences each do one step on the batch together. Token
        logits are computed only where a label counts.
        """
        device = next(model.parameters()).device
        inputs, labels = prepared
        shares = shares_of(rows, labels, self.counts)
        inputs, labels = (to_torch(arrays, device, rows) for arrays in (inputs, labels))
        if "tokens" in labels:
            inputs["counted"] = labels["tokens"] != IGNORE
        terms = weigh(shares, lambda: self.parts(self.outputs(model, inputs), labels), device)
        return total(terms.values()), terms

    def step(self, model: nn.Module, batch: Batch, rng: np.random.Generator,
             rows: slice = ALL) -> tuple[Tensor, Tensors]:
        """Corrupt a batch, run the model and compute the loss: (scalar, {term: scalar}); see `losses`."""
        return self.losses(model, self.prepare(batch, rng), rows)


def to_torch(arrays: Arrays, device: torch.device, rows: slice = ALL) -> Tensors:
    """Copy a dict of arrays, or some of their rows, to tensors on a device."""
    tensors = {name: torch.from_numpy(array[rows]) for name, array in arrays.items()}
    if device.type == "cuda":               # a GPU fetches pinned memory by itself: nobody waits
        tensors = {name: tensor.pin_memory() for name, tensor in tensors.items()}
    return {name: tensor.to(device, non_blocking=True) for name, tensor in tensors.items()}


def shares_of(rows: slice, labels: Arrays, counts: Callable[[Arrays], dict[str, int]]) -> dict[str, float]:
    """Return the share of a batch's counted labels that are in some of its sequences, by term of the loss."""
    some, whole = counts({name: array[rows] for name, array in labels.items()}), counts(labels)
    return {name: some[name] / max(whole[name], 1) for name in whole}


def weigh(shares: dict[str, float], terms: Callable[[], Tensors], device: torch.device) -> Tensors:
    """Turn means over some sequences into what they add to the means over the batch.

    shares: from `shares_of`; terms: called only if some label counts. A mean over no label is not a number,
    nor is 0 times it: such a term is replaced by 0, without a gradient.
    """
    means = terms() if any(shares.values()) else {}
    return {name: means[name] * share if share else torch.zeros((), device=device)
            for name, share in shares.items()}


def total(terms: Iterable[Tensor]) -> Tensor:
    """Add scalars up."""
    return torch.as_tensor(sum(terms))


def token_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Compute the mean cross-entropy over labels (B, T) other than IGNORE.

    logits: (B, T, V), or (N, V) at the counted labels only.
    """
    if logits.dim() == 2:
        labels = labels[labels != IGNORE]                                       # (N,)
    return F.cross_entropy(logits.float().flatten(0, -2), labels.flatten(), ignore_index=IGNORE)
