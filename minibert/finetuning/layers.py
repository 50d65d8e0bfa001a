"""Layer-wise fine-tuning: learning rates that decay downwards, reinitialised top layers, frozen low layers.

Howard and Ruder (2018, arXiv 1801.06146), section 3.2, "discriminative fine-tuning", divide the learning rate
by 2.6 from layer to layer; Sun et al. (2019, arXiv 1905.05583) do this for BERT. Reinitialisation: Zhang et
al. (2021, arXiv 2006.05987). Freezing: Lee et al. (2019, arXiv 1911.03090).
"""

import math
from typing import Any

import torch
from torch import nn

from ..config import ModelConfig
from ..model import Model

# Smallest hidden size, and the default learning rate for all weights of such models. BERT-base: the paper's
# range is 2e-5 to 5e-5. The English model (384) on 3,000 film reviews, 2 epochs: 1e-4 gives an accuracy of
# 78%, 2e-4 79%, and with 5e-4 it learns nothing (50%). Small models need the highest rate.
RATES = ((768, 5e-5), (384, 1e-4), (0, 5e-4))
HIGHEST = 1.0  # larger learning rates must be a mistake: published ones are thousands of times smaller


def default_rate(config: ModelConfig, approach: str) -> float:
    """Return the default peak learning rate for a model and an approach.

    Approaches that freeze the encoder have the same default as small models.
    """
    size = config.hidden_size if approach == "full" else 0
    return next(rate for least, rate in RATES if size >= least)


def rate_groups(
    model: Model, peak_rate: float, encoder_rate: float | None, layer_decay: float
) -> list[dict[str, Any]] | None:
    """Return the result of `parameter_groups` for a model, or None if all learning rates are equal."""
    same = encoder_rate in (None, peak_rate) and layer_decay == 1.0
    return None if same else parameter_groups(model, peak_rate, encoder_rate, layer_decay)


def check_rates(peak_rate: float | None, encoder_rate: float | None, layer_decay: float) -> None:
    for name, rate in (("peak_rate", peak_rate), ("encoder_rate", encoder_rate)):
        if rate is not None and not 0 < rate <= HIGHEST:
            raise ValueError(f"{name}={rate} must be above 0 and at most {HIGHEST:g}")
    if not 0 < layer_decay <= 1:
        raise ValueError(f"layer_decay={layer_decay} must be above 0 and at most 1")


def parameter_groups(
    model: Model, peak_rate: float, encoder_rate: float | None = None, layer_decay: float = 1.0
) -> list[dict[str, Any]]:
    """Return parameter groups for an optimiser, [{"params": [...], "lr": rate}], one for each learning rate.

    peak_rate: the learning rate of the new heads. encoder_rate: the learning rate of the encoder's top layer,
    or None for peak_rate. layer_decay: the learning rate of each layer divided by that of the layer above,
    more than 0 and at most 1; the embeddings are treated as the layer below the first. A layer that is
    applied repeatedly has the learning rate of its topmost position, and an output matrix tied to the
    embeddings has their learning rate. Raises ValueError if a learning rate or the decay is out of range, or
    if the encoder has no list of layers.
    """
    check_rates(peak_rate, encoder_rate, layer_decay)
    encoder_rate = peak_rate if encoder_rate is None else encoder_rate
    encoder = model.encoder
    if not hasattr(encoder, "layers"):
        raise ValueError(
            f"an encoder of class {type(encoder).__name__} has no list of layers, so it needs the same "
            f"learning rate everywhere"
        )
    below = [*reversed(encoder.layers), encoder.embeddings]  # from the top down
    parts: list[tuple[float, nn.Module | list[nn.Parameter]]] = [
        (encoder_rate * layer_decay**depth, part) for depth, part in enumerate(below)
    ]
    placed = {id(p) for part in below for p in part.parameters()}
    parts.append(
        (encoder_rate, [p for p in encoder.parameters() if id(p) not in placed])
    )  # such as a final LayerNorm in some encoders
    parts.append((peak_rate, model))
    groups: list[dict[str, Any]] = []
    taken: set[int] = set()
    for rate, part in parts:
        params = part if isinstance(part, list) else list(part.parameters())
        params = [p for p in params if p.requires_grad and id(p) not in taken]
        taken.update(map(id, params))
        if params:
            groups.append({"params": params, "lr": rate})
    return groups


def check_depth(encoder: Any, count: int) -> None:
    have = len(getattr(encoder, "layers", ()))
    if not 0 <= count <= have:
        raise ValueError(
            f"the number of layers is {count}, but must be between 0 and {have} for this encoder"
        )


def reinitialise_top(encoder: Any, count: int, generator: torch.Generator) -> None:
    """Reinitialise the top `count` layers in place, with weights like those of a new model.

    Zhang et al. (2021, arXiv 2006.05987), section 5: the top layers are specialised for the pretraining
    objective and least useful for a small task. Raises ValueError if the encoder has fewer layers.
    """
    check_depth(encoder, count)
    std = encoder.config.initializer_range
    for layer in list(encoder.layers)[len(encoder.layers) - count :]:
        for module in layer.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=std, generator=generator)
                nn.init.zeros_(module.bias)
            elif isinstance(module, nn.LayerNorm):
                module.reset_parameters()


def freeze_lowest(encoder: Any, count: int) -> None:
    """Freeze the embeddings and the lowest `count` layers in place. Raises ValueError if there are fewer."""
    check_depth(encoder, count)
    for part in [encoder.embeddings, *list(encoder.layers)[:count]]:
        for parameter in part.parameters():
            parameter.requires_grad_(False)


def changes_by_layer(before: Any, after: Any) -> list[float]:
    """Return the relative change of the embeddings and of each layer through fine-tuning, L + 1 numbers.

    before, after: encoders of the same shape. Each number is the norm of the difference of all weights of a
    part, divided by the norm of the weights before. Raises ValueError if the numbers of layers differ.
    """
    if len(before.layers) != len(after.layers):
        raise ValueError(
            f"the encoders have {len(before.layers)} and {len(after.layers)} layers, but the numbers "
            "must be equal"
        )
    result = []
    for old, new in zip([before.embeddings, *before.layers], [after.embeddings, *after.layers]):
        pairs = list(zip(old.parameters(), new.parameters()))
        moved = sum(float((b.detach() - a.detach()).square().sum()) for a, b in pairs)
        result.append(math.sqrt(moved / sum(float(a.detach().square().sum()) for a, _ in pairs)))
    return result
