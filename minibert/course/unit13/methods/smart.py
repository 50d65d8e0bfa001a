"""SMART: fine-tune with a smoothness term and with steps that stay close to earlier weights.

Jiang et al. (2020, arXiv 1911.03437), section 3. SMART adds two terms to the loss of the task: (1) how much
the output changes, at most, if the embeddings change slightly, and (2) how far it is from the output of an
average of earlier weights (Bregman proximal steps). For classes, both use the symmetric KL divergence. Axes:
B sequences, T tokens, D hidden, C labels.
"""

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from minibert.data.batch import Batch
from minibert.model.goal import Arrays, Goal, Tensors
from minibert.model.heads import Backbone
from minibert.tasks.base import Task


@dataclass(frozen=True)
class SmartConfig:
    """The hyperparameters of SMART; appendix A of the paper gives its values."""

    weight: float = 1.0  # lambda_s, of the smoothness term; the paper tries 1, 3 and 5
    proximal: float = 1.0  # mu, of the proximal term
    radius: float = 1e-5  # epsilon: the largest change of a number of the embeddings
    noise: float = 1e-5  # sigma: the standard deviation of the initial random perturbation
    step: float = 1e-3  # eta: the step size of the gradient ascent
    ascents: int = 1  # the number of ascent steps
    momentum: float = 0.99  # beta, of the average of earlier weights

    def __post_init__(self) -> None:
        for name in ("radius", "noise", "step"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name}={getattr(self, name)} must be above 0")
        if not 0 <= self.momentum < 1:
            raise ValueError(f"momentum={self.momentum} must be at least 0 and below 1")
        if self.weight < 0 or self.proximal < 0 or self.ascents < 0:
            raise ValueError(
                f"weight={self.weight}, proximal={self.proximal} and ascents={self.ascents} must all "
                "be at least 0"
            )


def symmetric_kl(one: Tensor, other: Tensor) -> Tensor:
    """Return KL(p, q) + KL(q, p), averaged over sequences, for logits (B, C) of p and q; a scalar."""
    p, q = one.float().log_softmax(-1), other.float().log_softmax(-1)  # (B, C)
    return ((p.exp() - q.exp()) * (p - q)).sum(-1).mean()


def squared_difference(one: Tensor, other: Tensor) -> Tensor:
    """Return the mean squared difference of two outputs of a regression model; a scalar."""
    return (one.float() - other.float()).square().mean()


@contextmanager
def moved(embeddings: nn.Module, by: Tensor) -> Iterator[None]:
    """Add `by` (B, T, D) to the output of the module `embeddings` within a `with` block."""
    hook = embeddings.register_forward_hook(lambda module, inputs, output: output + by)
    try:
        yield
    finally:
        hook.remove()


def worst_move(
    output: Callable[[], Tensor],
    embeddings: nn.Module,
    start: Tensor,
    clean: Tensor,
    config: SmartConfig,
    divergence: Callable[[Tensor, Tensor], Tensor],
) -> Tensor:
    """Return the small change of the embeddings (B, T, D) that changes the output most, found by ascent.

    output: a function that runs the model on its batch and returns the output. start: the initial random
    change. clean: the unchanged output. divergence: a function that compares two outputs. Each ascent step
    follows the gradient, scaled so that its maximum in each sequence is 1 (algorithm 1). The result is
    clipped to the radius of `config`.
    """
    move = start
    for _ in range(config.ascents):
        move = move.detach().requires_grad_(True)
        with moved(embeddings, move):
            changed = divergence(output(), clean.detach())
        (gradient,) = torch.autograd.grad(changed, move)
        largest = gradient.abs().amax(dim=(1, 2), keepdim=True).clamp_min(torch.finfo(gradient.dtype).tiny)
        move = move + config.step * gradient / largest
    return move.detach().clamp(-config.radius, config.radius)


class Smart(Goal):
    """A task whose loss includes SMART's two terms; it can replace the task in `train`.

    divergence: a function that compares two outputs: symmetric_kl for classes, squared_difference for a
    regression. The random perturbations come from PyTorch's generator, which is seeded in each step, as for
    dropout.
    """

    def __init__(
        self,
        task: Task,
        config: SmartConfig = SmartConfig(),  # noqa: B008  frozen
        divergence: Callable[[Tensor, Tensor], Tensor] = symmetric_kl,
    ) -> None:
        self.task, self.config, self.divergence = task, config, divergence
        self.name, self.specials, self.max_length = task.name, task.specials, task.max_length
        self.average: Any = None  # of the model's weights at earlier steps

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return the task's (inputs, labels) for a batch."""
        return self.task.corrupt(batch, rng)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Return the task's output heads."""
        return self.task.heads(encoder)

    @property
    def terms(self) -> dict[str, str]:
        """Return a dict that maps the name of each loss term to the labels over which it is averaged."""
        return dict.fromkeys((self.name, "smooth", "proximal"), self.name)

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Return the loss terms for a batch, by name: the task's loss and SMART's two weighted terms."""
        embeddings: Any = model.encoder.embeddings  # type: ignore[union-attr]  # a Model

        def output() -> Tensor:
            return model(**inputs)[self.name]

        clean = output()  # (B, C)
        B, T = inputs["input_ids"].shape
        D: Any = model.encoder.config.hidden_size  # type: ignore[union-attr]
        start = self.config.noise * torch.randn(B, T, D, device=clean.device)  # (B, T, D)
        move = worst_move(output, embeddings, start, clean, self.config, self.divergence)
        with moved(embeddings, move):
            smooth = self.divergence(output(), clean)
        return {
            **self.task.loss({self.name: clean}, labels),
            "smooth": self.config.weight * smooth,
            "proximal": self.config.proximal * self.distance(model, clean, inputs),
        }

    def distance(self, model: nn.Module, clean: Tensor, inputs: Tensors) -> Tensor:
        """Update the running average of the weights, and return how far its output is from the model's.

        At the first step, the average is the model itself. clean: the model's output for the inputs.
        """
        if self.average is None:
            self.average = copy.deepcopy(model).eval().requires_grad_(False)
        with torch.no_grad():
            for kept, new in zip(self.average.parameters(), model.parameters()):
                kept.lerp_(new, 1 - self.config.momentum)  # beta kept + (1 - beta) new
            before = self.average(**inputs)[self.name]
        return self.divergence(clean, before)
