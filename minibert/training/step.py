"""One step's gradient and update, in any precision, on a whole batch or on its parts one after the other.

Float16 has no numbers below 6e-8, where most gradients are: the loss is scaled up before the backward pass,
and a step whose gradient then overflows is left out (Micikevicius et al., 2018, arXiv 1710.03740, section
3.2). bfloat16 needs none of that.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from ..data.batch import Batch
from ..model.goal import Goal, MicroBatch
from .config import TrainConfig
from .distributed import Team
from .optimizers import Optimizer
from .progress import tell


class Step:
    """What a step needs beside its batch: model, objective, optimiser, precision, the other processes."""

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
        self.parameters = list(model.parameters())
        self.device = self.parameters[0].device
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=precision == torch.float16)
        self.overflowed = False  # whether this step's gradient did, in float16
        self.stop = False  # whether a process was asked to stop, see `asked_to_stop`

    def asked_to_stop(self) -> bool:
        """Return True if this process should stop after the step."""
        return False

    def parts(self, batch: Batch, step: int) -> list[MicroBatch]:
        """Draw all that is random about a step; return this process's parts of the batch, in their order.

        Called in the feed's thread. The batch is corrupted once, in however many parts it is computed.
        """
        prepared = self.objective.prepare(batch, np.random.default_rng([self.config.seed, 1, step]))
        turns = self.config.accumulate
        return [
            self.objective.part(prepared, self.team.rows(turn, turns), self.model) for turn in range(turns)
        ]

    def forward_and_backward(self, parts: Sequence[MicroBatch], step: int) -> tuple[float, dict[str, float]]:
        """Fill the gradients, in all processes; return the loss and its terms by name.

        A part's losses are what its sequences add to those of the batch, so the gradients add up to the
        batch's, whatever each part counts, up to what dropout draws, which is not the same for a sequence in
        another part.
        """
        seed = torch.manual_seed if self.device.type != "cpu" else torch.default_generator.manual_seed
        # dropout; the first notes the stack, which takes 1 ms
        seed(hash((self.config.seed, step)) % 2**31 + self.team.rank)
        for parameter in self.parameters:
            parameter.grad = None
        losses = []
        for part in parts:
            with torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32):
                loss, terms = self.objective.losses(self.model, part)
            scaled = self.scaler.scale(loss)  # which makes the scaler, first of all
            if loss.requires_grad:  # a part may have nothing to count
                scaled.backward()
            losses.append(torch.stack([loss, *terms.values()]).detach())  # (1 + number of terms,)
        # the first of two waits for a GPU; the other one is in `clip`
        (total, *values), self.stop = self.team.sum(
            self.model, torch.stack(losses).sum(0), self.asked_to_stop()
        )
        return total, dict(zip(terms, values))

    def clip(self) -> float:
        """Shorten the gradient to at most `config.clip`; return its length before.

        It is 0 where float16 overflowed: then `update_weights` leaves the step out, for all optimisers alike.
        """
        if self.scaler.is_enabled() and self.has_gradient():
            self.scaler.unscale_(self.optimizer)  # type: ignore[arg-type]  # Several has its groups
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, self.config.clip).item()
        self.overflowed = self.scaler.is_enabled() and not math.isfinite(norm)
        return 0.0 if self.overflowed else norm

    def update_weights(self) -> None:
        """Let the optimiser move the weights; where nothing was counted, or float16 overflowed, they stay."""
        if not self.has_gradient():
            return
        if self.overflowed:
            self.scaler.update(self.scaler.get_scale() * self.scaler.get_backoff_factor())
            return
        self.optimizer.step()
        self.scaler.update()

    def has_gradient(self) -> bool:
        """Return whether any weight has a gradient."""
        return any(p.grad is not None for p in self.parameters)


@contextmanager
def prepared_layers(model: nn.Module, config: TrainConfig) -> Iterator[None]:
    """In this context the model's layers are recomputed or compiled in training, as `config` asks.

    It concerns every network that runs its layers by a `layer_pass`: a FastEncoder, ELECTRA's generator, a
    decoder, two streams. In evaluation mode they ignore it: sequences of many lengths would be compiled anew.
    """
    compiled = config.compile and compiles(model)
    if config.compile and not compiled:
        tell("compile: on a GPU only; this run goes without")
    networks: list[Any] = [module for module in model.modules() if hasattr(module, "layer_pass")]
    if (compiled or config.recompute) and not networks:
        tell(f"recompute, compile: not for a {type(model.encoder).__name__}; this run goes without")
    plain = [network.layer_pass for network in networks]
    for network in networks:
        network.layer_pass = wrapped(network.layer_pass, compiled, config.recompute)
    try:
        yield
    finally:
        for network, layer_pass in zip(networks, plain):
            network.layer_pass = layer_pass


def compiles(model: nn.Module) -> bool:
    """Return whether torch.compile is worth its time where the model is: on a CUDA GPU."""
    return next(model.parameters()).device.type == "cuda"


def wrapped(layer_pass: Callable, compiled: bool, recompute: bool) -> Callable:
    """Return the function that runs a layer, compiled, recomputed in the backward pass, both or neither."""
    if compiled:
        layer_pass = torch.compile(layer_pass)
    return partial(checkpoint, layer_pass, use_reentrant=False) if recompute else layer_pass
