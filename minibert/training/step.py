"""One step's gradient and update, in any precision, on a whole batch or on its parts one after the other.

Float16 has no numbers below 6e-8, where most gradients are: the loss is scaled up before the backward pass,
and a step whose gradient then overflows is left out (Micikevicius et al., 2018, arXiv 1710.03740, section
3.2). bfloat16 needs none of that.
"""
from contextlib import contextmanager
from functools import partial

import numpy as np
import torch
from torch.utils.checkpoint import checkpoint

from .optimizers import parts_of
from .progress import tell


class Step:
    """What a step needs beside its batch. precision: torch.float32, bfloat16 or float16, of the forward pass;
    us: the Team.
    """

    def __init__(self, model, task, optimizer, config, precision, us):
        self.model, self.task, self.optimizer, self.config, self.precision = model, task, optimizer, config, precision
        self.us = us
        self.parameters = list(model.parameters())
        self.device = self.parameters[0].device
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=precision == torch.float16)

    def gradient(self, batch, step):
        """Forward and backward, in all processes: fills the gradients; returns the loss and its parts by
        name, as numbers.

        A part's losses are what its rows add to those of the batch, so the gradients add up to the batch's,
        whatever each counts, up to what dropout draws, which is not the same for a row in another part.
        """
        seed = torch.manual_seed if self.device.type != "cpu" else torch.default_generator.manual_seed
        # dropout; the first notes down the stack, which takes 1 ms
        seed(hash((self.config.seed, step)) % 2**31 + self.us.rank)
        for parameter in self.parameters:
            parameter.grad = None
        parts, turns = [], self.config.accumulate
        for turn in range(turns):
            rng = np.random.default_rng([self.config.seed, 1, step])  # each part hides the same tokens
            some = () if turns * self.us.size == 1 else (self.us.rows(turn, turns),)
            with torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32):
                loss, losses = self.task.step(self.model, batch, rng, *some)
            scaled = self.scaler.scale(loss)  # which makes the scaler, first of all
            if loss.requires_grad:  # a part may have nothing to count
                scaled.backward()
            parts.append(torch.stack([loss, *losses.values()]).detach())                    # (1 + P,)
        sums = torch.stack(self.us.sum(self.model, list(torch.stack(parts).sum(0))))        # (1 + P,)
        loss, *values = sums.tolist()  # the one wait for the GPU
        return loss, dict(zip(losses, values))

    def clip(self):
        """Shorten the gradient to `config.clip`; returns its length before. 0 where float16 overflowed: the
        step is left out.
        """
        for part in self.moving():
            self.scaler.unscale_(part)
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, self.config.clip).item()
        return norm if np.isfinite(norm) or not self.scaler.is_enabled() else 0.0

    def update(self):
        """Move the weights; where nothing was counted there is no gradient, and they stay."""
        for part in self.moving():
            self.scaler.step(part)
        if self.moving():
            self.scaler.update()

    def moving(self):
        """The optimisers in `optimizer` that have a gradient: the scaler refuses to go on from none."""
        return [part for part in parts_of(self.optimizer)
                if any(p.grad is not None for group in part.param_groups for p in group["params"])]


@contextmanager
def prepared(model, config):
    """In this context the trunk's layers are recomputed or compiled, as `config` asks."""
    layers = list(dict.fromkeys(
        model.encoder.layers)) if config.recompute or config.compile else []      # a shared one once
    if config.compile and next(model.parameters()).device.type == "cuda":
        for layer in layers:
            layer.compile()
    elif config.compile:
        tell("compile: on a GPU only; this run goes without")
    for layer in layers if config.recompute else ():
        layer.forward = partial(checkpoint, layer.forward, use_reentrant=False)
    try:
        yield
    finally:
        for layer in layers if config.recompute else ():
            del layer.forward  # the class's own again
