"""Train few parameters: adapters between the layers, only biases, or prompt vectors.

Houlsby et al. (2019, arXiv 1902.00751), section 2; Pfeiffer et al. (2021, arXiv 2005.00247), one adapter per
layer; Ben Zaken et al. (2022, arXiv 2106.10199), BitFit; Lester et al. (2021, arXiv 2104.08691), prompt
vectors. LoRA is in `minibert.model.low_rank`. Each method makes a copy of an encoder that shares all frozen
weights with the original. The other weights, less than a megabyte, are trained; `trained` returns them and
`put` loads them. Axes: B sequences, T tokens, P prompts, D hidden.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from minibert.model import Encoder
from minibert.model.low_rank import copy_all, sharing_copy

from ..definitions import STD


class Bottleneck(nn.Module):
    """A bottleneck from D to M and back to D numbers, with a skip connection, as in `definitions.adapter`."""

    def __init__(self, hidden_size: int, bottleneck: int) -> None:
        super().__init__()
        self.down, self.up = nn.Linear(hidden_size, bottleneck), nn.Linear(bottleneck, hidden_size)
        for layer in (self.down, self.up):
            nn.init.normal_(layer.weight, std=STD)  # so small that almost nothing changes at first
            nn.init.zeros_(layer.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        """Return hidden (..., D) plus the output of the bottleneck, (..., D)."""
        return hidden + self.up(F.gelu(self.down(hidden)))


def through_bottleneck(module: nn.Module, inputs: Any, output: Tensor) -> Tensor:
    """Return a module's output after its `bottleneck`, before the residual is added (a forward hook)."""
    return module.bottleneck(output)  # type: ignore[operator]  # a module


def insert(module: nn.Module, hidden_size: int, bottleneck: int) -> None:
    """Add an adapter after a module, in place; the module's parameters keep their names."""
    module.bottleneck = Bottleneck(hidden_size, bottleneck).to(next(module.parameters()).device)
    module.register_forward_hook(through_bottleneck)


def houlsby(encoder: Encoder, bottleneck: int) -> Encoder:
    """Return a copy of an encoder with two adapters per layer, after attention and after feed-forward.

    Only the adapters and the LayerNorms are trained. bottleneck: the size M of the adapters. Raises
    ValueError if it is below 1.
    """
    checked(bottleneck, "bottleneck")
    norms = [
        p for module in encoder.modules() if isinstance(module, nn.LayerNorm) for p in module.parameters()
    ]
    adapted = sharing_copy(encoder, norms)
    layers: Any = adapted.layers
    for layer in layers:
        insert(layer.attention.out, encoder.config.hidden_size, bottleneck)
        insert(layer.feed_forward.down, encoder.config.hidden_size, bottleneck)
    return adapted


def pfeiffer(encoder: Encoder, bottleneck: int) -> Encoder:
    """Return a copy of an encoder with one adapter per layer, after feed-forward; only adapters are trained.

    This needs half as many parameters as `houlsby`, and was about as good in Pfeiffer et al., section 3.
    bottleneck: the size M of the adapters. Raises ValueError if it is below 1.
    """
    checked(bottleneck, "bottleneck")
    adapted = sharing_copy(encoder, ())
    layers: Any = adapted.layers
    for layer in layers:
        insert(layer.feed_forward.down, encoder.config.hidden_size, bottleneck)
    return adapted


def bitfit(encoder: Encoder) -> Encoder:
    """Return a copy of an encoder in which only biases are trained, including those of the LayerNorms."""
    return sharing_copy(encoder, [p for name, p in encoder.named_parameters() if name.endswith("bias")])


class PromptedEncoder(nn.Module):
    """A frozen encoder that reads P trained vectors before each text.

    The vectors precede the embeddings and have no positions. They are removed from the output, so that heads
    find [CLS] first. The weights are shared with `encoder`. prompts: P. generator: a random generator that
    chooses the tokens whose embeddings are the initial vectors (Lester et al., section 3.2, find this better
    than random numbers).
    """

    def __init__(self, encoder: Encoder, prompts: int, generator: torch.Generator) -> None:
        super().__init__()
        checked(prompts, "prompts")
        self.encoder, self.config = sharing_copy(encoder, ()), encoder.config
        words: Tensor = encoder.embeddings.word.weight
        chosen = torch.randint(len(words), (prompts,), generator=generator)
        self.prompts = nn.Parameter(words.detach()[chosen.to(words.device)].clone())  # (P, D)

    @property
    def embeddings(self) -> nn.Module:
        """Return the frozen embedding module."""
        return self.encoder.embeddings

    def forward(
        self,
        input_ids: Tensor,
        visible: Tensor | None,
        token_type_ids: Tensor,
        gate: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> dict[str, Any]:
        """Encode as in Encoder.forward, with prompts first; prompts and tokens attend to each other."""
        P = len(self.prompts)
        x = self.encoder.embeddings(input_ids, token_type_ids, position_ids)  # (B, T, D)
        x = torch.cat([self.prompts.expand(len(x), P, -1).to(x.dtype), x], dim=1)  # (B, P + T, D)
        if visible is not None:
            rows = torch.cat([visible.any(1, keepdim=True).expand(-1, P, -1), visible], dim=1)
            visible = F.pad(rows, (P, 0), value=True)  # (B, P + T, P + T)
        hidden, probs = [x[:, P:]], []
        for i, layer in enumerate(self.encoder.layers):
            x, layer_probs = layer(x, visible, None if gate is None else gate[i])
            hidden.append(x[:, P:])
            probs.append(layer_probs[..., P:, P:])
        return {"hidden": hidden[-1], "layers": hidden, "probs": probs}


def trained(module: nn.Module) -> dict[str, Tensor]:
    """Return {name: parameter} for all trained parameters of a module."""
    return {name: p for name, p in module.named_parameters() if p.requires_grad}


def put(module: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Load parameters that `trained` returned for another copy of the module, to switch to its task.

    Raises ValueError, naming the tensor, if one is missing, unknown or of a different shape.
    """
    copy_all(trained(module), tensors)


def counts(module: nn.Module) -> tuple[int, int]:
    """Return the numbers of trained and of total parameters."""
    return (sum(p.numel() for p in trained(module).values()), sum(p.numel() for p in module.parameters()))


def checked(number: int, name: str) -> None:
    """Raise ValueError if a number is below 1; the message calls it `name`."""
    if number < 1:
        raise ValueError(f"{name}={number} must be at least 1")


def size_in_bytes(tensors: Mapping[str, Tensor]) -> int:
    """Return the number of bytes that tensors occupy in memory; a file also needs a header."""
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
