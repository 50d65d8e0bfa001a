"""Masked language model: predict the hidden tokens from both sides.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1: 15% of the tokens; of these 80% [MASK], 10% random, 10% kept.
"""
import numpy as np

from ..batch import IGNORE, visible_all
from ..model.heads import TokenHead
from ..reference.masking import choose_positions, corrupt_80_10_10
from .base import Objective, token_loss


class MLM(Objective):
    """`rate` of the tokens are predicted; [CLS], [SEP] and padding never."""

    name, rate = "mlm", 0.15

    def __init__(self, specials, vocab_size, max_length):
        super().__init__(specials, vocab_size, max_length)
        self.ordinary_ids = np.setdiff1d(np.arange(vocab_size), specials.ids)

    def candidates(self, batch):
        """(B, T) bool: what may be predicted at all."""
        return batch.real & ~np.isin(batch.input_ids, self.specials.ids)

    def draw(self, batch, candidates, rng):
        """(B, T) bool: some of the candidates."""
        return choose_positions(candidates, self.rate, rng)

    def choose(self, batch, rng):
        """(B, T) bool: the positions to predict; all, where the draw gave none: a mean needs something to average over."""
        candidates = self.candidates(batch)
        chosen = self.draw(batch, candidates, rng)
        return chosen if chosen.any() else candidates

    def corrupt(self, batch, rng):
        chosen = self.choose(batch, rng)
        seen = corrupt_80_10_10(batch.input_ids, chosen, self.specials.mask, self.ordinary_ids, rng)
        inputs = {"input_ids": seen, "token_type_ids": batch.token_type_ids, "visible": visible_all(batch.real)}
        return inputs, {"tokens": np.where(chosen, batch.input_ids, IGNORE)}

    def heads(self, encoder):
        return {"tokens": TokenHead(encoder.config, encoder.embeddings.word)}

    def loss(self, outputs, labels):
        return token_loss(outputs["tokens"], labels["tokens"])
