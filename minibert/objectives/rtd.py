"""Replaced token detection: a small generator fills the gaps, the model tells its words from the original
ones.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2, table 6 (ELECTRA). `mlm` learns from the hidden
tokens only; here every token has a label, and no [MASK] reaches the model that is kept. It alone overrides
`step`: two models, one loss.
"""
import numpy as np
import torch
from torch.nn import functional as F

from ..batch import ALL, IGNORE, visible_all
from ..model.electra import Electra, Generator, ReplacedHead, generator_config
from .base import shares_of, to_torch, token_loss, weigh
from .mlm import MLM

# Arguments of RTD for the three sizes of discriminator, table 6. Layers: as many as the discriminator.
GENERATORS = {
    "small": {"size": 1 / 4, "rate": 0.15},
    "base": {"size": 1 / 3, "rate": 0.15},
    "large": {"size": 1 / 4, "rate": 0.25},
}


@torch.no_grad()
def sample(logits, draws):
    """One id for each row of logits (N, V), from their softmax; draws: torch.Generator. Returns (N,) int64.

    An id carries no gradient: the discriminator's loss cannot teach the generator, which is no adversary.
    """
    return torch.multinomial(logits.float().softmax(-1), 1, generator=draws).squeeze(-1)


def replaced_token_labels(original, seen, real):
    """1 = replaced, 0 = original, IGNORE = padding. original, seen: ids (B, T); real: (B, T) bool. Returns
    (B, T) int64.

    A sampled token that equals the original counts as original (section 2).
    """
    return (seen != original).long().masked_fill(~real, IGNORE)


class RTD(MLM):
    """size: the generator's width as a share of the discriminator's; rate: the share of tokens it fills in.
    See GENERATORS.
    """

    name, weight = "rtd", 50.0                                                  # weight: the paper's lambda

    def __init__(self, specials, vocab_size, max_length, size=1 / 4, rate=0.15):
        super().__init__(specials, vocab_size, max_length, rate=rate)
        self.size = size

    def corrupt(self, batch, rng):
        """The generator's inputs and labels: every chosen token is hidden.  # paper's code: 85% [MASK], 15%
        kept
        """
        chosen = self.choose(batch, rng)                                        # (B, T)
        inputs = {"input_ids": np.where(chosen, self.specials.mask, batch.input_ids),
                  "token_type_ids": batch.token_type_ids, "visible": visible_all(batch.real)}
        return inputs, {"tokens": np.where(chosen, batch.input_ids, IGNORE)}

    def heads(self, encoder):
        return {"replaced": ReplacedHead(encoder.config)}

    def model(self, encoder):
        """The encoder as discriminator, with a fresh generator."""
        generator = Generator(generator_config(encoder.config, self.size),
                              encoder.embeddings.word.embedding_dim)
        return Electra(encoder, self.heads(encoder), generator)

    def parts(self, outputs, labels):
        """Generator: mean over the hidden tokens; discriminator: mean over all real tokens, not yet
        weighted.
        """
        counted = labels["replaced"] != IGNORE                                  # (B, T)
        replaced = F.binary_cross_entropy_with_logits(outputs["replaced"][counted].float(),
                                                      labels["replaced"][counted].float())
        return {"mlm": token_loss(outputs["tokens"], labels["tokens"]), "rtd": replaced}

    def counts(self, labels):
        return {"mlm": int((labels["tokens"] != IGNORE).sum()),
                "rtd": int((labels["replaced"] != IGNORE).sum())}

    def loss(self, outputs, labels):
        return self.total(self.parts(outputs, labels))

    def total(self, parts):
        """The combined loss of section 2."""
        return parts["mlm"] + self.weight * parts["rtd"]

    def replace(self, model, batch, hidden, rng, rows=ALL):
        """Generate and put in: (inputs of the discriminator, the generator's logits (N, V), all labels) of
        some rows.

        hidden: from `corrupt`. A row has draws of its own: its words do not depend on who else is computed
        beside it.
        """
        device = next(model.parameters()).device
        inputs, labels = (to_torch(arrays, device, rows) for arrays in hidden)
        chosen = labels["tokens"] != IGNORE                                     # (B, T)
        logits = model.generator(model.encoder.embeddings, **inputs, counted=chosen)        # (N, V)
        draws = [torch.Generator(device).manual_seed(int(seed))
                 for seed in rng.integers(2**63, size=len(batch.real))[rows]]
        of_rows = logits.split(chosen.sum(1).tolist())                          # B times (its N, V)
        words = torch.cat([sample(row, own) for row, own in zip(of_rows, draws)])       # (N,)
        original, real = (torch.from_numpy(array[rows]).to(device) for array in (batch.input_ids, batch.real))
        seen = original.masked_scatter(chosen, words)                           # (B, T)
        labels["replaced"] = replaced_token_labels(original, seen, real)
        return {**inputs, "input_ids": seen}, logits, labels

    def step(self, model, batch, rng, rows=ALL):
        hidden = self.corrupt(batch, rng)
        shares = shares_of(rows, {**hidden[1], "replaced": np.where(batch.real, 0, IGNORE)}, self.counts)

        def parts():
            inputs, logits, labels = self.replace(model, batch, hidden, rng, rows)
            return self.parts({"tokens": logits, **model(**inputs)}, labels)
        parts = weigh(shares, parts, next(model.parameters()).device)
        return self.total(parts), parts
