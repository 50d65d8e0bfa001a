"""Replaced token detection: a small generator fills in masked tokens, the model detects which they are.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2, table 6 (ELECTRA). `mlm` learns from the masked
tokens only; here every token has a label, and no [MASK] reaches the model that is kept. It alone has its own
step: two models, one loss.
"""
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..batch import ALL, IGNORE, Batch, Specials, visible_all
from ..model.electra import Electra, Generator, ReplacedHead, generator_config
from ..model.goal import Arrays, Tensors, shares_of, to_torch, token_loss, weigh
from ..model.heads import Backbone, Model
from .mlm import MLM

# Arguments of RTD for the three sizes of discriminator, table 6. Layers: as many as the discriminator.
GENERATORS = {
    "small": {"size": 1 / 4, "rate": 0.15},
    "base": {"size": 1 / 3, "rate": 0.15},
    "large": {"size": 1 / 4, "rate": 0.25},
}


@torch.no_grad()
def sample(logits: Tensor, draws: torch.Generator) -> Tensor:
    """Draw one id for each row of logits (N, V) from their softmax; returns (N,) int64.

    An id carries no gradient: the discriminator's loss cannot teach the generator, which is no adversary.
    """
    return torch.multinomial(logits.float().softmax(-1), 1, generator=draws).squeeze(-1)


def replaced_token_labels(original: Tensor, seen: Tensor, real: Tensor) -> Tensor:
    """Label each token: 1 = replaced, 0 = original, IGNORE = padding.

    original, seen: ids (B, T); real: (B, T) bool. Returns (B, T) int64. A sampled token that equals the
    original counts as original (section 2).
    """
    return (seen != original).long().masked_fill(~real, IGNORE)


class RTD(MLM):
    """Detect replaced tokens. size: the generator's width as a share; rate: of the tokens. See GENERATORS."""

    name, weight = "rtd", 50.0                                                  # weight: the paper's lambda

    def __init__(self, specials: Specials, vocab_size: int, max_length: int, size: float = 1 / 4,
                 rate: float = 0.15):
        super().__init__(specials, vocab_size, max_length, rate=rate)
        self.size = size

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return the generator's inputs and labels: every chosen token is [MASK].

        # paper's code: 15% of them are kept
        """
        chosen = self.choose(batch, rng)                                        # (B, T)
        inputs = {"input_ids": np.where(chosen, self.specials.mask, batch.input_ids),
                  "token_type_ids": batch.token_type_ids, "visible": visible_all(batch.real)}
        return inputs, {"tokens": np.where(chosen, batch.input_ids, IGNORE)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"replaced": ReplacedHead(encoder.config)}

    def model(self, encoder: Backbone) -> Model:
        """Make the encoder's Model, the discriminator, with a fresh generator."""
        generator = Generator(generator_config(encoder.config, self.size),
                              encoder.embeddings.word.embedding_dim)
        return Electra(encoder, self.heads(encoder), generator)

    def parts(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Compute the generator's mean over masked tokens and the discriminator's over all, unweighted."""
        counted = labels["replaced"] != IGNORE                                  # (B, T)
        replaced = F.binary_cross_entropy_with_logits(outputs["replaced"][counted].float(),
                                                      labels["replaced"][counted].float())
        return {"mlm": token_loss(outputs["tokens"], labels["tokens"]), "rtd": replaced}

    def counts(self, labels: Arrays) -> dict[str, int]:
        return {"mlm": int((labels["tokens"] != IGNORE).sum()),
                "rtd": int((labels["replaced"] != IGNORE).sum())}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensor:
        return self.combined(self.parts(outputs, labels))

    def combined(self, parts: Tensors) -> Tensor:
        """Return the combined loss of section 2."""
        return parts["mlm"] + self.weight * parts["rtd"]

    def prepare(self, batch: Batch, rng: np.random.Generator) -> Any:
        """Return (batch, generator's inputs and labels, one seed for each sequence's sampled words)."""
        return batch, self.corrupt(batch, rng), rng.integers(2**63, size=len(batch.real))

    def replace(self, model: Electra, prepared: Any, rows: slice = ALL) -> tuple[Tensors, Tensor, Tensors]:
        """Let the generator fill in the masked tokens of some sequences.

        A sequence has a seed of its own: its words do not depend on which others are computed beside it.
        Returns (inputs of the discriminator, the generator's logits (N, V), all labels).
        """
        batch, masked, seeds = prepared
        device = next(model.parameters()).device
        inputs, labels = (to_torch(arrays, device, rows) for arrays in masked)
        chosen = labels["tokens"] != IGNORE                                     # (B, T)
        logits = model.generator(model.encoder.embeddings, **inputs, counted=chosen)    # (N, V)
        draws = [torch.Generator(device).manual_seed(int(seed)) for seed in seeds[rows]]
        of_rows = logits.split(chosen.sum(1).tolist())                          # B times (its N, V)
        words = torch.cat([sample(row, own) for row, own in zip(of_rows, draws)])       # (N,)
        original, real = (torch.from_numpy(array[rows]).to(device) for array in (batch.input_ids, batch.real))
        seen = original.masked_scatter(chosen, words)                           # (B, T)
        labels["replaced"] = replaced_token_labels(original, seen, real)
        return {**inputs, "input_ids": seen}, logits, labels

    def losses(self, model: nn.Module, prepared: Any, rows: slice = ALL) -> tuple[Tensor, Tensors]:
        assert isinstance(model, Electra)                   # as `model` makes it
        batch, (_, labels), _ = prepared
        shares = shares_of(rows, {**labels, "replaced": np.where(batch.real, 0, IGNORE)}, self.counts)

        def terms():
            inputs, logits, labels = self.replace(model, prepared, rows)
            return self.parts({"tokens": logits, **model(**inputs)}, labels)
        weighted = weigh(shares, terms, next(model.parameters()).device)
        return self.combined(weighted), weighted
