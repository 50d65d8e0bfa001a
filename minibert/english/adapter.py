"""A small file with everything trained on top of the English encoder: adapters and heads.

The file also has the checksum of the encoder's weights, and cannot be used with other weights.
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
    """The low-rank adapters of an encoder and the heads of one task.

    encoder, heads: named tensors. base: the checksum of the weights to which they belong. card: a dict that
    describes their training and scores.
    """

    encoder: Mapping[str, Tensor]
    heads: Mapping[str, Tensor]
    base: str
    card: Mapping[str, Any]

    @classmethod
    def of(cls, encoder: Encoder, heads: nn.ModuleDict, base: str, card: Mapping[str, Any]) -> "Adapter":
        """Copy an encoder's adapters and the heads, without tied word embeddings, into an Adapter.

        base, card: see `Adapter`.
        """
        return cls(values(trained(encoder)), values(untied(heads)), base, card)

    def save(self, path: str | Path, bits: float = 8) -> None:
        """Write an adapter file, with at most `bits` bits per number in matrices."""
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
        """Read an adapter file. Raises ValueError, naming the file, if it is not an adapter file."""
        tensors, about = few_bits.load(path)
        encoder, heads = (
            {name.removeprefix(part): value for name, value in tensors.items() if name.startswith(part)}
            for part in PARTS
        )
        if about.keys() != {"base", "card"}:
            raise ValueError(
                f"{path}: the header must have the keys base and card, not {', '.join(about) or 'none'}"
            )
        return cls(encoder, heads, about["base"], about["card"])

    def onto(self, encoder: Encoder, base: str) -> Encoder:
        """Return `encoder` with these adapters; its weights are shared, not copied.

        base: the checksum of its weights. Raises ValueError if the adapters were made for other weights.
        """
        self.check(base)
        adapted = with_low_rank(encoder, self.rank)
        load_trained(adapted, self.encoder)
        return adapted

    @property
    def rank(self) -> int:
        return next(len(value) for name, value in self.encoder.items() if name.endswith(".a"))

    def check(self, base: str) -> None:
        """Raise ValueError unless the adapter was made for the weights with checksum `base`."""
        if base != self.base:
            raise ValueError(f"the adapter was made for weights with sha256 {self.base}, not {base}")

    @torch.no_grad()
    def into(self, heads: nn.ModuleDict) -> None:
        """Copy the stored heads into `heads`. Raises ValueError, naming the tensor, if they do not fit."""
        there = untied(heads)
        if there.keys() != self.heads.keys():
            name = min(there.keys() ^ self.heads.keys())
            raise ValueError(f"{name} is only in the heads or only in the adapter, but must be in both")
        for name, value in there.items():
            if value.shape != self.heads[name].shape:
                raise ValueError(
                    f"{name}: shape {tuple(self.heads[name].shape)} in the adapter, but "
                    f"{tuple(value.shape)} in the head"
                )
            value.copy_(self.heads[name])


def values(parameters: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in parameters.items()}


def untied(heads: nn.ModuleDict) -> dict[str, Tensor]:
    """Return the named parameters of heads, except output matrices that are the word embeddings."""
    return {
        name: value
        for name, value in heads.named_parameters()
        if not (".decoder." in name and ".weight" in name)
    }
