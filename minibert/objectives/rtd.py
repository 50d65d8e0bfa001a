"""Replaced token detection: a small generator fills the gaps, the model tells its words from the original ones.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2, table 6 (ELECTRA). `mlm` learns from the hidden tokens only; here
every token has a label, and no [MASK] reaches the model that is kept. It alone overrides `step`: two models, one loss.
"""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ..batch import IGNORE, visible_all
from ..model.encoder import EncoderLayer, init_weights
from ..model.heads import Model
from .base import to_torch, token_loss
from .mlm import MLM

# Arguments of RTD for the three sizes of discriminator, table 6. Layers: as many as the discriminator.
GENERATORS = {
    "small": {"size": 1 / 4, "rate": 0.15},
    "base": {"size": 1 / 3, "rate": 0.15},
    "large": {"size": 1 / 4, "rate": 0.25},
}


def generator_config(config, size):
    """The configuration of a generator: width, heads and feed-forward size times `size`, as many layers.

    config: ModelConfig of the discriminator; size: above 0, at most 1. Raises ValueError for another size.
    """
    if not 0 < size <= 1:
        raise ValueError(f"size={size!r} must be above 0 and at most 1: a share of the discriminator's width")
    return config.replace(**{name: max(1, round(size * getattr(config, name)))
                             for name in ("hidden_size", "num_attention_heads", "intermediate_size")})


class Generator(nn.Module):
    """A small masked language model without embeddings: it is called with the discriminator's, and projects them to its width.

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
        """embeddings: the module to share, ids and segment ids (B, T), visible (B, T, T), counted (B, T) bool -> (N, V)."""
        narrow = getattr(embeddings, "narrow", embeddings)                      # factorised: before their own projection to D
        x = self.project(narrow(input_ids, token_type_ids))                     # (B, T, E) -> (B, T, D of the generator)
        for layer in self.layers:
            x, _ = layer(x, visible, with_probs=False)
        x = self.norm(F.gelu(self.transform(x[counted])))                       # (N, E)
        return F.linear(x, embeddings.word.weight, self.bias)                   # (N, V)


class ReplacedHead(nn.Module):
    """hidden (B, T, D) -> logits (B, T) of "a generator put this token here"; its name in a Model is `replaced`."""

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


@torch.no_grad()
def sample(logits, draws):
    """One id for each row of logits (N, V), from their softmax; draws: torch.Generator. Returns (N,) int64.

    An id carries no gradient: the discriminator's loss cannot teach the generator, which is no adversary.
    """
    return torch.multinomial(logits.float().softmax(-1), 1, generator=draws).squeeze(-1)


def replaced_token_labels(original, seen, real):
    """1 = replaced, 0 = original, IGNORE = padding. original, seen: ids (B, T); real: (B, T) bool. Returns (B, T) int64.

    A sampled token that equals the original counts as original (section 2).
    """
    return (seen != original).long().masked_fill(~real, IGNORE)


class RTD(MLM):
    """size: the generator's width as a share of the discriminator's; rate: the share of tokens it fills in. See GENERATORS."""

    name, weight = "rtd", 50.0                                                  # weight: the paper's lambda

    def __init__(self, specials, vocab_size, max_length, size=1 / 4, rate=0.15):
        super().__init__(specials, vocab_size, max_length, rate=rate)
        self.size = size

    def corrupt(self, batch, rng):
        """The generator's inputs and labels: every chosen token is hidden.  # paper's code: 85% [MASK], 15% kept"""
        chosen = self.choose(batch, rng)                                        # (B, T)
        inputs = {"input_ids": np.where(chosen, self.specials.mask, batch.input_ids),
                  "token_type_ids": batch.token_type_ids, "visible": visible_all(batch.real)}
        return inputs, {"tokens": np.where(chosen, batch.input_ids, IGNORE)}

    def heads(self, encoder):
        return {"replaced": ReplacedHead(encoder.config)}

    def model(self, encoder):
        """The encoder as discriminator, with a fresh generator."""
        generator = Generator(generator_config(encoder.config, self.size), encoder.embeddings.word.embedding_dim)
        return Electra(encoder, self.heads(encoder), generator)

    def parts(self, outputs, labels):
        """Generator: mean over the hidden tokens; discriminator: mean over all real tokens, not yet weighted."""
        counted = labels["replaced"] != IGNORE                                  # (B, T)
        replaced = F.binary_cross_entropy_with_logits(outputs["replaced"][counted].float(), labels["replaced"][counted].float())
        return {"mlm": token_loss(outputs["tokens"], labels["tokens"]), "rtd": replaced}

    def loss(self, outputs, labels):
        return self.total(self.parts(outputs, labels))

    def total(self, parts):
        """The combined loss of section 2."""
        return parts["mlm"] + self.weight * parts["rtd"]

    def replace(self, model, batch, rng):
        """Hide, generate, put in: (inputs of the discriminator, the generator's logits (N, V), all labels)."""
        device = next(model.parameters()).device
        inputs, labels = (to_torch(arrays, device) for arrays in self.corrupt(batch, rng))
        chosen = labels["tokens"] != IGNORE                                     # (B, T)
        logits = model.generator(model.encoder.embeddings, **inputs, counted=chosen)        # (N, V)
        draws = torch.Generator(device).manual_seed(int(rng.integers(2**63)))
        original, real = (torch.from_numpy(array).to(device) for array in (batch.input_ids, batch.real))
        seen = original.masked_scatter(chosen, sample(logits, draws))           # (B, T)
        labels["replaced"] = replaced_token_labels(original, seen, real)
        return {**inputs, "input_ids": seen}, logits, labels

    def step(self, model, batch, rng):
        inputs, logits, labels = self.replace(model, batch, rng)
        parts = self.parts({"tokens": logits, **model(**inputs)}, labels)
        return self.total(parts), parts
