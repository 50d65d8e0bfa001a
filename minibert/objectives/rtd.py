"""Replaced token detection: a small generator fills in masked tokens, and the model detects them.

Clark et al. (2020, arXiv 2003.10555), sections 2 and 3.2 (ELECTRA). `mlm` learns from the masked tokens only;
here every token has a label, and the discriminator, which is the model that is kept, never sees [MASK].
"""

from collections.abc import Sequence

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


@torch.no_grad()
def sample_by_row(logits: Tensor, counts: Sequence[int], seeds: Sequence[int]) -> Tensor:
    """Sample one id for each token from its logits (N, V), with a separate seed for each sequence.

    counts: the number of tokens in each sequence, N in total. Returns (N,) int64. Sampling has no gradient,
    so the discriminator's loss does not train the generator, unlike in a GAN.
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
    """Sample one id for each token from its logits (N, V), in a vectorised form suited to a GPU.

    uniform: (N,) random numbers in [0, 1). The sampled id is the first whose cumulative probability exceeds
    the number. Returns (N,) int64.
    """
    sums = logits.float().softmax(-1).cumsum(-1)  # (N, V)
    ids = torch.searchsorted(sums, uniform[:, None] * sums[:, -1:], right=True).squeeze(-1)  # (N,)
    return ids.clamp(max=logits.shape[-1] - 1)


def replaced_token_labels(original: Tensor, seen: Tensor, real: Tensor) -> Tensor:
    """Label each token: 1 = replaced, 0 = original, IGNORE = padding.

    original, seen: ids (B, T). real: (B, T) bool, False = padding. Returns (B, T) int64. A sampled token that
    equals the original one is labelled as original (section 2).
    """
    return (seen != original).long().masked_fill(~real, IGNORE)


class RTD(MLM):
    """The replaced token detection objective.

    size: the generator's width as a fraction of the discriminator's. rate: the fraction of masked tokens. In
    the paper (table 6), they are 1/4 and 0.15 for the small model, 1/3 and 0.15 for base, 1/4 and 0.25 for
    large.
    """

    name = "rtd"
    terms = {"mlm": "tokens", "rtd": "replaced"}
    weights = {"rtd": 50.0}  # the paper's lambda

    def __init__(
        self, specials: Specials, vocab_size: int, max_length: int, size: float = 1 / 4, rate: float = 0.15
    ):
        super().__init__(specials, vocab_size, max_length, rate=rate)
        self.size = size

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return the inputs and labels of both networks, with every chosen token replaced by [MASK].

        The inputs include the `original` ids, and random numbers for sampling: a `seed` for each sequence
        and, for use on a GPU, a number `uniform` in [0, 1) for each token. So a sequence's sampled tokens do
        not depend on its batch.
        """
        # paper's code: 15% of the chosen tokens are kept
        chosen = self.choose(batch, rng)  # (B, T)
        inputs = {
            "input_ids": np.where(chosen, self.specials.mask, batch.input_ids),
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
            "original": batch.input_ids,
            "real": batch.real,
            "seed": rng.integers(2**63, size=len(batch.real)),
            "uniform": rng.random(batch.real.shape, np.float32),
        }
        return inputs, {
            "tokens": np.where(chosen, batch.input_ids, IGNORE),
            "replaced": np.where(batch.real, 0, IGNORE),  # `step` computes the actual labels
        }

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"replaced": ReplacedHead(encoder.config)}

    def model(self, encoder: Backbone) -> Model:
        """Build a Model with the encoder as discriminator and a new generator."""
        generator = Generator(
            generator_config(encoder.config, self.size), encoder.embeddings.word.embedding_dim
        )
        return Electra(encoder, self.heads(encoder), generator)

    def replace(self, model: Electra, inputs: Tensors, labels: Tensors) -> tuple[Tensor, Tensor]:
        """Fill in the masked tokens with the generator; return its logits (N, V) and the new ids (B, T)."""
        original, counted = inputs["original"], inputs.get("counted")
        if counted is None:
            counted = (labels["tokens"] != IGNORE).flatten().nonzero().squeeze(1)  # (N,)
        given = {name: inputs[name] for name in ("input_ids", "token_type_ids", "visible")}
        logits = model.generator(model.encoder.embeddings, **given, counted=counted)  # (N, V)
        if logits.device.type == "cpu":
            counts = torch.bincount(counted // original.shape[1], minlength=len(original))  # (B,)
            words = sample_by_row(logits, counts.tolist(), inputs["seed"].tolist())  # (N,)
        else:
            words = sample(logits, select(inputs["uniform"], counted))
        seen = original.clone()
        seen.view(-1)[counted] = words
        return logits, seen

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Fill in the masked tokens with the generator, and return the losses of both networks."""
        assert isinstance(model, Electra)  # the result of `model`
        logits, seen = self.replace(model, inputs, labels)
        judged = model(seen, inputs["visible"], inputs["token_type_ids"])["replaced"]  # (B, T)
        replaced = replaced_token_labels(inputs["original"], seen, labels["replaced"] != IGNORE)  # (B, T)
        real = inputs["real"]
        return self.loss(
            {"tokens": logits, "replaced": select(judged, real)},
            {**labels, "replaced": select(replaced, real)},
        )

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Return the generator's mean loss over masked tokens and the discriminator's over all tokens.

        The entry "replaced" of `outputs` and `labels` is (M,), for the M tokens that are not padding.
        """
        replaced = F.binary_cross_entropy_with_logits(outputs["replaced"].float(), labels["replaced"].float())
        return {"mlm": token_loss(outputs["tokens"], labels["tokens"]), "rtd": replaced}
