"""ELECTRA around a trunk: a small generator beside it, and the head that tells the generator's words from the
original ones.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2. `heads` has what reads one trunk; here a second
network rides along.
"""
import torch
from torch import nn
from torch.nn import functional as F

from .attention import none_hidden
from .encoder import EncoderLayer, init_weights
from .heads import Model


def generator_config(config, size):
    """The configuration of a generator: width, heads and feed-forward size times `size`, as many layers.

    config: ModelConfig of the discriminator; size: above 0, at most 1. Raises ValueError for another size.
    """
    if not 0 < size <= 1:
        raise ValueError(f"size={size!r} must be above 0 and at most 1: a share of the discriminator's width")
    return config.replace(**{name: max(1, round(size * getattr(config, name)))
                             for name in ("hidden_size", "num_attention_heads", "intermediate_size")})


class Generator(nn.Module):
    """A small masked language model without embeddings: it is called with the discriminator's, and projects
    them to its width.

    embedding_size: E of the shared embeddings, the discriminator's D unless these are factorised.
    """

    def __init__(self, config, embedding_size):
        super().__init__()
        self.project = nn.Linear(embedding_size, config.hidden_size)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.num_hidden_layers))
        self.transform = nn.Linear(config.hidden_size, embedding_size)
        self.norm = nn.LayerNorm(embedding_size, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def forward(self, embeddings, input_ids, visible, token_type_ids, counted):
        """embeddings: the module to share, ids and segment ids (B, T), visible (B, T, T), counted (B, T) bool
        -> (N, V).
        """
        narrow = getattr(embeddings, "narrow", embeddings)  # factorised: before their own projection to D
        x = self.project(narrow(input_ids, token_type_ids))  # (B, T, E) -> (B, T, D of the generator)
        visible = none_hidden(visible)
        for layer in self.layers:
            x, _ = layer(x, visible, with_probs=False)
        x = self.norm(F.gelu(self.transform(x[counted])))                       # (N, E)
        return F.linear(x, embeddings.word.weight, self.bias)                   # (N, V)


class ReplacedHead(nn.Module):
    """hidden (B, T, D) -> logits (B, T) of "a generator put this token here"; its name in a Model is
    `replaced`.
    """

    def __init__(self, config):
        super().__init__()
        self.transform = nn.Linear(config.hidden_size, config.hidden_size)
        self.classifier = nn.Linear(config.hidden_size, 1)

    def forward(self, hidden):
        return self.classifier(F.gelu(self.transform(hidden))).squeeze(-1)


class Electra(Model):
    """The discriminator is the Model, and all that is kept after pretraining; the generator rides along."""

    def __init__(self, encoder, heads, generator):
        super().__init__(encoder, heads)
        self.generator = generator
