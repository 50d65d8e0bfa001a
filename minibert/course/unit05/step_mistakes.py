"""Students' common mistakes in `training_step`, each revealed by training a small model.

PyTorch is imported only when a step runs.
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
    """Take one training step with the learning rate `rate` and gradient clipping, and return the loss.

    loss_of(model, batch): returns the loss as a tensor. clip: the maximum norm of the gradient.
    """
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

    the weights do not change: optimizer.step() is missing or finds no gradient. Is everything in the right
    order?
        loss.backward() => pass
        $clip => pass
    the old gradients are still there, and backward() adds to them. Clear them before backward() in every
    step.
        $zero => pass
    the learning rate is not set, so the optimizer keeps its initial one. Set "lr" in all its parameter
    groups.
        $rate => pass
    the learning rate is set in the first parameter group only. Set it in all groups.
        param_groups: => param_groups[:1]:
    the learning rate is set after the update, so each step uses that of the previous step. Set it first.
        $rate => pass
        $move => $move\nfor group in optimizer.param_groups:\n    $rate
    you multiply the old learning rate by `rate`. Replace it with `rate`.
        $rate => group["lr"] *= rate
    the gradient is not clipped, or at the wrong time. Clip it between backward() and optimizer.step().
        $clip => pass
    you clip each element of the gradient separately, which changes its direction. Clip its norm.
        clip_grad_norm_ => clip_grad_value_
    you clip each parameter's gradient separately. `clip` limits the norm of all gradients together.
        $clip => $each\n    torch.nn.utils.clip_grad_norm_([p], clip)
    you scale every gradient to the norm `clip`, even a smaller one. Scale down only gradients with a larger
    norm.
        $clip => length = $length\n$each\n    p.grad *= clip / length
    you clip to 1, whatever `clip` is. Use the argument `clip`.
        $arguments => model.parameters(), 1.0
    you clip the weights. Clip their gradient instead.
        $clip => pass
        $move => $move\n$weights\n$each\n    p.data *= min(1.0, clip / length)
    you update the weights yourself. Leave that to optimizer.step(), which also uses earlier gradients.
        $move => $each\n    p.data -= rate * p.grad
    the weights move uphill, because the gradient has the wrong sign. Call backward() on the loss itself.
        loss.backward() => (-loss).backward()
    you return the loss as a tensor, which keeps its computation graph in memory. Return a plain number.
        loss.item() => loss
    you return the loss after the update. Return the loss from which you computed the gradient, without a
    second forward pass.
        loss.item() => loss_of(model, batch).item()
    you compute the loss twice. Compute it once, and use it both for the gradient and for the result.
        $loss => $loss\n$loss
    you call eval() in the step, which turns off dropout. Leave the model in the mode it is in.
        $loss => model.eval()\n$loss
        or
        $loss => model.eval()\n$loss\nmodel.train()
    you call optimizer.step() twice. Call it once.
        $move => $move\n$move
    the gradient is twice as large as it should be. Call backward() only once, and do not multiply the loss.
        loss.backward() => (2 * loss).backward()
    you limit the largest element of the gradient. `clip` limits the Euclidean norm, which is the default.
        $arguments => $arguments, norm_type=float("inf")
    you limit the sum of absolute values. `clip` limits the Euclidean norm, which is the default.
        $arguments => $arguments, norm_type=1
    only the gradients of the first parameter group are clipped. Clip those of all the model's parameters.
        $arguments => optimizer.param_groups[0]["params"], clip
    you clip to at most 1, even if `clip` is larger. Use the argument `clip` as it is.
        $arguments => model.parameters(), min(1.0, clip)
    you skip a step if the norm of its gradient is above `clip`. Scale the gradient down, then make the step.
        $clip => pass
        $move => if $length <= clip:\n    $move
    the old gradients of some parameters are still there, and backward() adds to them. Clear all of them.
        $zero => for p in optimizer.param_groups[{0 | 1}]["params"]:\n    p.grad = None
    you set the learning rate only if it is lower than the previous one. Set it to `rate` in every step.
        $rate => group["lr"] = min(group["lr"], rate)
    your learning rate has a lower bound. Use `rate` as it is, however small.
        $rate => group["lr"] = max(rate, {1e-7 | 1e-6 | 1e-5 | 1e-4 | 1e-3 | 0.01 | 0.1})
    your learning rate has an upper bound. Use `rate` as it is, however large.
        $rate => group["lr"] = min(rate, {0.1 | 1.0})
    you round the loss. Return it with all its digits.
        loss.item() => round(loss.item(), {2 | 3 | 4})
    your function returns None. Is the `return` missing?
        return None
    optimizer.step() comes before backward(), so it uses the gradient of the previous step, or none. Swap the
    two calls.
        $zero => pass
        $move => pass
        loss.backward() => $move\n$zero\nloss.backward()
    """,
)
TRAINING_STEP = tuple(Mistake(step.hint, functools.partial(rehearsal, step.function)) for step in STEPS)


def right_rehearsal(batches: dict[str, np.ndarray], rates: np.ndarray, clip: float) -> dict[str, np.ndarray]:
    """Return the result of `rehearsal` with the correct training step."""
    return rehearsal(training_step, batches, rates, clip)
