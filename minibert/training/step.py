"""One step's gradient and update, in any precision, on a whole batch or on its parts one after the other.

Float16 has no numbers below 6e-8, where most gradients are: the loss is scaled up before the backward pass,
and a step whose gradient then overflows is left out (Micikevicius et al., 2018, arXiv 1710.03740, section
3.2). bfloat16 needs none of that.
"""
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from ..batch import Batch
from ..model.fast import FastEncoder, fast_layer
from ..model.goal import Goal
from .config import TrainConfig
from .distributed import Team
from .optimizers import Optimizer, parts_of
from .progress import tell


class Step:
    """What a step needs beside its batch: model, objective, optimiser, precision, the other processes."""

    def __init__(self, model: nn.Module, objective: Goal, optimizer: Optimizer, config: TrainConfig,
                 precision: torch.dtype, team: Team):
        self.model, self.objective, self.optimizer, self.config = model, objective, optimizer, config
        self.precision, self.team = precision, team
        self.parameters = list(model.parameters())
        self.device = self.parameters[0].device
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=precision == torch.float16)

    def forward_and_backward(self, batch: Batch, step: int) -> tuple[float, dict[str, float]]:
        """Fill the gradients, in all processes; return the loss and its terms by name.

        The batch is corrupted once, also where it is computed in parts. A part's losses are what its
        sequences add to those of the batch, so the gradients add up to the batch's, whatever each part
        counts, up to what dropout draws, which is not the same for a sequence in another part.
        """
        seed = torch.manual_seed if self.device.type != "cpu" else torch.default_generator.manual_seed
        # dropout; the first notes the stack, which takes 1 ms
        seed(hash((self.config.seed, step)) % 2**31 + self.team.rank)
        for parameter in self.parameters:
            parameter.grad = None
        prepared = self.objective.prepare(batch, np.random.default_rng([self.config.seed, 1, step]))
        parts, turns = [], self.config.accumulate
        for turn in range(turns):
            with torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32):
                loss, terms = self.objective.losses(self.model, prepared, self.team.rows(turn, turns))
            scaled = self.scaler.scale(loss)                            # which makes the scaler, first of all
            if loss.requires_grad:                                      # a part may have nothing to count
                scaled.backward()
            parts.append(torch.stack([loss, *terms.values()]).detach())             # (1 + number of terms,)
        sums = torch.stack(self.team.sum(self.model, list(torch.stack(parts).sum(0))))
        total, *values = sums.tolist()                                  # the one wait for the GPU
        return total, dict(zip(terms, values))

    def clip(self) -> float:
        """Shorten the gradient to at most `config.clip`; return its length before.

        It is 0 where float16 overflowed: the step is left out.
        """
        for part in self.moving():
            self.scaler.unscale_(part)
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, self.config.clip).item()
        return norm if np.isfinite(norm) or not self.scaler.is_enabled() else 0.0

    def update_weights(self) -> None:
        """Let the optimiser move the weights; where nothing was counted, they stay."""
        for part in self.moving():
            self.scaler.step(part)
        if self.moving():
            self.scaler.update()

    def moving(self) -> list[torch.optim.Optimizer]:
        """Return the optimisers in `optimizer` that have a gradient: the scaler refuses the others."""
        return [part for part in parts_of(self.optimizer)
                if any(p.grad is not None for group in part.param_groups for p in group["params"])]


@contextmanager
def prepared_layers(model: nn.Module, config: TrainConfig) -> Iterator[None]:
    """In this context the encoder's layers are recomputed or compiled, as `config` asks."""
    if not config.recompute and not config.compile:
        yield
        return
    encoder = model.encoder
    if not isinstance(encoder, FastEncoder):
        tell(f"recompute, compile: not for a {type(encoder).__name__}; this run goes without")
        yield
        return
    on_gpu = next(model.parameters()).device.type == "cuda"
    if config.compile and not on_gpu:
        tell("compile: on a GPU only; this run goes without")
    layer_pass = torch.compile(fast_layer) if config.compile and on_gpu else fast_layer
    encoder.layer_pass = (partial(checkpoint, layer_pass, use_reentrant=False) if config.recompute
                          else layer_pass)
    try:
        yield
    finally:
        encoder.layer_pass = fast_layer
