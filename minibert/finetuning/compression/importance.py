"""Which heads and feed-forward columns a model needs least, so that `pruning` can remove them.

Heads: Michel et al. (2019, arXiv 1905.10650), section 4; columns: McCarley et al. (2019, arXiv 1910.06360).
Axes: L layers, H heads, F feed-forward, N heads or columns.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ...model import Encoder, Model
from ...model.transfer import device_of, to_torch
from ...tasks.base import Task


def head_importance(model: Model, task: Task, rows: Sequence[Any], labels: Sequence[Any]) -> np.ndarray:
    """Return how much the loss depends on each head, (L, H): the mean of |d loss / d gate| over examples.

    Michel et al., equation (2); each layer is scaled to length 1 (section 4.1). rows, labels: the result of
    `task.encode`; one example at a time, so that the signs of two do not cancel.
    """
    config, device = model.encoder.config, device_of(model)
    total = torch.zeros(config.num_hidden_layers, config.num_attention_heads, device=device)  # (L, H)
    model.eval()
    for row, label in zip(rows, labels):
        gate = torch.ones_like(total, requires_grad=True)
        inputs, targets = task.corrupt(task.collate([row], [label]))
        outputs = model(**to_torch(inputs, device), gate=gate)
        (loss,) = task.loss(outputs, to_torch(targets, device)).values()
        total += torch.autograd.grad(loss, gate)[0].abs()
    return (total / total.norm(dim=1, keepdim=True).clamp_min(1e-30)).cpu().numpy()


def column_importance(encoder: Encoder) -> np.ndarray:
    """Return the norm of each feed-forward column's input weights times that of its outputs, (L, F)."""
    # paper: gates whose gradients are measured; the norms need no data
    networks: list[Any] = [layer.feed_forward for layer in encoder.layers]
    norms = [network.up.weight.norm(dim=1) * network.down.weight.norm(dim=0) for network in networks]
    return torch.stack(norms).detach().cpu().numpy()


def least_important(scores: np.ndarray, count: int) -> list[tuple[int, int]]:
    """Return the `count` pairs (layer, number) with the lowest scores (L, N), at least one left in a layer.

    Raises ValueError if that is impossible.
    """
    if not 0 <= count <= scores.size - len(scores):
        raise ValueError(
            f"count={count} must be between 0 and {scores.size - len(scores)}: one a layer stays"
        )
    best = set(zip(range(len(scores)), scores.argmax(axis=1).tolist()))
    order = zip(*np.unravel_index(np.argsort(scores, axis=None, kind="stable"), scores.shape))
    places = [(int(layer), int(number)) for layer, number in order]
    return [place for place in places if place not in best][:count]
