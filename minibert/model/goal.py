"""The common base of pretraining objectives and fine-tuning tasks: what `train` needs to know.

An objective (`minibert.objectives`) makes its labels from the text itself, a task (`minibert.tasks`) reads
them from a file; from there on both are a batch, inputs and labels, and a loss. Axes: B sequences of a batch,
T tokens, N labels that count, V vocabulary.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..data.batch import ALL, IGNORE, Batch
from .fast import select
from .heads import Backbone, Model
from .transfer import Cargo, device_of, input_device, to_torch

Arrays = dict[str, np.ndarray]
Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class MicroBatch:
    """Some sequences of a batch as the loss needs them, ready to be copied to a device: see `Goal.part`.

    shares: which share of the batch's counted labels these sequences have, by term of the loss. all_visible:
    True if every token may look at every other one.
    """

    inputs: Cargo
    labels: Cargo
    shares: dict[str, float]
    all_visible: bool = False


class Goal:
    """What a model is trained for: from a batch to its loss. Subclasses say how.

    corrupt (and build, collate) are NumPy and take their random generator; loss is PyTorch and draws nothing.
    """

    name = "?"
    max_length: int  # of a sequence, special tokens included
    specials: Any  # ids of the special tokens

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

    def places(self, labels: Arrays) -> Arrays:
        """Return flat indices of the tokens that count, "tokens at", and of others that the loss picks out.

        They are found here, in NumPy: whoever asks a GPU how many there are has to wait for it.
        """
        return {"tokens at": np.flatnonzero(labels["tokens"] != IGNORE)} if "tokens" in labels else {}

    def part(self, prepared: Any, rows: slice, model: nn.Module) -> MicroBatch:
        """Make some sequences of a batch, `prepared`, ready for a model on its device; in any thread."""
        inputs, labels = prepared
        shares = shares_of(rows, labels, self.counts)
        inputs, labels = (
            {name: array[rows] for name, array in arrays.items()} for arrays in (inputs, labels)
        )
        labels |= self.places(labels)
        if "tokens at" in labels:
            inputs["counted"] = labels["tokens at"]
        return MicroBatch(
            Cargo.load(inputs, input_device(model)),
            Cargo.load(labels, device_of(model)),
            shares,
            all_visible=bool(inputs["visible"].all()),
        )

    def losses(self, model: nn.Module, part: MicroBatch) -> tuple[Tensor, Tensors]:
        """Compute forward pass and loss of a MicroBatch: (scalar, {term: scalar}).

        The losses are what these sequences add to those of the batch, so that several processes with some
        sequences each do one step on the batch together. Token logits are computed only where a label counts.
        """
        device = device_of(model)
        inputs: dict[str, Any] = part.inputs.to(input_device(model))
        labels = part.labels.to(device)
        if part.all_visible and getattr(model, "takes_no_mask", False):
            inputs["visible"] = None
        terms = weigh(part.shares, lambda: self.terms(model, inputs, labels), device)
        return self.combined(terms), terms

    def terms(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Run the model and compute each term of the loss by name."""
        return self.parts(self.outputs(model, inputs), labels)

    def combined(self, terms: Tensors) -> Tensor:
        """Combine the terms of the loss, a scalar each, to what is trained: their sum."""
        return total(terms.values())

    def step(
        self, model: nn.Module, batch: Batch, rng: np.random.Generator, rows: slice = ALL
    ) -> tuple[Tensor, Tensors]:
        """Corrupt a batch, run the model and compute the loss: (scalar, {term: scalar}); see `losses`."""
        return self.losses(model, self.part(self.prepare(batch, rng), rows, model))

    def with_places(self, labels: Tensors) -> Tensors:
        """Add the `places` to labels that came without them."""
        if any(name.endswith(" at") for name in labels):
            return labels
        places = self.places({name: label.cpu().numpy() for name, label in labels.items()})
        return {**labels, **to_torch(places, next(iter(labels.values())).device)}


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
    return {
        name: means[name] * share if share else torch.zeros((), device=device)
        for name, share in shares.items()
    }


def total(terms: Iterable[Tensor]) -> Tensor:
    """Add scalars up."""
    return torch.as_tensor(sum(terms))


def token_loss(logits: Tensor, labels: Tensor, places: Tensor | None = None) -> Tensor:
    """Compute the mean cross-entropy over labels (B, T) other than IGNORE.

    logits: (B, T, V), or (N, V) at the counted labels only; places: then, their flat indices (N,), so that
    they need not be looked for.
    """
    if logits.dim() == 2:
        labels = select(labels, labels != IGNORE if places is None else places)  # (N,)
    return F.cross_entropy(logits.float().flatten(0, -2), labels.flatten(), ignore_index=IGNORE)
