"""Span boundary objective: also predict each token of a masked span from the two tokens around the span.

Joshi et al. (2020, arXiv 1907.10529), section 3.2: SpanBERT. It adds one head and one loss term to `span`.
"""

import numpy as np
from torch import nn

from ..data.batch import IGNORE, Batch
from ..data.masking import run_edges
from ..model.goal import Arrays, Tensors, token_loss
from ..model.heads import Backbone, BoundaryHead
from .span import SpanMLM


class SpanBoundary(SpanMLM):
    """The span boundary objective: predict masked spans as in MLM, and also from the tokens around them."""

    terms = {"mlm": "tokens", "sbo": "tokens"}

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs, labels = super().corrupt(batch, rng)
        left, right = run_edges(labels["tokens"] != IGNORE)
        return {**inputs, "left": left, "right": right}, labels

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {**super().heads(encoder), "boundary": BoundaryHead(encoder.config, encoder.embeddings.word)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        boundary = token_loss(outputs["boundary"], labels["tokens"])
        return {**super().loss(outputs, labels), "sbo": boundary}
