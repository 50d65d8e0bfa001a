"""Micro-batches: the parts of a batch that are computed one at a time, and their share of the loss.

An objective's loss is a mean over labels. Each part contributes its own mean times its share of these labels,
so the gradients of all parts add up to the gradient of the batch, whether one process computes the parts in
turn or several compute them in parallel. Only the random numbers of dropout depend on the division.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ..data.batch import ALL, IGNORE, Batch
from ..model.goal import Arrays, Goal, Tensors
from ..model.transfer import StagedArrays, device_of, input_device


@dataclass(frozen=True)
class MicroBatch:
    """A part of a batch, ready to be copied to a model's device.

    turn: the part's index in the batch. shares: the fraction of the batch's counted labels that are in this
    part, for each term of the loss. all_visible: True if every token may attend to every other one.
    """

    turn: int
    inputs: StagedArrays
    labels: StagedArrays
    shares: dict[str, float]
    all_visible: bool

    def to(self, model: nn.Module) -> tuple[dict[str, Any], Tensors]:
        """Copy the arrays to the model's device and return (inputs, labels) for `Goal.step`."""
        inputs: dict[str, Any] = self.inputs.to(input_device(model))
        if self.all_visible and getattr(model, "mask_optional", False):
            inputs["visible"] = None
        return inputs, self.labels.to(device_of(model))

    def added(self, means: Tensors) -> Tensors:
        """Return the contribution of these sequences to each term of the batch's loss.

        means: the result of `Goal.step`. If a term counts no label here, its mean is nan; its contribution
        is set to 0.
        """
        return {
            name: means[name] * share if share else torch.zeros((), device=means[name].device)
            for name, share in self.shares.items()
        }


def micro_batches(
    goal: Goal, model: nn.Module, batch: Batch, rng: np.random.Generator, parts: Iterable[slice]
) -> list[MicroBatch]:
    """Corrupt a batch once, and return its parts as micro-batches; omit parts without counted labels.

    parts: slices of the sequences. This function may be called from any thread.
    """
    inputs, labels = goal.corrupt(batch, rng)
    counts = {name: count(labels[of]) for name, of in goal.terms.items()}
    found = []
    for turn, rows in enumerate(parts):
        some = {name: array[rows] for name, array in labels.items()}
        shares = {name: count(some[of]) / max(counts[name], 1) for name, of in goal.terms.items()}
        if any(shares.values()):
            some_inputs, some = cut({name: array[rows] for name, array in inputs.items()}, some)
            found.append(
                MicroBatch(
                    turn,
                    StagedArrays.load(some_inputs, input_device(model)),
                    StagedArrays.load(some, device_of(model)),
                    shares,
                    all_visible=bool(some_inputs["visible"].all()),
                )
            )
    return found


def count(labels: np.ndarray) -> int:
    """Return how many labels count: the True ones of boolean labels, otherwise those other than IGNORE."""
    return int((labels if labels.dtype == bool else labels != IGNORE).sum())


def cut(inputs: Arrays, labels: Arrays) -> tuple[Arrays, Arrays]:
    """Remove the labels of tokens that are not predicted, and return (inputs, labels).

    labels["tokens"] (B, T), and boolean labels (B, T) about the same tokens, are reduced to the N counted
    tokens. Their flat indices are in inputs["counted"] (N,), so that a head computes no other logits. A
    boolean array (B, T) becomes the flat indices of its True values; finding these on a GPU would make the
    program wait for it.
    """
    inputs = {name: np.flatnonzero(x) if is_choice(x) else x for name, x in inputs.items()}
    if "tokens" not in labels:
        return inputs, labels
    counted = np.flatnonzero(labels["tokens"] != IGNORE)  # (N,)
    choices = {name: np.flatnonzero(x.flat[counted]) for name, x in labels.items() if is_choice(x)}
    return {**inputs, "counted": counted}, {**labels, **choices, "tokens": labels["tokens"].flat[counted]}


def is_choice(array: np.ndarray) -> bool:
    return array.dtype == bool and array.ndim == 2


def total(goal: Goal, terms: Tensors) -> Tensor:
    """Return the weighted sum of the terms of a loss, which are scalars."""
    return torch.as_tensor(
        sum(goal.weights[name] * term if name in goal.weights else term for name, term in terms.items())
    )


def loss_of_batch(
    goal: Goal, model: nn.Module, batch: Batch, rng: np.random.Generator, rows: slice = ALL
) -> tuple[Tensor, Tensors]:
    """Compute the loss of a batch, for your own training loop, and return (scalar, {term: scalar}).

    rows: a slice of the sequences, to compute only their contribution to the loss of the batch.
    """
    terms = {name: torch.zeros((), device=device_of(model)) for name in goal.terms}
    for part in micro_batches(goal, model, batch, rng, [rows]):
        terms = part.added(goal.step(model, *part.to(model)))
    return total(goal, terms), terms
