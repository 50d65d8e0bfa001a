"""Causal language model: predict each token from the tokens to its left.

Radford et al. (2018, "Improving language understanding by generative pre-training"), section 3.1: GPT. Unlike
in `mlm`, no token is masked; instead, the attention mask excludes the tokens to the right.
"""

import numpy as np
from torch import nn

from ..data.batch import IGNORE, Batch, visible_causal
from ..data.masking import shifted
from ..model.goal import Arrays, Tensors, token_loss
from ..model.heads import Backbone, NextTokenHead
from .base import Objective


class CLM(Objective):
    """The causal language model; the label at position t is token t + 1, or IGNORE for a special token."""

    name = "clm"

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        tokens = np.where(self.candidates(batch), batch.input_ids, IGNORE)  # (B, T)
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_causal(batch.real),
        }
        return inputs, {"tokens": shifted(tokens, 1)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"tokens": NextTokenHead(encoder.embeddings.word)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {"clm": token_loss(outputs["tokens"], labels["tokens"])}
