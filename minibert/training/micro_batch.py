"""A batch in parts: which sequences and tokens are computed together, and what they add to the loss.

An objective's loss is a mean over labels. The mean over a part of a batch, times the part's share of these
labels, is what the part adds to the mean over the batch. So the gradients of all parts add up to the
gradient of the batch, whether one process computes them in turn or several do at once, except that dropout
draws other numbers for a sequence in another part.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ..data.batch import ALL, IGNORE, Batch
from ..model.goal import Arrays, Goal, Tensors
from ..model.transfer import Cargo, device_of, input_device


@dataclass(frozen=True)
class MicroBatch:
    """Some sequences of a batch, ready to be copied to the device of a model.

    turn: its place among the parts. shares: the share of the batch's counted labels that these sequences
    have, by term of the loss. all_visible: True if every token may look at every other one.
    """

    turn: int
    inputs: Cargo
    labels: Cargo
    shares: dict[str, float]
    all_visible: bool

    def to(self, model: nn.Module) -> tuple[dict[str, Any], Tensors]:
        """Copy the arrays to the model's device: (inputs, labels), as `Goal.step` takes them."""
        inputs: dict[str, Any] = self.inputs.to(input_device(model))
        if self.all_visible and getattr(model, "takes_no_mask", False):
            inputs["visible"] = None
        return inputs, self.labels.to(device_of(model))

    def added(self, means: Tensors) -> Tensors:
        """Return what these sequences add to each term of the batch's loss; means: of `Goal.step`.

        The mean over no label is not a number, nor is 0 times it: such a term is replaced by 0.
        """
        return {
            name: means[name] * share if share else torch.zeros((), device=means[name].device)
            for name, share in self.shares.items()
        }


def micro_batches(
    goal: Goal, model: nn.Module, batch: Batch, rng: np.random.Generator, parts: Iterable[slice]
) -> list[MicroBatch]:
    """Corrupt a batch, once, and return its `parts`, except those in which no label counts; in any thread."""
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
                    Cargo.load(some_inputs, input_device(model)),
                    Cargo.load(some, device_of(model)),
                    shares,
                    all_visible=bool(some_inputs["visible"].all()),
                )
            )
    return found


def count(labels: np.ndarray) -> int:
    """Return how many labels count: those that are not IGNORE, or are True."""
    return int((labels if labels.dtype == bool else labels != IGNORE).sum())


def cut(inputs: Arrays, labels: Arrays) -> tuple[Arrays, Arrays]:
    """Leave out the tokens that are not predicted; return (inputs, labels).

    Of labels["tokens"] (B, T), and of boolean labels (B, T) about the same tokens, those of the N counted
    tokens stay; inputs["counted"] (N,), flat indices, says which these are, so that a head computes no
    other logits. A boolean array (B, T) becomes the indices of what is True: NumPy finds them here, because
    whoever asks a GPU how many there are has to wait for it.
    """
    inputs = {name: np.flatnonzero(x) if is_choice(x) else x for name, x in inputs.items()}
    if "tokens" not in labels:
        return inputs, labels
    counted = np.flatnonzero(labels["tokens"] != IGNORE)  # (N,)
    choices = {name: np.flatnonzero(x.flat[counted]) for name, x in labels.items() if is_choice(x)}
    return {**inputs, "counted": counted}, {**labels, **choices, "tokens": labels["tokens"].flat[counted]}


def is_choice(array: np.ndarray) -> bool:
    """Return whether an array chooses tokens: (B, T) bool."""
    return array.dtype == bool and array.ndim == 2


def total(goal: Goal, terms: Tensors) -> Tensor:
    """Add up the terms of a loss, a scalar each, with their weights."""
    return torch.as_tensor(
        sum(goal.weights[name] * term if name in goal.weights else term for name, term in terms.items())
    )


def loss_of_batch(
    goal: Goal, model: nn.Module, batch: Batch, rng: np.random.Generator, rows: slice = ALL
) -> tuple[Tensor, Tensors]:
    """Compute the loss of a batch, for a loop of your own: (scalar, {term: scalar}).

    rows: some of its sequences; then the result is what they add to the loss.
    """
    terms = {name: torch.zeros((), device=device_of(model)) for name in goal.terms}
    for part in micro_batches(goal, model, batch, rng, [rows]):
        terms = part.added(goal.step(model, *part.to(model)))
    return total(goal, terms), terms
