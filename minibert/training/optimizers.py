"""The optimisers of the loop: BERT's own Adam, AdamW, and Muon, which learns a small model faster.

Loshchilov and Hutter (2019, arXiv 1711.05101); Devlin et al. (2019, arXiv 1810.04805), appendix A.2. Muon
(Jordan et al., 2024, kellerjordan.github.io/posts/muon; Liu et al., 2025, arXiv 2502.16982) turns each step
of a matrix into one that is as long in every direction, so that directions which rarely show in the gradient
are learned too; embeddings, vectors and output layers stay with AdamW.
"""
import torch
from torch import nn

MUON_SHARE = 10                             # its rate beside AdamW's: a step of Muon has another length
MUON_STEPS = 3  # of its matrix iteration; the default of 5 costs more and, here, gains nothing


def make_optimizer(model, config, groups=None):
    """The optimiser that `config.optimizer` names, with weight decay on matrices only.

    groups: [{"params": [...], "lr": peak rate}], or None = all that is trained, at `config.peak_rate`, but
    word embeddings at `config.embedding_share` of it. Raises ValueError for groups with Muon, whose rates are
    of another kind, and for groups beside a share.
    """
    if groups and config.optimizer == "muon":
        raise ValueError("optimizer='muon' takes no groups with rates of their own: use 'adamw'")
    if groups and config.embedding_share != 1:
        raise ValueError(
            f"embedding_share={config.embedding_share} is for runs without groups with rates of their own")
    trained = [p for p in model.parameters() if p.requires_grad]
    hidden = hidden_matrices(model) if config.optimizer == "muon" else []
    taken = {id(p) for p in hidden}
    rest = [p for p in trained if id(p) not in taken]
    groups = [{**group, "params": [p for p in group["params"] if (p.dim() > 1) == decays],
               "weight_decay": config.weight_decay if decays else 0.0}
              for group in groups or by_rate(model, rest, config) for decays in (True, False)]
    if config.optimizer == "bert_adam":
        return BertAdam(groups, lr=config.peak_rate)
    adamw = torch.optim.AdamW(groups, lr=config.peak_rate, eps=1e-6, fused=True)
    if not hidden:
        return adamw
    return Several(adamw, torch.optim.Muon(hidden, lr=MUON_SHARE * config.peak_rate,
                                           weight_decay=config.weight_decay,
                                          ns_steps=MUON_STEPS))


def by_rate(model, params, config):
    """Groups of these parameters: all at one rate, or the word embeddings at one of their own."""
    if config.embedding_share == 1:
        return [{"params": params}]
    words = {id(p) for name, p in model.named_parameters() if name.endswith("embeddings.word.weight")}
    return [{"params": [p for p in params if id(p) not in words]},
            {"params": [p for p in params if id(p) in words],
             "lr": config.embedding_share * config.peak_rate}]


def hidden_matrices(model):
    """The weights of all linear layers that train, without those tied to an embedding."""
    embeddings = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    return [module.weight for module in model.modules()
            if isinstance(module, nn.Linear) and id(module.weight) not in embeddings
            and module.weight.requires_grad]


def set_rate(optimizer, share):
    """Sets each group's learning rate to `share` of its peak."""
    for group in optimizer.param_groups:
        group["lr"] = share * group.setdefault("peak", group["lr"])


def set_momentum(optimizer, momentum):
    """Sets each group's momentum, Adam's first beta; None leaves it."""
    for group in optimizer.param_groups if momentum is not None else ():
        if "betas" in group:
            group["betas"] = (momentum, group["betas"][1])
        else:
            group["momentum"] = momentum


class BertAdam(torch.optim.Optimizer):
    """Adam without the correction of its first steps' bias, weight decay beside the gradient: the optimiser
    of BERT's code.

    google-research/bert, optimization.py, AdamWeightDecayOptimizer. The uncorrected moments are too small at
    first, the second one most, so that the first steps are longer than AdamW's (Mosbach et al., 2021, arXiv
    2006.04884, section 5).
    """

    def __init__(self, groups, lr, betas=(0.9, 0.999), eps=1e-6):
        super().__init__(groups, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": 0.0})

    @torch.no_grad()
    def step(self, closure=None):
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


def parts_of(optimizer):
    """The optimisers in one: those of Several, or itself."""
    return getattr(optimizer, "optimizers", [optimizer])


class Several:
    """Several optimisers that step together."""

    def __init__(self, *optimizers):
        self.optimizers = optimizers

    @property
    def param_groups(self):
        return [group for optimizer in self.optimizers for group in optimizer.param_groups]

    def zero_grad(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def step(self):
        for optimizer in self.optimizers:
            optimizer.step()

    def state_dict(self):
        return [optimizer.state_dict() for optimizer in self.optimizers]

    def load_state_dict(self, states):
        for optimizer, state in zip(self.optimizers, states, strict=True):
            optimizer.load_state_dict(state)
