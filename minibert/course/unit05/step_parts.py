"""The parts of a training step, right and wrong, of which `step_mistakes` puts steps together.

PyTorch is imported only where a part runs, so that the check opens without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def zero(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    optimizer.zero_grad()


def set_rate(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = rate


def shorten(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    import torch

    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)


def move(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    optimizer.step()


def first_group(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    optimizer.param_groups[0]["lr"] = rate


def scale_rate(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] *= rate


def clip_values(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    import torch

    torch.nn.utils.clip_grad_value_(model.parameters(), clip)


def clip_each(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    import torch

    for p in model.parameters():
        torch.nn.utils.clip_grad_norm_([p], clip)


def stretch(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = math.sqrt(sum(float(gradient.pow(2).sum()) for gradient in gradients))
    for gradient in gradients:
        gradient.mul_(clip / norm)


def clip_to_one(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    shorten(model, optimizer, rate, 1.0)


def by_hand(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    for p in model.parameters():
        if p.grad is not None:
            p.data.sub_(rate * p.grad)


def uphill(loss: torch.Tensor) -> None:
    (-loss).backward()


def clip_weights(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    norm = math.sqrt(sum(float(p.data.pow(2).sum()) for p in model.parameters()))
    for p in model.parameters():
        p.data.mul_(min(1.0, clip / norm))


def clip_by(norm_type: float) -> Callable:
    def clip_norm(model, optimizer, rate, clip):
        import torch

        torch.nn.utils.clip_grad_norm_(model.parameters(), clip, norm_type=norm_type)

    return clip_norm


def clip_weight(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    import torch

    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], clip)


def clip_at_most_one(
    model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float
) -> None:
    shorten(model, optimizer, rate, min(1.0, clip))


def move_if_short(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    norm = math.sqrt(sum(float(p.grad.pow(2).sum()) for p in model.parameters() if p.grad is not None))
    if norm <= clip:
        optimizer.step()


def evaluating(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    model.eval()


def training(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    model.train()


def zero_group(number: int) -> Callable:
    def zero_some(model, optimizer, rate, clip):
        for p in optimizer.param_groups[number]["params"]:
            p.grad = None

    return zero_some


def bounded(bound: Callable, limit: float) -> Callable:
    """Build the part that writes bound(rate, limit) in place of the rate."""

    def set_bounded(model, optimizer, rate, clip):
        set_rate(model, optimizer, bound(rate, limit), clip)

    return set_bounded


def lower_rate(model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float, clip: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = min(group["lr"], rate)


def twice(loss: torch.Tensor) -> None:
    loss.backward(retain_graph=True)
    loss.backward()
