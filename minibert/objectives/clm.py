"""Causal language model: predict each token from those on its left.

Radford et al. (2018, "Improving language understanding by generative pre-training"), section 3.1: GPT.
Against `mlm` nothing is hidden from the input; what is not to be seen is not visible.
"""
import numpy as np

from ..batch import IGNORE, visible_causal
from ..model.heads import NextTokenHead
from ..reference.masking import shifted
from .base import Objective, token_loss


class CLM(Objective):
    """The label at t is token t + 1; every token but [CLS], [SEP] and padding is predicted."""

    name = "clm"

    def corrupt(self, batch, rng):
        tokens = np.where(self.candidates(batch), batch.input_ids, IGNORE)      # (B, T)
        inputs = {"input_ids": batch.input_ids, "token_type_ids": batch.token_type_ids,
                  "visible": visible_causal(batch.real)}
        return inputs, {"tokens": shifted(tokens, 1)}

    def heads(self, encoder):
        return {"tokens": NextTokenHead(encoder.embeddings.word)}

    def loss(self, outputs, labels):
        return token_loss(outputs["tokens"], labels["tokens"])
