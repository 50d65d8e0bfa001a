"""Learning rates that differ by layer: one for the new head, one for the encoder, lower for lower layers.

Howard and Ruder (2018, arXiv 1801.06146), section 3.2, "discriminative fine-tuning", divide by 2.6 from layer
to layer; Sun et al. (2019, arXiv 1905.05583) multiply by a decay factor xi for BERT: the learning rate of
layer k - 1 is xi times that of layer k.
"""
from typing import Any

from torch import nn

from ..model import Model

HIGHEST = 1.0       # a higher learning rate is a mistake: the published ones are thousands of times lower


def rate_groups(model: Model, peak_rate: float, encoder_rate: float | None,
                layer_decay: float) -> list[dict[str, Any]] | None:
    """The `parameter_groups` of a model; None, as `train` wants it, if all learning rates are equal."""
    same = encoder_rate in (None, peak_rate) and layer_decay == 1.0
    return None if same else parameter_groups(model, peak_rate, encoder_rate, layer_decay)


def check_rates(peak_rate: float, encoder_rate: float | None, layer_decay: float) -> None:
    """Raise ValueError for a learning rate or a decay out of range, or not a number."""
    for name, rate in (("peak_rate", peak_rate), ("encoder_rate", encoder_rate)):
        if rate is not None and not 0 < rate <= HIGHEST:
            raise ValueError(f"{name}={rate} must be above 0 and at most {HIGHEST:g}")
    if not 0 < layer_decay <= 1:
        raise ValueError(f"layer_decay={layer_decay} must be above 0 and at most 1")


def parameter_groups(model: Model, peak_rate: float, encoder_rate: float | None = None,
                     layer_decay: float = 1.0) -> list[dict[str, Any]]:
    """Groups for an optimiser, [{"params": [...], "lr": rate}], with each trained parameter in one of them.

    peak_rate: for new weights, those of the heads. encoder_rate: for the encoder's top layer; None = the
    same. layer_decay: xi, above 0, at most 1; the embeddings count as the layer below the first. A layer that
    is applied repeatedly has the rate of its top place; an output matrix tied to the embeddings has theirs.
    Raises ValueError for a rate or a decay out of range, and for an encoder without a list of layers.
    """
    check_rates(peak_rate, encoder_rate, layer_decay)
    encoder_rate = peak_rate if encoder_rate is None else encoder_rate
    encoder = model.encoder
    if not hasattr(encoder, "layers"):
        raise ValueError(f"an encoder of class {type(encoder).__name__} has no list of layers whose learning "
                         f"rates could differ")
    below = [*reversed(encoder.layers), encoder.embeddings]                     # from the top
    parts: list[tuple[float, nn.Module | list[nn.Parameter]]] = [
        (encoder_rate * layer_decay**depth, part) for depth, part in enumerate(below)]
    placed = {id(p) for part in below for p in part.parameters()}
    parts.append((encoder_rate, [p for p in encoder.parameters()
                                 if id(p) not in placed]))      # a last norm, in some encoders
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
