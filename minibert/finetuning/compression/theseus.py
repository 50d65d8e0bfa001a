"""BERT-of-Theseus: groups of layers are replaced by single new layers, at random and ever more often.

Xu et al. (2020, arXiv 2002.02925), section 3. The only loss is that of the task: a new layer learns to work
between old ones. At the end, only the new layers are left.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ...model import Encoder, FastEncoder
from ...model.fast import fast_layer, none_if_all_visible
from .student import layer_map, start_from

Step = Callable[[Any], Any]


def replacing_rate(step: int, steps: int, start: float) -> float:
    """Return the probability with which a group is replaced: from `start` linearly to 1, and then 1.

    step: counted from 0. steps: the step from which the rate is 1, at least 1. Section 3.3. Raises ValueError
    unless step >= 0, steps >= 1 and 0 <= start <= 1.

    >>> [replacing_rate(step, steps=10, start=0.5) for step in (0, 5, 10, 99)]
    [0.5, 0.75, 1.0, 1.0]
    """
    if step < 0 or steps < 1:
        raise ValueError(f"step={step} must be at least 0, and steps={steps} at least 1")
    if not 0 <= start <= 1:
        raise ValueError(f"start={start} is a probability: it must be between 0 and 1")
    return min(1.0, start + (1 - start) * step / steps)


def theseus_step(
    x: Any, groups: Sequence[Iterable[Step]], successors: Sequence[Step], rate: float, draws: Iterable[float]
) -> Any:
    """Run x through modules in order; each is a group of old layers or, with probability `rate`, a new one.

    groups: the old layers of each module, as functions; successors: the new layer of each module; draws: one
    number in 0 to 1, 1 excluded, for each module, which is replaced if its draw is less than the rate.
    Returns the output of the last module. Section 3.1, equations (2) to (4).

    >>> theseus_step(1, [[str, int], [float]], [lambda x: x + 10, lambda x: x * 2], 0.5, [0.4, 0.9])
    11.0
    """
    for group, successor, draw in zip(groups, successors, draws):
        for layer in [successor] if draw < rate else group:
            x = layer(x)
    return x


class TheseusEncoder(nn.Module):
    """An encoder that replaces its layers while it is fine-tuned; in evaluation mode all are replaced.

    predecessor: a fine-tuned encoder. layers: the number of new layers, which start from the lowest old ones;
    each replaces a group of adjacent old layers. steps, start: see `replacing_rate`; a step is a forward pass
    in training mode. The old layers and the embeddings are frozen. Raises ValueError for invalid values.
    """

    # paper: in a second stage, with all groups replaced, the embeddings are trained, too
    count: Tensor

    def __init__(self, predecessor: Encoder, layers: int, steps: int, start: float = 0.5) -> None:
        super().__init__()
        L = len(predecessor.layers)
        replacing_rate(0, steps, start)
        ends = layer_map(L, layers, "every")
        old = start_from(predecessor, range(L)).requires_grad_(False)  # a copy
        new = start_from(predecessor, layer_map(L, layers, "bottom"))
        self.config, self.embeddings, self.layers = new.config, old.embeddings, new.layers
        self.groups = nn.ModuleList(
            nn.ModuleList(old.layers[begin : end + 1])
            for begin, end in zip([0, *(i + 1 for i in ends)], ends)
        )
        self.steps, self.start = steps, start
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))  # in checkpoints, so a run resumes

    def forward(self, input_ids: Tensor, visible: Tensor | None, token_type_ids: Tensor) -> dict[str, Any]:
        """Encode ids (B, T) as Encoder.forward does; returns {"hidden": (B, T, D)}."""
        visible, rate, draws = none_if_all_visible(visible), 1.0, [0.0] * len(self.layers)
        if self.training:
            rate = replacing_rate(int(self.count), self.steps, self.start)  # makes a GPU wait
            draws = torch.rand(len(self.layers)).tolist()
            self.count += 1

        def run(layer: Any) -> Step:
            return lambda x: fast_layer(layer, x, visible)[0]

        modules: Any = self.groups
        groups = [[run(layer) for layer in group] for group in modules]
        x = self.embeddings(input_ids, token_type_ids)  # (B, T, D)
        return {"hidden": theseus_step(x, groups, [run(layer) for layer in self.layers], rate, draws)}

    def successor(self) -> FastEncoder:
        """Return an ordinary encoder of the embeddings and the new layers."""
        encoder: FastEncoder = FastEncoder(self.config)
        encoder.embeddings, encoder.layers = self.embeddings, self.layers
        return encoder.requires_grad_(True).train(self.training)
