"""A frozen encoder, whose outputs for each training sequence are computed once, before training.

Devlin et al. (2019, arXiv 1810.04805), section 5.3: representations are computed once and used by many cheap
models.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from ..data.batch import row_size
from ..model import Model
from ..model.transfer import CPU, device_of
from ..tasks.base import Task

Key = tuple[tuple[int, ...], tuple[int, ...]]


class CachedEncoder(nn.Module):
    """A replacement for an encoder that returns its outputs from a cache, without dropout or gradients.

    places: a slice of the layers to cache, or None to cache only the last. The encoder is not a submodule, so
    it is not trained, saved or set to training mode. The cache needs 4 * D bytes of CPU memory for each token
    and cached layer. Inputs must be on the CPU; outputs are copied to the encoder's device. Sequences that
    are not in the cache are computed.
    """

    input_device = CPU

    def __init__(self, encoder: nn.Module, places: slice | None = None) -> None:
        super().__init__()
        self.config: Any = encoder.config
        self.places = places
        self.rows: dict[Key, torch.Tensor] = {}
        self.encoder = (encoder.eval(),)  # in a tuple, which hides it from nn.Module
        self.device = device_of(encoder)

    def learn(self, input_ids: torch.Tensor, visible: torch.Tensor, token_type_ids: torch.Tensor) -> None:
        kept = self.compute(input_ids, visible, token_type_ids).cpu()
        for i, key in enumerate(keys(input_ids, visible, token_type_ids)):
            self.rows[key] = kept[:, i, : len(key[0])].clone()  # (n, T, D), without padding

    @torch.no_grad()
    def compute(self, *inputs: torch.Tensor) -> torch.Tensor:
        """Run the encoder on its device and return the outputs to cache, (n, B, T, D)."""
        out = self.encoder[0](*(x.to(self.device) for x in inputs))
        return torch.stack([out["hidden"]] if self.places is None else out["layers"][self.places])

    def forward(
        self, input_ids: torch.Tensor, visible: torch.Tensor, token_type_ids: torch.Tensor
    ) -> dict[str, Any]:
        """Return the outputs of Encoder.forward, with None in "layers" for each layer that is not cached."""
        known = [self.rows.get(key) for key in keys(input_ids, visible, token_type_ids)]
        found = [row for row in known if row is not None]
        if len(found) < len(known):
            kept = self.compute(input_ids, visible, token_type_ids)  # (n, B, T, D)
        else:
            on_gpu = self.device.type == "cuda"
            kept = torch.zeros(
                len(found[0]), *input_ids.shape, found[0].shape[-1], dtype=found[0].dtype, pin_memory=on_gpu
            )
            for i, row in enumerate(found):
                kept[:, i, : row.shape[1]] = row
            kept = kept.to(self.device, non_blocking=on_gpu)
        layers: list[Any] = [None] * (self.config.num_hidden_layers + 1)
        layers[-1:] = [kept[-1]]
        if self.places is not None:
            layers[self.places] = kept
        return {"hidden": layers[-1], "layers": layers, "probs": None}


def keys(input_ids: torch.Tensor, visible: torch.Tensor, token_type_ids: torch.Tensor) -> list[Key]:
    """Return a cache key for each sequence of a batch: its ids and segment ids, without padding."""
    lengths = visible.any(dim=1).sum(dim=1).tolist()
    return [
        (tuple(ids[:n]), tuple(types[:n]))
        for ids, types, n in zip(input_ids.tolist(), token_type_ids.tolist(), lengths)
    ]


@contextmanager
def frozen(
    model: Model, task: Task, rows: Sequence[Any], places: slice | None = None, batch_size: int = 32
) -> Iterator[None]:
    """Replace the model's encoder by a CachedEncoder with the outputs for `rows` inside this context."""
    encoder = model.encoder
    cached = CachedEncoder(encoder, places)
    by_length = sorted(rows, key=row_size)
    for start in range(0, len(rows), batch_size):
        cached.learn(**task.inputs(task.collate(by_length[start : start + batch_size]), CPU))
    model.encoder = cached
    try:
        yield
    finally:
        model.encoder = encoder
