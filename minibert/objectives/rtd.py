"""Replaced token detection: a small generator fills in masked tokens, the model detects which they are.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2, table 6 (ELECTRA). `mlm` learns from the masked
tokens only; here every token has a label, and no [MASK] reaches the model that is kept. It alone has its own
step: two models, one loss.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..data.batch import IGNORE, Batch, Specials, visible_all
from ..model.electra import Electra, Generator, ReplacedHead, generator_config
from ..model.fast import select
from ..model.goal import Arrays, Tensors, token_loss
from ..model.heads import Backbone, Model
from .mlm import MLM

# Arguments of RTD for the three sizes of discriminator, table 6. Layers: as many as the discriminator.
GENERATORS = {
    "small": {"size": 1 / 4, "rate": 0.15},
    "base": {"size": 1 / 3, "rate": 0.15},
    "large": {"size": 1 / 4, "rate": 0.25},
}


@torch.no_grad()
def sample_by_row(logits: Tensor, counts: Sequence[int], seeds: Sequence[int]) -> Tensor:
    """Draw one id for each token from its logits (N, V), (N,) int64; each row of a batch has its own seed.

    counts: how many of the N tokens are in each row. An id carries no gradient: the discriminator's loss
    cannot teach the generator, which is no adversary.
    """
    draws = [torch.Generator(logits.device).manual_seed(seed) for seed in seeds]
    return torch.cat(
        [
            torch.multinomial(row.float().softmax(-1), 1, generator=own).squeeze(-1)
            for row, own in zip(logits.split(list(counts)), draws)
        ]
    )


@torch.no_grad()
def sample(logits: Tensor, uniform: Tensor) -> Tensor:
    """Draw one id for each token from its logits (N, V), (N,) int64: all at once, as a GPU wants it.

    uniform: (N,) random numbers in [0, 1). An id is drawn where the sum of the probabilities up to it passes
    the number.
    """
    sums = logits.float().softmax(-1).cumsum(-1)  # (N, V)
    ids = torch.searchsorted(sums, uniform[:, None] * sums[:, -1:], right=True).squeeze(-1)  # (N,)
    return ids.clamp(max=logits.shape[-1] - 1)


def replaced_token_labels(original: Tensor, seen: Tensor, real: Tensor) -> Tensor:
    """Label each token: 1 = replaced, 0 = original, IGNORE = padding.

    original, seen: ids (B, T); real: (B, T) bool. Returns (B, T) int64. A sampled token that equals the
    original counts as original (section 2).
    """
    return (seen != original).long().masked_fill(~real, IGNORE)


class RTD(MLM):
    """Detect replaced tokens. size: the generator's width as a share; rate: of the tokens. See GENERATORS."""

    name, weight = "rtd", 50.0  # weight: the paper's lambda

    def __init__(
        self, specials: Specials, vocab_size: int, max_length: int, size: float = 1 / 4, rate: float = 0.15
    ):
        super().__init__(specials, vocab_size, max_length, rate=rate)
        self.size = size

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return the generator's inputs and labels: every chosen token is [MASK].

        # paper's code: 15% of them are kept
        """
        chosen = self.choose(batch, rng)  # (B, T)
        inputs = {
            "input_ids": np.where(chosen, self.specials.mask, batch.input_ids),
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {"tokens": np.where(chosen, batch.input_ids, IGNORE)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"replaced": ReplacedHead(encoder.config)}

    def model(self, encoder: Backbone) -> Model:
        """Make the encoder's Model, the discriminator, with a fresh generator."""
        generator = Generator(
            generator_config(encoder.config, self.size), encoder.embeddings.word.embedding_dim
        )
        return Electra(encoder, self.heads(encoder), generator)

    def prepare(self, batch: Batch, rng: np.random.Generator) -> Any:
        """Return the generator's inputs and labels, with what both networks need further, by name.

        seed: one for each sequence's sampled words; uniform: a number in [0, 1) for each token, for the same
        on a GPU. Both are a sequence's own: its words do not depend on which others are computed beside it.
        """
        inputs, labels = self.corrupt(batch, rng)
        draws = {
            "seed": rng.integers(2**63, size=len(batch.real)),
            "uniform": rng.random(batch.real.shape, np.float32),
        }
        return (
            {**inputs, "original": batch.input_ids, **draws},
            {**labels, "replaced": np.where(batch.real, 0, IGNORE)},
        )

    def places(self, labels: Arrays) -> Arrays:
        return {**super().places(labels), "replaced at": np.flatnonzero(labels["replaced"] != IGNORE)}

    def replace(self, model: Electra, inputs: Tensors, labels: Tensors) -> tuple[Tensors, Tensor, Tensors]:
        """Let the generator fill in the masked tokens.

        inputs, labels: of `prepare`. Returns (inputs of the discriminator, the generator's logits (N, V), all
        labels).
        """
        inputs = dict(inputs)
        original, seeds, uniform = (inputs.pop(name) for name in ("original", "seed", "uniform"))
        tokens, judged = labels["tokens"], labels["replaced"] != IGNORE  # (B, T) each
        places = labels.get("tokens at", tokens != IGNORE)
        logits = model.generator(model.encoder.embeddings, **{**inputs, "counted": places})  # (N, V)
        if logits.device.type == "cpu":
            words = sample_by_row(logits, (tokens != IGNORE).sum(1).tolist(), seeds.tolist())  # (N,)
        else:
            words = sample(logits, select(uniform, places))
        seen = original.clone()
        (seen if places.dtype == torch.bool else seen.view(-1))[places] = words
        return (
            {**inputs, "input_ids": seen},
            logits,
            {**labels, "replaced": replaced_token_labels(original, seen, judged)},
        )

    def terms(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        assert isinstance(model, Electra)  # as `model` makes it
        inputs, logits, labels = self.replace(model, inputs, labels)
        return self.parts({"tokens": logits, **model(**inputs)}, labels)

    def parts(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Compute the generator's mean over masked tokens and the discriminator's over all, unweighted."""
        places = labels.get("replaced at", labels["replaced"] != IGNORE)
        replaced = F.binary_cross_entropy_with_logits(
            select(outputs["replaced"], places).float(), select(labels["replaced"], places).float()
        )
        generated = token_loss(outputs["tokens"], labels["tokens"], labels.get("tokens at"))
        return {"mlm": generated, "rtd": replaced}

    def counts(self, labels: Arrays) -> dict[str, int]:
        return {
            "mlm": int((labels["tokens"] != IGNORE).sum()),
            "rtd": int((labels["replaced"] != IGNORE).sum()),
        }

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensor:
        return self.combined(self.parts(outputs, labels))

    def combined(self, terms: Tensors) -> Tensor:
        """Return the combined loss of section 2."""
        return terms["mlm"] + self.weight * terms["rtd"]
