"""The parts of a training step around the forward and backward pass: precision, micro-batches, processes.

Float16 has no numbers below 6e-8, where most gradients are, so the loss is scaled up before the backward
pass, and a step whose gradient then overflows is skipped (Micikevicius et al., 2018, arXiv 1710.03740,
section 3.2). bfloat16 needs no loss scaling.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from ..data.batch import Batch
from ..model.goal import Goal, Tensors
from .config import TrainConfig
from .distributed import Team
from .micro_batch import MicroBatch, micro_batches, total
from .optimizers import Optimizer
from .progress import tell


class Step:
    """The state shared by all steps of a training run: model, objective, optimiser, precision, processes."""

    def __init__(
        self,
        model: nn.Module,
        objective: Goal,
        optimizer: Optimizer,
        config: TrainConfig,
        precision: torch.dtype,
        team: Team,
    ):
        self.model, self.objective, self.optimizer, self.config = model, objective, optimizer, config
        self.precision, self.team = precision, team
        self.device = next(model.parameters()).device
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=precision == torch.float16)
        # Contributions of each micro-batch of a step to the loss and its terms.
        self.losses = torch.zeros(config.accumulate, 1 + len(objective.terms), device=self.device)
        self.scaler.scale(self.losses)  # creates the scale, even if this process never counts a label
        self.stop = False  # whether any process was asked to stop, see `asked_to_stop`

    def asked_to_stop(self) -> bool:
        """Return whether this process should stop after the current step."""
        return False

    def micro_batches(self, batch: Batch, step: int) -> list[MicroBatch]:
        """Corrupt the batch of a step at random and return this process's micro-batches, in order."""
        rng, turns = np.random.default_rng([self.config.seed, 1, step]), self.config.accumulate
        parts = [self.team.rows(turn, turns) for turn in range(turns)]
        return micro_batches(self.objective, self.model, batch, rng, parts)

    def seed_dropout(self, step: int) -> None:
        """Seed dropout with a different seed for each step and process.

        `torch.manual_seed` also records a stack trace (1 ms), so on the CPU we call the generator directly.
        """
        seed = torch.manual_seed if self.device.type != "cpu" else torch.default_generator.manual_seed
        # The hash of a tuple is a CPython detail, but another seed would change all results with dropout.
        seed(hash((self.config.seed, step)) % 2**31 + self.team.rank)

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32)

    def loss_of(self, micro_batch: MicroBatch, means: Tensors) -> Tensor:
        """Return a micro-batch's contribution to the loss of the batch, a scalar, and record it for `gather`.

        means: the result of `Goal.step`. In float16 the gradient of this loss is scaled up.
        """
        terms = micro_batch.added(means)
        loss = total(self.objective, terms)
        self.losses[micro_batch.turn] = torch.stack([loss, *terms.values()]).detach()
        if self.scaler.is_enabled():
            loss.register_hook(self.scaler.scale)
        return loss

    def gather(self) -> tuple[float, dict[str, float]]:
        """Sum losses and gradients over all micro-batches and processes; return the loss and its terms.

        On a GPU this waits for the computation to finish; later in the step, only the gradient norm does.
        """
        terms = self.objective.terms
        (loss, *values), self.stop = self.team.sum(self.model, self.losses.sum(0), self.asked_to_stop())
        self.losses.zero_()
        if self.scaler.is_enabled() and self.has_gradient():
            self.scaler.unscale_(self.optimizer)  # type: ignore[arg-type]  # OptimizerGroup has groups, too
        return loss, dict(zip(terms, values))

    def leave_out_overflow(self, norm: float) -> None:
        """Adapt the loss scale of float16, and clear the gradient if its norm is infinite or not a number."""
        if not math.isfinite(norm):
            self.model.zero_grad()
            self.scaler.update(self.scaler.get_scale() * self.scaler.get_backoff_factor())
        elif self.has_gradient():
            self.scaler.update()

    def has_gradient(self) -> bool:
        return any(p.grad is not None for p in self.model.parameters())


@contextmanager
def prepared_layers(model: nn.Module, config: TrainConfig) -> Iterator[None]:
    """Recompute or compile the model's layers during training, as `config` asks, inside this context.

    This applies to networks that run their layers through an attribute `layer_pass`, which they ignore in
    evaluation mode, because each new sequence length would be compiled again.
    """
    compiled = config.compile and compiles(model)
    if config.compile and not compiled:
        tell("compile: works only on a GPU; this run trains without it")
    networks: list[Any] = [module for module in model.modules() if hasattr(module, "layer_pass")]
    if (compiled or config.recompute) and not networks:
        tell(
            f"recompute, compile: not supported by {type(model.encoder).__name__}; this run trains without "
            f"them"
        )
    plain = [network.layer_pass for network in networks]
    for network in networks:
        network.layer_pass = wrapped(network.layer_pass, compiled, config.recompute)
    try:
        yield
    finally:
        for network, layer_pass in zip(networks, plain):
            network.layer_pass = layer_pass


def compiles(model: nn.Module) -> bool:
    """Return whether torch.compile is worthwhile on the model's device, which is true only of CUDA GPUs."""
    return next(model.parameters()).device.type == "cuda"


def wrapped(layer_pass: Callable, compiled: bool, recompute: bool) -> Callable:
    """Return `layer_pass`, which runs a layer, wrapped so that it is compiled or recomputes activations."""
    if compiled:
        layer_pass = torch.compile(layer_pass)
    return partial(checkpoint, layer_pass, use_reentrant=False) if recompute else layer_pass
