"""Fine-tune smoothly: an output that a tiny change of the input cannot move, and steps that stay close.

Jiang et al. (2020, arXiv 1911.03437), section 3: SMART. To the loss of the task it adds (1) the divergence
between the outputs for the embeddings and for the worst embeddings within a small distance, and (2) the
divergence from what an average of the earlier weights gives (Bregman proximal steps). Both are measured by
the symmetric KL divergence. `mixout` beside it keeps weights close in another way. B sequences, T tokens, D
hidden, C labels.
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
    """The paper's numbers, appendix A."""

    weight: float = 1.0  # lambda_s, of the smoothness term; the paper tries 1, 3 and 5
    proximal: float = 1.0  # mu, of the proximal term
    radius: float = 1e-5  # epsilon: no number of the embeddings is moved by more
    noise: float = 1e-5  # sigma: the standard deviation of the first random move
    step: float = 1e-3  # eta: of the ascent that follows
    ascents: int = 1  # how many such steps
    momentum: float = 0.99  # beta, of the average of earlier weights

    def __post_init__(self) -> None:
        for name in ("radius", "noise", "step"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name}={getattr(self, name)} must be above 0")
        if not 0 <= self.momentum < 1:
            raise ValueError(f"momentum={self.momentum} must be at least 0 and below 1")
        if self.weight < 0 or self.proximal < 0 or self.ascents < 0:
            raise ValueError(
                f"weight={self.weight}, proximal={self.proximal}, ascents={self.ascents}: none may be below 0"
            )


def symmetric_kl(one: Tensor, other: Tensor) -> Tensor:
    """Return KL(p, q) + KL(q, p), the mean over sequences, for logits (B, C) of p and q; a scalar."""
    p, q = one.float().log_softmax(-1), other.float().log_softmax(-1)  # (B, C)
    return ((p.exp() - q.exp()) * (p - q)).sum(-1).mean()


def squared_difference(one: Tensor, other: Tensor) -> Tensor:
    """Return the mean squared difference of two outputs, for a regression; a scalar."""
    return (one.float() - other.float()).square().mean()


@contextmanager
def moved(embeddings: nn.Module, by: Tensor) -> Iterator[None]:
    """Context manager: what `embeddings` returns is moved by (B, T, D)."""
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
    """Return the move of the embeddings (B, T, D), within the radius, that changes the output most.

    output(): runs the model on its batch. start: the first random move. clean: the output without a move.
    Each ascent follows the gradient, scaled so that its largest number in each sequence is 1 (algorithm 1).
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
    """A task, trained with SMART's two terms; a Goal, so `train` takes it in the task's place.

    divergence: of two outputs; symmetric_kl for classes, squared_difference for a regression. The random
    moves are drawn like dropout, from PyTorch's generator, which each step seeds.
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
        """Return the task's (inputs, labels)."""
        return self.task.corrupt(batch, rng)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Make the task's output layers."""
        return self.task.heads(encoder)

    @property
    def terms(self) -> dict[str, str]:
        """The task's loss, and two further terms, which are means over the same sequences."""
        return dict.fromkeys((self.name, "smooth", "proximal"), self.name)

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Compute the task's loss, and both terms, with their weights."""
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
        """The divergence from the output of the average of earlier weights, which is then brought up to date.

        Before the first step the average is the model itself.
        """
        if self.average is None:
            self.average = copy.deepcopy(model).eval().requires_grad_(False)
        with torch.no_grad():
            for kept, new in zip(self.average.parameters(), model.parameters()):
                kept.lerp_(new, 1 - self.config.momentum)  # beta kept + (1 - beta) new
            before = self.average(**inputs)[self.name]
        return self.divergence(clean, before)
