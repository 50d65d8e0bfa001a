"""Known mistakes about `training_step`, each played in a rehearsal.

PyTorch is imported only where a step runs, so that the check opens without it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..checks.edits import edits
from ..checks.exercise import Mistake
from .step_rehearsal import rehearsal

if TYPE_CHECKING:
    import torch


def training_step(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_of: Callable,
    batch: dict[str, torch.Tensor],
    rate: float,
    clip: float,
) -> float:
    """Make one step: set the learning rate, compute loss and gradient, clip, move. Return the loss."""
    import torch

    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()


STEPS = edits(
    training_step,
    r"""
    $rate = group["lr"] = rate
    $zero = optimizer.zero_grad()
    $loss = loss = loss_of(model, batch)
    $clip = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    $arguments = model.parameters(), clip
    $move = optimizer.step()
    $each = for p in model.parameters():
    $weights = length = torch.cat([p.data.flatten() for p in model.parameters()]).norm().item()
    $length = torch.cat([p.grad.flatten() for p in model.parameters()]).norm().item()

    the weights stay as they are: optimizer.step() is missing, or finds no gradient. The order is:
    zero_grad(), loss, backward(), clip, optimizer.step().
        loss.backward() => pass
        $clip => pass
    the old gradients are still there: backward() adds to them. Call optimizer.zero_grad() before it, in
    every step.
        $zero => pass
    the rate is not set: the optimiser keeps the one that it was created with. Write `rate` into group["lr"]
    for each group in optimizer.param_groups.
        $rate => pass
    the rate is set in the first group only. An optimiser can have several: loop over optimizer.param_groups.
        param_groups: => param_groups[:1]:
    the rate is set after the update, so each step takes the rate of the one before.
        $rate => pass
        $move => $move\nfor group in optimizer.param_groups:\n    $rate
    you multiply the old rate by `rate`; write `rate` in its place.
        $rate => group["lr"] *= rate
    the gradient is not clipped, or too early, or too late: torch.nn.utils.clip_grad_norm_(model.parameters(),
    clip), between backward() and optimizer.step().
        $clip => pass
    you clip each number of the gradient by itself (clip_grad_value_), which bends its direction. Clip its
    length: clip_grad_norm_.
        clip_grad_norm_ => clip_grad_value_
    you clip each parameter's gradient by itself. `clip` is for the length of all of them together: give
    clip_grad_norm_ all of model.parameters() at once.
        $clip => $each\n    torch.nn.utils.clip_grad_norm_([p], clip)
    you bring every gradient to the length `clip`, also one that is shorter. Only a longer one is shortened.
        $clip => length = $length\n$each\n    p.grad *= clip / length
    you clip to 1, whatever `clip` says. Use the argument.
        $arguments => model.parameters(), 1.0
    you clip the weights. What must not be too long is their gradient.
        $clip => pass
        $move => $move\n$weights\n$each\n    p.data *= min(1.0, clip / length)
    the weights move by rate times gradient alone. Let your optimizer do it, optimizer.step(): it remembers
    earlier steps. Do not move the weights yourself, make no new optimizer, and leave its memory as it is.
        $move => $each\n    p.data -= rate * p.grad
    the weights go uphill: the gradient has the wrong sign.
        loss.backward() => (-loss).backward()
    you return the loss as a tensor, which keeps the whole computation in memory for as long as the log
    lives. Return a number: loss.item().
        loss.item() => loss
    you return the loss after the update. Return the one that was computed for the gradient: a second pass
    costs a third of the step.
        loss.item() => loss_of(model, batch).item()
    the loss is computed twice. Compute it once, and use it for the gradient and for the result: a second
    pass costs a third of the step.
        $loss => $loss\n$loss
    eval() is called in the step. It turns dropout off, for training too: leave the model in the mode it is
    in.
        $loss => model.eval()\n$loss
        or
        $loss => model.eval()\n$loss\nmodel.train()
    optimizer.step() is called twice. One step moves the weights once.
        $move => $move\n$move
    the gradient is twice as long as it should be. Is backward() called twice, or the loss multiplied?
        loss.backward() => (2 * loss).backward()
    you clip the largest number of the gradient (norm_type=inf). `clip` is for its length: leave norm_type
    out.
        $arguments => $arguments, norm_type=float("inf")
    you clip the sum of absolute values (norm_type=1). `clip` is for the length: leave norm_type out.
        $arguments => $arguments, norm_type=1
    only the parameters of the first group are clipped. Give clip_grad_norm_ all of model.parameters().
        $arguments => optimizer.param_groups[0]["params"], clip
    the gradient is never longer than 1, whatever `clip` says. Use the argument as it is.
        $arguments => model.parameters(), min(1.0, clip)
    a step whose gradient is too long is left out. Shorten the gradient, and make the step.
        $clip => pass
        $move => if $length <= clip:\n    $move
    the old gradients of some parameters are still there: backward() adds to them. optimizer.zero_grad()
    forgets all.
        $zero => for p in optimizer.param_groups[{0 | 1}]["params"]:\n    p.grad = None
    a rate is written only if it is lower than the one before. Write `rate` as it is.
        $rate => group["lr"] = min(group["lr"], rate)
    the rate has a floor in your answer. Write `rate` as it is, however small.
        $rate => group["lr"] = max(rate, {1e-7 | 1e-6 | 1e-5 | 1e-4 | 1e-3 | 0.01 | 0.1})
    the rate is never above a bound in your answer. Write `rate` as it is, however large.
        $rate => group["lr"] = min(rate, {0.1 | 1.0})
    the loss is rounded. Return it as it is: loss.item().
        loss.item() => round(loss.item(), {2 | 3 | 4})
    it returns None. Is the `return` missing?
        return None
    optimizer.step() comes before backward(): it uses the gradient of the step before, or none.
        $zero => pass
        $move => pass
        loss.backward() => $move\n$zero\nloss.backward()
    """,
)
TRAINING_STEP = tuple(Mistake(step.hint, functools.partial(rehearsal, step.function)) for step in STEPS)


def right_rehearsal(batches: dict[str, np.ndarray], rates: np.ndarray, clip: float) -> dict[str, np.ndarray]:
    """Return what a right step does in the rehearsal."""
    return rehearsal(training_step, batches, rates, clip)
