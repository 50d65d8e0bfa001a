"""Permutation language model: predict the last tokens of a random order from those before them.

Yang et al. (2019, arXiv 1906.08237), sections 2.2 and 2.3 (XLNet). Like `mlm`, it uses the context on both
sides, but without [MASK]: the order alone determines the attention mask.
"""
# paper: predicted tokens form spans (section 3.1), and in its code all other tokens see each other. Here
# single tokens are predicted, and the order applies to all tokens.

import numpy as np
from torch import nn

from ..data.batch import IGNORE, Batch
from ..data.permutation import factorization_order, last_in_order, permutation_visible
from ..model.goal import Arrays, Tensors, token_loss
from ..model.heads import Backbone, Model, TokenHead
from ..model.two_stream import TwoStream
from .base import Objective


class PLM(Objective):
    """The permutation language model, which predicts one of every `one_in` tokens, in a random order.

    Special tokens come first in every order and are never predicted.
    """

    name, one_in = "plm", 6  # section 3.1: K = 6

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        candidates = self.candidates(batch)  # (B, T)
        order = factorization_order(candidates, batch.real, rng)  # (B, T)
        visible, query_visible = permutation_visible(batch.real, order)  # (B, T, T) each
        predicted = last_in_order(order, candidates, self.one_in)  # (B, T)
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible,
            "query_visible": query_visible,
        }
        return inputs, {"tokens": np.where(predicted, batch.input_ids, IGNORE)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"tokens": TokenHead(encoder.config, encoder.embeddings.word)}

    def model(self, encoder: Backbone) -> Model:
        """Build a two-stream model: its query stream predicts the tokens."""
        return TwoStream(encoder, self.heads(encoder))

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {"plm": token_loss(outputs["tokens"], labels["tokens"])}
