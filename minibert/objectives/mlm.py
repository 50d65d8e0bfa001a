"""Masked language model: predict the hidden tokens from both sides.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1: 15% of the tokens; of these 80% [MASK], 10%
random, 10% kept. [UNK] in place of [MASK]: Clinchant et al. (2019, arXiv 1909.12744).
"""
import numpy as np

from ..batch import IGNORE, visible_all
from ..model.heads import TokenHead
from ..reference.masking import choose_positions, corrupt_80_10_10
from .base import Objective, token_loss


class MLM(Objective):
    """`rate` of the tokens are predicted; [CLS], [SEP] and padding never.

    to_mask, to_random: shares of these that are hidden and replaced; the rest is kept. hide_as: "mask", or
    "unk", which unlike [MASK] also occurs in later use. Raises ValueError for another, and for a rate that is
    not above 0 and at most 1; other wrong shares are refused where they are drawn.
    """

    name = "mlm"

    def __init__(self, specials, vocab_size, max_length, *, rate=0.15, to_mask=0.8, to_random=0.1,
                 hide_as="mask"):
        super().__init__(specials, vocab_size, max_length)
        if not 0 < rate <= 1:
            raise ValueError(f"rate={rate!r} must be above 0 and at most 1: a share of the tokens")
        if hide_as not in ("mask", "unk"):
            raise ValueError(f"hide_as={hide_as!r} must be 'mask' or 'unk'")
        self.rate, self.to_mask, self.to_random = rate, to_mask, to_random
        self.hidden_id = getattr(specials, hide_as)
        self.ordinary_ids = np.setdiff1d(np.arange(vocab_size), specials.ids)

    def draw(self, batch, candidates, rng):
        """(B, T) bool: some of the candidates."""
        return choose_positions(candidates, self.rate, rng)

    def choose(self, batch, rng):
        """(B, T) bool: the positions to predict; all, where the draw gave none: a mean needs something to
        average over.
        """
        candidates = self.candidates(batch)
        chosen = self.draw(batch, candidates, rng)
        return chosen if chosen.any() else candidates

    def hide(self, batch, chosen, rng):
        """(B, T) ids: what the model sees."""
        return corrupt_80_10_10(batch.input_ids, chosen, self.hidden_id, self.ordinary_ids, rng, self.to_mask,
                                self.to_random)

    def corrupt(self, batch, rng):
        chosen = self.choose(batch, rng)
        seen = self.hide(batch, chosen, rng)
        inputs = {"input_ids": seen, "token_type_ids": batch.token_type_ids,
                  "visible": visible_all(batch.real)}
        return inputs, {"tokens": np.where(chosen, batch.input_ids, IGNORE)}

    def heads(self, encoder):
        return {"tokens": TokenHead(encoder.config, encoder.embeddings.word)}

    def loss(self, outputs, labels):
        return token_loss(outputs["tokens"], labels["tokens"])
