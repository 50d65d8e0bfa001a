"""The optimisers of the training loop: AdamW and BERT's own Adam. Muon is in `recipes`.

Loshchilov and Hutter (2019, arXiv 1711.05101); Devlin et al. (2019, arXiv 1810.04805), appendix A.2. With
Muon, AdamW still trains the embeddings, biases, LayerNorms and output layers.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from .config import TrainConfig
from .recipes import hidden_matrices, muon
from .schedule import momentum_of, rate_of


class OptimizerGroup:
    """A group of optimisers, such as Muon together with AdamW, with the interface of a single optimiser."""

    def __init__(self, *optimizers: torch.optim.Optimizer):
        self.optimizers = optimizers

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        return [group for optimizer in self.optimizers for group in optimizer.param_groups]

    def zero_grad(self) -> None:
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def step(self) -> None:
        for optimizer in self.optimizers:
            optimizer.step()

    def state_dict(self) -> list[dict[str, Any]]:
        return [optimizer.state_dict() for optimizer in self.optimizers]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        for optimizer, state in zip(self.optimizers, states, strict=True):
            optimizer.load_state_dict(state)


Optimizer = torch.optim.Optimizer | OptimizerGroup


def parts_of(optimizer: Optimizer) -> list[torch.optim.Optimizer]:
    """Return the optimisers of a group, or a list of the single optimiser."""
    return list(optimizer.optimizers) if isinstance(optimizer, OptimizerGroup) else [optimizer]


def make_optimizer(model: nn.Module, config: TrainConfig, groups: list[dict] | None = None) -> Optimizer:
    """Make the optimiser named by `config.optimizer`, with weight decay on matrices only.

    groups: [{"params": [...], "lr": peak learning rate}], or None to train all trainable parameters with
    `config.peak_rate`, and the word embeddings with `config.embedding_share` times that. Raises ValueError if
    groups are given with Muon, whose learning rates are on another scale, or with an embedding_share.
    """
    if groups and config.optimizer == "muon":
        raise ValueError("optimizer='muon' does not support groups with separate learning rates: use 'adamw'")
    if groups and config.embedding_share != 1:
        raise ValueError(
            f"embedding_share={config.embedding_share} cannot be combined with groups that have separate "
            f"learning rates: use embedding_share=1"
        )
    hidden = hidden_matrices(model) if config.optimizer == "muon" else []
    taken = {id(p) for p in hidden}
    rest = [p for p in model.parameters() if p.requires_grad and id(p) not in taken]
    groups = [
        {
            **group,
            "params": [p for p in group["params"] if (p.dim() > 1) == decays],
            "weight_decay": config.weight_decay if decays else 0.0,
        }
        for group in groups or by_rate(model, rest, config)
        for decays in (True, False)
    ]
    if config.optimizer == "bert_adam":
        return BertAdam(groups, lr=config.peak_rate)
    adamw = torch.optim.AdamW(groups, lr=config.peak_rate, eps=1e-6, fused=True)
    return OptimizerGroup(adamw, muon(hidden, config)) if hidden else adamw


def by_rate(model: nn.Module, params: list[nn.Parameter], config: TrainConfig) -> list[dict[str, Any]]:
    """Return parameter groups with different learning rates; the word embeddings may be a separate group."""
    if config.embedding_share == 1:
        return [{"params": params}]
    words = {id(p) for name, p in model.named_parameters() if name.endswith("embeddings.word.weight")}
    return [
        {"params": [p for p in params if id(p) not in words]},
        {"params": [p for p in params if id(p) in words], "lr": config.embedding_share * config.peak_rate},
    ]


def set_learning_rate(optimizer: Optimizer, config: TrainConfig, step: int) -> float:
    """Set the learning rate and, for OneCycle, the momentum of a step; return the learning rate."""
    rate = rate_of(config, step)
    set_rate(optimizer, rate / config.peak_rate)
    set_momentum(optimizer, momentum_of(config, step))
    return rate


def set_rate(optimizer: Optimizer, share: float) -> None:
    """Set each group's learning rate to `share` times its peak."""
    for group in optimizer.param_groups:
        group["lr"] = share * group.setdefault("peak", group["lr"])


def set_momentum(optimizer: Optimizer, momentum: float | None) -> None:
    """Set each group's momentum, which is Adam's first beta; None leaves it unchanged."""
    for group in optimizer.param_groups if momentum is not None else ():
        if "betas" in group:
            group["betas"] = (momentum, group["betas"][1])
        else:
            group["momentum"] = momentum


class BertAdam(torch.optim.Optimizer):
    """BERT's own Adam, without bias correction and with decoupled weight decay.

    google-research/bert, optimization.py, AdamWeightDecayOptimizer. Without the correction, the moments are
    too small at first, especially the second one, so that the first steps are larger than AdamW's (Mosbach et
    al., 2021, arXiv 2006.04884, section 5).
    """

    def __init__(
        self,
        groups: Iterable[dict[str, Any]],
        lr: float,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-6,
    ):
        super().__init__(groups, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": 0.0})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            if not params:
                continue
            grads = [p.grad for p in params]
            for p in params:
                if not self.state[p]:
                    self.state[p] = {"exp_avg": torch.zeros_like(p), "exp_avg_sq": torch.zeros_like(p)}
            first, second = ([self.state[p][name] for p in params] for name in ("exp_avg", "exp_avg_sq"))
            (b1, b2), lr = group["betas"], group["lr"]
            torch._foreach_lerp_(first, grads, 1 - b1)  # m = b1 m + (1 - b1) g
            torch._foreach_mul_(second, b2)
            torch._foreach_addcmul_(second, grads, grads, 1 - b2)  # v = b2 v + (1 - b2) g²
            size = torch._foreach_sqrt(second)
            torch._foreach_add_(size, group["eps"])
            torch._foreach_mul_(params, 1 - lr * group["weight_decay"])
            torch._foreach_addcdiv_(params, first, size, -lr)  # w -= lr (m / (√v + eps) + decay w)
