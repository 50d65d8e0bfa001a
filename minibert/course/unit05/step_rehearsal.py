"""Train a small model with a student's training step, so that its weights reveal mistakes.

Batches are NumPy arrays that become PyTorch tensors only when the step runs. The optimizer is gradient
descent with momentum, because Adam would hide a gradient that is too large or too small.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

INPUTS, CLASSES, ROWS, STEPS = 4, 3, 6, 5
STALE_RATE = 0.9  # the initial learning rate of the optimizer, which reveals a step that does not set it


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return (batches, rates, clip) for test runs that clip the gradients always, sometimes or never.

    The learning rates, one per step, are tiny in the fourth case and large in the fifth. The batches are "x"
    (n, ROWS, INPUTS) and "y" (n, ROWS), for n steps.
    """

    def drawn(scale, clip, rate=1.0):
        x = scale * rng.normal(size=(STEPS, ROWS, INPUTS))
        y = rng.integers(CLASSES, size=(STEPS, ROWS))
        return {"x": x, "y": y}, rate * rng.uniform(0.05, 0.4, STEPS), clip

    return [
        drawn(2.0, 0.3),
        drawn(2.0, 1.0),
        drawn(1.0, 50.0),
        drawn(1e4, 1e9, 1e-8),
        drawn(0.05, 50.0, 20.0),
    ]


def rehearsal(
    training_step: Callable, batches: dict[str, np.ndarray], rates: np.ndarray, clip: float
) -> dict[str, np.ndarray]:
    """Train a small model with `training_step`, one call per batch, and record the effect of each call.

    batches: {"x": (n, R, I) float, "y": (n, R) int}; rates: (n,). Returns {"losses": (n,), "is number": (n,)
    bool, "weights": (n, C, I), "biases": (n, C), "passes": (n,), "training": (n,) bool}: the loss returned by
    each call and whether it is a plain number, the weights and biases after the call, how often the call
    computed a loss, and whether the model was always in training mode.
    """
    import torch

    torch.default_generator.manual_seed(0)  # torch.manual_seed takes 5 ms more
    model = torch.nn.Linear(batches["x"].shape[-1], CLASSES).double()
    groups: list[dict] = [{"params": [model.weight]}, {"params": [model.bias]}]
    optimizer = bare_sgd()(groups, lr=STALE_RATE, momentum=0.7)

    def loss_of(model, batch):
        modes.append(model.training)
        return torch.nn.functional.cross_entropy(model(batch["x"]), batch["y"])

    names = ("losses", "is number", "weights", "biases", "passes", "training")
    seen: dict[str, list] = {name: [] for name in names}
    modes: list[bool] = []  # whether the model was in training mode, for each loss that a call computes
    for x, y, rate in zip(batches["x"], batches["y"], rates, strict=True):
        modes.clear()
        loss = training_step(
            model, optimizer, loss_of, {"x": torch.from_numpy(x), "y": torch.from_numpy(y)}, float(rate), clip
        )
        seen["losses"].append(
            np.nan if loss is None else loss.item() if hasattr(loss, "item") else float(loss)
        )
        seen["is number"].append(isinstance(loss, (float, np.floating)))
        seen["weights"].append(model.weight.detach().numpy().copy())
        seen["biases"].append(model.bias.detach().numpy().copy())
        seen["passes"].append(len(modes))
        seen["training"].append(all(modes) and model.training)
    return {name: np.array(values) for name, values in seen.items()}


@functools.cache
def bare_sgd() -> type[torch.optim.SGD]:
    """Return torch.optim.SGD without its wrappers for torch.compile, which are slow to load."""
    import torch

    class SGD(torch.optim.SGD):
        add_param_group = inspect.unwrap(torch.optim.SGD.add_param_group)
        zero_grad = inspect.unwrap(torch.optim.SGD.zero_grad)
        step = torch.no_grad()(inspect.unwrap(torch.optim.SGD.step))  # one of the wrappers also does this

    return SGD
