"""Span boundary objective: predict each token of a masked span from the two tokens around the span as well.

Joshi et al. (2020, arXiv 1907.10529), section 3.2: SpanBERT. It adds one head and one term of the loss to
`span`.
"""

import numpy as np
from torch import Tensor, nn

from ..data.batch import IGNORE, Batch
from ..data.masking import run_edges
from ..model.goal import Arrays, Tensors, token_loss, total
from ..model.heads import Backbone, BoundaryHead
from .span import SpanMLM


class SpanBoundary(SpanMLM):
    """The masked language model's loss plus that of the boundary, over the same tokens."""

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs, labels = super().corrupt(batch, rng)
        left, right = run_edges(labels["tokens"] != IGNORE)
        return {**inputs, "left": left, "right": right}, labels

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {**super().heads(encoder), "boundary": BoundaryHead(encoder.config, encoder.embeddings.word)}

    def parts(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {
            name: token_loss(outputs[head], labels["tokens"], labels.get("tokens at"))
            for name, head in ((self.name, "tokens"), ("sbo", "boundary"))
        }

    def counts(self, labels: Arrays) -> dict[str, int]:
        return {**super().counts(labels), "sbo": super().counts(labels)[self.name]}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensor:
        return total(self.parts(outputs, labels).values())
