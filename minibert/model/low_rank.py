"""Low-rank adapters: a frozen encoder learns something new in two thin matrices beside each of its weights.

Hu et al. (2022, arXiv 2106.09685), section 4.1: W x becomes (W + B A) x. W stays as it is; A (rank, in)
starts at random and B (out, rank) at zero, so that nothing changes at first. Biases and LayerNorms, which are
small, are trained as they are. What was trained is a few hundred kilobytes, and many tasks share one encoder.
"""

import copy
import math
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from .encoder import Encoder
from .heads import Model


class LowRank(nn.Module):
    """What is added to a weight (out, in): the product of `b` (out, rank) and `a` (rank, in)."""

    def __init__(self, rows: int, columns: int, rank: int) -> None:
        super().__init__()
        self.a = nn.Parameter(torch.randn(rank, columns) / math.sqrt(columns))
        self.b = nn.Parameter(torch.zeros(rows, rank))

    def forward(self, weight: Tensor) -> Tensor:
        """The weight (out, in) with the product added."""
        return weight + self.b @ self.a


def with_low_rank(encoder: Encoder, rank: int) -> Encoder:
    """A copy of an encoder with adapters of this rank in each layer, which shares all else with the original.

    The adapters, the biases and the LayerNorms of the copy are its own, and are trained; all else is frozen
    in the copy. The original stays as it is. Raises ValueError for a rank below 1 and for an encoder that has
    adapters.
    """
    if rank < 1:
        raise ValueError(f"rank {rank} must be at least 1")
    if has_adapters(encoder):
        raise ValueError("this encoder has low-rank adapters already; merge them first")
    adapted = sharing_copy(encoder, trained(encoder).values())  # biases and LayerNorms: no adapters yet
    for module in adapted.layers.modules():
        if isinstance(module, nn.Linear):
            rows, columns = module.weight.shape
            added = LowRank(rows, columns, rank).to(module.weight.device)  # drawn alike for every device
            parametrize.register_parametrization(module, "weight", added)
    for p in trained(adapted).values():
        p.requires_grad_(True)
    return adapted


def sharing_copy(encoder: Encoder, own: Iterable[Tensor]) -> Encoder:
    """A copy of an encoder that has parameters of its own for those in `own`; all else is shared and frozen.

    The shared parameters lie in the same memory as the original's, which stays as it is.
    """
    copied = {id(p) for p in own}
    shared: dict[int, Any] = {
        id(p): nn.Parameter(p.data, requires_grad=False) for p in encoder.parameters() if id(p) not in copied
    }
    return copy.deepcopy(encoder, shared)


def has_adapters(encoder: Encoder) -> bool:
    """Return whether an encoder has low-rank adapters."""
    return any(parametrize.is_parametrized(module) for module in encoder.modules())


def trained(encoder: Encoder) -> dict[str, Tensor]:
    """Name -> parameter of adapters, biases and LayerNorms: all that encoders with adapters do not share."""
    found = {}
    for path, module in encoder.named_modules():
        whole = isinstance(module, LowRank | nn.LayerNorm)
        for name, parameter in module.named_parameters(recurse=False):
            if whole or name == "bias" and isinstance(module, nn.Linear):
                found[f"{path}.{name}".replace(".parametrizations.weight.0", "")] = parameter
    return found


def load_trained(encoder: Encoder, tensors: Mapping[str, Tensor]) -> None:
    """Give an encoder with adapters the values that `trained` returned for another one.

    Raises ValueError, naming the tensor, for one that is missing, has another shape, or belongs nowhere.
    """
    copy_all(trained(encoder), tensors)


@torch.no_grad()
def copy_all(there: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> None:
    """Write `tensors` into the parameters of the same names. Raises ValueError as `load_trained` does."""
    for name in sorted(there.keys() | tensors.keys()):
        if name not in tensors or name not in there:
            raise ValueError(f"{name}: {'missing in the adapter' if name in there else 'no such place'}")
        if tensors[name].shape != there[name].shape:
            raise ValueError(
                f"{name}: shape {tuple(tensors[name].shape)}, where this encoder has "
                f"{tuple(there[name].shape)}"
            )
    for name, parameter in there.items():
        parameter.copy_(tensors[name])


@torch.no_grad()
def merged(encoder: Encoder) -> Encoder:
    """An ordinary encoder, sharing nothing, whose weights are those of `encoder` with its adapters added."""
    plain = type(encoder)(encoder.config)
    plain.load_state_dict(
        {
            name: getattr(encoder.get_submodule(path), last)
            for name in plain.state_dict()
            for path, _, last in [name.rpartition(".")]
        }
    )
    return plain.train(encoder.training)


def without_adapters(model: Model) -> Model:
    """The model with an ordinary encoder of the same values, and the same heads; itself, if it has one."""
    return model.with_part("encoder", merged(model.encoder)) if has_adapters(model.encoder) else model
