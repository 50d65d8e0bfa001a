"""Low-rank adapters (LoRA): fine-tuning a frozen encoder with a pair of thin matrices for each weight.

Hu et al. (2022, arXiv 2106.09685), section 4.1: W x becomes (W + B A) x. W is frozen; A (rank, in) is
initialised at random and B (out, rank) with zeros, so that initially nothing changes. Biases and LayerNorms
are small, so they are trained directly.
"""

import copy
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from .encoder import Encoder
from .heads import Model


class LowRank(nn.Module):
    """A low-rank update of a weight (out, in): the product of `b` (out, rank) and `a` (rank, in)."""

    def __init__(self, rows: int, columns: int, rank: int) -> None:
        super().__init__()
        self.a = nn.Parameter(torch.randn(rank, columns) / math.sqrt(columns))
        self.b = nn.Parameter(torch.zeros(rows, rank))

    def forward(self, weight: Tensor) -> Tensor:
        return weight + self.b @ self.a


def with_low_rank(encoder: Encoder, rank: int) -> Encoder:
    """Return a copy of an encoder with adapters of this rank in each layer.

    The copy has its own adapters, biases and LayerNorms, which are trained; all other parameters are frozen
    and shared with the original, which does not change. Raises ValueError if the rank is below 1 or the
    encoder already has adapters.
    """
    if rank < 1:
        raise ValueError(f"rank={rank} must be at least 1")
    if has_adapters(encoder):
        raise ValueError("this encoder already has low-rank adapters; merge them first")
    adapted = sharing_copy(encoder, trained(encoder).values())  # at this point, only biases and LayerNorms
    for module in adapted.layers.modules():
        if isinstance(module, nn.Linear):
            rows, columns = module.weight.shape
            added = LowRank(rows, columns, rank).to(module.weight.device)  # same values on every device
            parametrize.register_parametrization(module, "weight", added)
    for p in trained(adapted).values():
        p.requires_grad_(True)
    return adapted


def sharing_copy(encoder: Encoder, own: Iterable[Tensor]) -> Encoder:
    """Return a copy of an encoder that shares all parameters with the original except those in `own`.

    The shared parameters are frozen in the copy; the original does not change.
    """
    copied = {id(p) for p in own}
    shared: dict[int, Any] = {
        id(p): nn.Parameter(p.data, requires_grad=False) for p in encoder.parameters() if id(p) not in copied
    }
    return copy.deepcopy(encoder, shared)


def has_adapters(encoder: Encoder) -> bool:
    return any(parametrize.is_parametrized(module) for module in encoder.modules())


def trained(encoder: Encoder) -> dict[str, Tensor]:
    """Return the trained parameters by name: adapters, biases and LayerNorms, which are not shared."""
    found = {}
    for path, module in encoder.named_modules():
        whole = isinstance(module, LowRank | nn.LayerNorm)
        for name, parameter in module.named_parameters(recurse=False):
            if whole or name == "bias" and isinstance(module, nn.Linear):
                found[f"{path}.{name}".replace(".parametrizations.weight.0", "")] = parameter
    return found


def load_trained(encoder: Encoder, tensors: Mapping[str, Tensor]) -> None:
    """Load values returned by `trained` into another encoder with adapters.

    Raises ValueError, naming the tensor, if one is missing, unexpected, or of a different shape.
    """
    copy_all(trained(encoder), tensors)


@torch.no_grad()
def copy_all(there: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> None:
    """Copy `tensors` into the parameters `there` by name. Raises the same errors as `load_trained`."""
    for name in sorted(there.keys() | tensors.keys()):
        if name not in tensors or name not in there:
            raise ValueError(
                f"{name}: {'missing from the adapter' if name in there else 'not in this encoder'}"
            )
        if tensors[name].shape != there[name].shape:
            raise ValueError(
                f"{name}: shape {tuple(tensors[name].shape)} in the adapter, but "
                f"{tuple(there[name].shape)} in this encoder"
            )
    for name, parameter in there.items():
        parameter.copy_(tensors[name])


@torch.no_grad()
def merged(encoder: Encoder, kind: Callable[[Any], Encoder] | None = None) -> Encoder:
    """Return an independent, ordinary encoder whose weights include the adapters of `encoder`.

    Other parametrisations of its weights, such as masks or rounding, are included, too. kind: the class of
    the result, or None for that of `encoder`.
    """
    plain = (kind or type(encoder))(encoder.config)
    plain.load_state_dict(
        {
            name: getattr(encoder.get_submodule(path), last)
            for name in plain.state_dict()
            for path, _, last in [name.rpartition(".")]
        }
    )
    return plain.train(encoder.training)


def without_adapters(model: Model) -> Model:
    """Return the model with its adapters merged into the encoder, or unchanged if it has none."""
    return model.with_part("encoder", merged(model.encoder)) if has_adapters(model.encoder) else model
