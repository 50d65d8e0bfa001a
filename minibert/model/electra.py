"""ELECTRA: an encoder, a small generator, and the head that detects tokens replaced by the generator.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2.
"""

from collections.abc import Callable, Mapping
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..config import ModelConfig
from .encoder import Embeddings, EncoderLayer, init_weights
from .fast import fast_layer, none_if_all_visible, select
from .heads import Backbone, Model


def generator_config(config: ModelConfig, size: float) -> ModelConfig:
    """Return a generator's configuration: width, heads and feed-forward size are scaled by `size`.

    The number of layers stays the same. config: the discriminator's configuration; size: above 0 and at most
    1. Raises ValueError for other sizes.
    """
    if not 0 < size <= 1:
        raise ValueError(f"size={size!r} must be above 0 and at most 1: a share of the discriminator's width")
    return config.replace(
        **{
            name: max(1, round(size * getattr(config, name)))
            for name in ("hidden_size", "num_attention_heads", "intermediate_size")
        }
    )


class Generator(nn.Module):
    """A small masked language model that uses the discriminator's embeddings, projected to its own width.

    embedding_size: E, the width of these embeddings.
    """

    def __init__(self, config: ModelConfig, embedding_size: int):
        super().__init__()
        self.project = nn.Linear(embedding_size, config.hidden_size)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.num_hidden_layers))
        self.transform = nn.Linear(config.hidden_size, embedding_size)
        self.norm = nn.LayerNorm(embedding_size, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.layer_pass: Callable = fast_layer  # training may wrap it, see `prepared_layers`
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def forward(
        self,
        embeddings: Embeddings,
        input_ids: Tensor,
        visible: Tensor | None,
        token_type_ids: Tensor,
        counted: Tensor,
    ) -> Tensor:
        """Return logits (N, V) for the `counted` tokens; see `select`.

        embeddings: the shared embedding module; ids and segment ids (B, T); visible (B, T, T) bool, or None.
        """
        narrow = getattr(embeddings, "narrow", embeddings)  # if factorised, without their projection to D
        x = self.project(narrow(input_ids, token_type_ids))  # (B, T, E) -> (B, T, D of the generator)
        visible_or_none = none_if_all_visible(visible)
        layer_pass = self.layer_pass if self.training else fast_layer
        for layer in self.layers:
            x, _ = layer_pass(cast(EncoderLayer, layer), x, visible_or_none)
        x = self.norm(F.gelu(self.transform(select(x, counted))))  # (N, E)
        return F.linear(x, embeddings.word.weight, self.bias)  # (N, V)


class ReplacedHead(nn.Module):
    """A head that predicts for each token whether the generator replaced it."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.transform = nn.Linear(config.hidden_size, config.hidden_size)
        self.classifier = nn.Linear(config.hidden_size, 1)

    def forward(self, hidden: Tensor) -> Tensor:
        return self.classifier(F.gelu(self.transform(hidden))).squeeze(-1)


class Electra(Model):
    """The discriminator, which is kept after pretraining, together with its generator."""

    def __init__(self, encoder: Backbone, heads: Mapping[str, nn.Module], generator: Generator):
        super().__init__(encoder, heads)
        self.generator = generator
