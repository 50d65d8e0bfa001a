"""What was trained on top of the English encoder, in one small file: adapters, heads, and a card.

The file also holds the checksum of the encoder's weights: beside other weights it is of no use, and is
refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from ..model import Encoder
from ..model.checkpoints import few_bits
from ..model.low_rank import load_trained, trained, with_low_rank

PARTS = ("encoder.", "heads.")


@dataclass(frozen=True)
class Adapter:
    """Low-rank adapters of an encoder and the heads of one task.

    encoder, heads: tensors by name. base: checksum of the weights that they belong to. card: what made them,
    and their scores.
    """

    encoder: Mapping[str, Tensor]
    heads: Mapping[str, Tensor]
    base: str
    card: Mapping[str, Any]

    @classmethod
    def of(cls, encoder: Encoder, heads: nn.ModuleDict, base: str, card: Mapping[str, Any]) -> "Adapter":
        """The present values of an encoder with adapters and of its heads, without tied matrices."""
        return cls(values(trained(encoder)), values(untied(heads)), base, card)

    def save(self, path: str | Path, bits: float = 8) -> None:
        """Write the file, with matrices in at most so many bits a number."""
        few_bits.save(
            path,
            {
                part + name: value
                for part, tensors in zip(PARTS, (self.encoder, self.heads))
                for name, value in tensors.items()
            },
            bits,
            {"base": self.base, "card": dict(self.card)},
        )

    @classmethod
    def load(cls, path: str | Path) -> "Adapter":
        """Read such a file. Raises ValueError, naming it, for anything else."""
        tensors, about = few_bits.load(path)
        encoder, heads = (
            {name.removeprefix(part): value for name, value in tensors.items() if name.startswith(part)}
            for part in PARTS
        )
        if about.keys() != {"base", "card"}:
            raise ValueError(f"{path}: its header has {', '.join(about)}, not base and card")
        return cls(encoder, heads, about["base"], about["card"])

    def onto(self, encoder: Encoder, base: str) -> Encoder:
        """`encoder` with these adapters: its weights are shared, not copied.

        base: checksum of its weights. Raises ValueError if the adapters were made for other weights.
        """
        self.check(base)
        adapted = with_low_rank(encoder, self.rank)
        load_trained(adapted, self.encoder)
        return adapted

    @property
    def rank(self) -> int:
        """The rank of the adapters."""
        return next(len(value) for name, value in self.encoder.items() if name.endswith(".a"))

    def check(self, base: str) -> None:
        """Raise ValueError if it was made for other weights than those with the checksum `base`."""
        if base != self.base:
            raise ValueError(f"the adapter was made for weights with sha256 {self.base}, not {base}")

    @torch.no_grad()
    def into(self, heads: nn.ModuleDict) -> None:
        """Give heads these values. Raises ValueError, naming the tensor, where they do not fit."""
        there = untied(heads)
        if there.keys() != self.heads.keys():
            name = min(there.keys() ^ self.heads.keys())
            raise ValueError(f"{name}: in the heads or in the adapter, not in both")
        for name, value in there.items():
            if value.shape != self.heads[name].shape:
                raise ValueError(f"{name}: shape {tuple(self.heads[name].shape)}, not {tuple(value.shape)}")
            value.copy_(self.heads[name])


def values(parameters: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A copy of parameters, by name."""
    return {name: value.detach().clone() for name, value in parameters.items()}


def untied(heads: nn.ModuleDict) -> dict[str, Tensor]:
    """Name -> parameter of heads, without the output matrix that is the encoder's word embeddings."""
    return {
        name: value
        for name, value in heads.named_parameters()
        if not (".decoder." in name and ".weight" in name)
    }
