"""Bidirectional language model: predict each token from the left context, and again from the right context.

Peters et al. (2018, arXiv 1802.05365), section 3.1: ELMo. Two causal language models (see `clm`) in opposite
directions share a softmax; neither uses both sides.
"""

import numpy as np
from torch import nn

from ..data.batch import IGNORE, Batch, visible_all
from ..data.masking import shifted
from ..model.goal import Arrays, Tensors, token_loss
from ..model.heads import Backbone, NextTokenHead
from .base import Objective


class BiLM(Objective):
    """The bidirectional language model: forward[t] predicts token t + 1, backward[t] predicts token t - 1.

    The encoder must return "forward" and "backward", (B, T, D). The loss is the mean over both directions.
    """

    name, label = "bilm", "next"  # there are as many "previous" labels

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        tokens = np.where(self.candidates(batch), batch.input_ids, IGNORE)  # (B, T)
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {"next": shifted(tokens, 1), "previous": shifted(tokens, -1)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        word = encoder.embeddings.word  # paper: a separate softmax, since ELMo reads characters
        return {"next": NextTokenHead(word, "forward"), "previous": NextTokenHead(word, "backward")}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        following, previous = (token_loss(outputs[name], labels[name]) for name in ("next", "previous"))
        return {"bilm": (following + previous) / 2}
