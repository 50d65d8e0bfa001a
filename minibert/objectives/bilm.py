"""Bidirectional language model: predict each token from those on its left, and again from those on its right.

Peters et al. (2018, arXiv 1802.05365), section 3.1: ELMo. Two `clm`s in opposite directions with one softmax;
neither sees both sides at once. Its trunk returns "forward" and "backward" beside "hidden", each (B, T, D).
"""
import numpy as np

from ..batch import IGNORE, visible_all
from ..model.heads import NextTokenHead
from ..reference.masking import shifted
from .base import Objective, token_loss


class BiLM(Objective):
    """From forward[t] token t + 1, from backward[t] token t - 1; the loss is the mean of the two
    directions.
    """

    name, label = "bilm", "next"            # as many as "previous"

    def corrupt(self, batch, rng):
        tokens = np.where(self.candidates(batch), batch.input_ids, IGNORE)      # (B, T)
        inputs = {"input_ids": batch.input_ids, "token_type_ids": batch.token_type_ids,
                  "visible": visible_all(batch.real)}
        return inputs, {"next": shifted(tokens, 1), "previous": shifted(tokens, -1)}

    def heads(self, encoder):
        # paper: a softmax of its own, as ELMo reads characters and has no word embeddings
        word = encoder.embeddings.word
        return {"next": NextTokenHead(word, "forward"), "previous": NextTokenHead(word, "backward")}

    def loss(self, outputs, labels):
        return (token_loss(outputs["next"], labels["next"]) + token_loss(outputs["previous"],
                                                                         labels["previous"])) / 2
