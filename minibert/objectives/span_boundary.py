"""Span boundary objective: predict each token of a hidden span also from the two tokens around the span and its place in it.

Joshi et al. (2020, arXiv 1907.10529), section 3.2: SpanBERT. It adds one head and one term of the loss to `span`.
"""
import torch
from torch import nn
from torch.nn import functional as F

from ..batch import IGNORE
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

    def loss(self, outputs, labels):
        return sum(self.parts(outputs, labels).values())


class BoundaryHead(nn.Module):
    """[left; right; place] (..., 3D) -> logits (..., V): two layers of linear, GELU, LayerNorm, then the word embeddings."""

    reads = ("hidden", "left", "right", "counted")

    def __init__(self, config, word_embeddings):
        super().__init__()
        D, eps = config.hidden_size, config.layer_norm_eps
        self.place = nn.Embedding(config.max_position_embeddings, D)
        self.first, self.first_norm = nn.Linear(3 * D, D), nn.LayerNorm(D, eps=eps)
        self.second, self.second_norm = nn.Linear(D, D), nn.LayerNorm(D, eps=eps)
        self.decoder = nn.Linear(D, config.vocab_size)
        self.decoder.weight = word_embeddings.weight                            # tied

    def forward(self, hidden, left, right, counted=None):
        """hidden (B, T, D); left, right (B, T) as from run_edges. counted: see TokenHead.forward."""
        B, T, _ = hidden.shape
        rows = torch.arange(B, device=hidden.device)[:, None]                   # (B, 1)
        place = torch.arange(T, device=hidden.device) - left                    # (B, T) 1 for the first token of a span
        x = torch.cat([hidden[rows, left], hidden[rows, right], self.place(place)], dim=-1)     # (B, T, 3D)
        x = x if counted is None else x[counted]                                # (N, 3D)
        x = self.first_norm(F.gelu(self.first(x)))
        return self.decoder(self.second_norm(F.gelu(self.second(x))))
