"""Span boundary objective: predict each token of a hidden span also from the two tokens around the span and
its place in it.

Joshi et al. (2020, arXiv 1907.10529), section 3.2: SpanBERT. It adds one head and one term of the loss to
`span`.
"""
from ..batch import IGNORE
from ..model.heads import BoundaryHead
from ..reference.masking import run_edges
from .base import token_loss
from .span import SpanMLM


class SpanBoundary(SpanMLM):
    """The sum of the masked language model's loss and that of the boundary, over the same tokens."""

    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        left, right = run_edges(labels["tokens"] != IGNORE)
        return {**inputs, "left": left, "right": right}, labels

    def heads(self, encoder):
        return {**super().heads(encoder), "boundary": BoundaryHead(encoder.config, encoder.embeddings.word)}

    def parts(self, outputs, labels):
        return {self.name: token_loss(outputs["tokens"], labels["tokens"]),
                "sbo": token_loss(outputs["boundary"], labels["tokens"])}

    def counts(self, labels):
        return {**super().counts(labels), "sbo": super().counts(labels)[self.name]}

    def loss(self, outputs, labels):
        return sum(self.parts(outputs, labels).values())
