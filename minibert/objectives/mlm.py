"""Masked language model: predict masked tokens from the context on both sides.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1: 15% of the tokens are predicted; of these, 80%
are replaced by [MASK], 10% by a random token, and 10% are kept. [UNK] instead of [MASK]: Clinchant et al.
(2019, arXiv 1909.12744).
"""

import numpy as np
from torch import nn

from ..data.batch import IGNORE, Batch, Specials, visible_all
from ..data.masking import choose_positions, corrupt_80_10_10
from ..model.goal import Arrays, Tensors, token_loss
from ..model.heads import Backbone, TokenHead
from .base import Objective


class MLM(Objective):
    """The masked language model, which predicts a fraction `rate` of the tokens other than special tokens.

    to_mask, to_random: the fractions of the predicted tokens that are masked or replaced by a random token;
    the rest are kept. hide_as: "mask" to mask with [MASK], or "unk" to mask with [UNK], which also occurs
    after pretraining. Raises ValueError for invalid values; to_mask and to_random are checked only when
    tokens are masked.
    """

    name = "mlm"

    def __init__(
        self,
        specials: Specials,
        vocab_size: int,
        max_length: int,
        *,
        rate: float = 0.15,
        to_mask: float = 0.8,
        to_random: float = 0.1,
        hide_as: str = "mask",
    ):
        super().__init__(specials, vocab_size, max_length)
        if not 0 < rate <= 1:
            raise ValueError(f"rate={rate!r} must be above 0 and at most 1: it is a fraction of the tokens")
        if hide_as not in ("mask", "unk"):
            raise ValueError(f"hide_as={hide_as!r} must be 'mask' or 'unk'")
        self.rate, self.to_mask, self.to_random = rate, to_mask, to_random
        self.mask_id = getattr(specials, hide_as)
        self.ordinary_ids = np.setdiff1d(np.arange(vocab_size), specials.ids)

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Choose tokens to predict at random from the candidates; return (B, T) bool."""
        return choose_positions(candidates, self.rate, rng)

    def choose(self, batch: Batch, rng: np.random.Generator) -> np.ndarray:
        """Return which tokens to predict, (B, T) bool: those chosen by `draw`, or all candidates if none."""
        candidates = self.candidates(batch)
        chosen = self.draw(batch, candidates, rng)
        return chosen if chosen.any() else candidates

    def hide(self, batch: Batch, chosen: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return the batch's ids (B, T) with most of the `chosen` tokens masked, as input of the model."""
        return corrupt_80_10_10(
            batch.input_ids, chosen, self.mask_id, self.ordinary_ids, rng, self.to_mask, self.to_random
        )

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        chosen = self.choose(batch, rng)
        seen = self.hide(batch, chosen, rng)
        inputs = {
            "input_ids": seen,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {"tokens": np.where(chosen, batch.input_ids, IGNORE)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"tokens": TokenHead(encoder.config, encoder.embeddings.word)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {"mlm": token_loss(outputs["tokens"], labels["tokens"])}
