"""Token relation prediction: does the token occur elsewhere in the document?

Sun et al. (2020, arXiv 1907.12412), ERNIE 2.0, one of its word-aware tasks. Like `nsp`, it has two classes,
but it labels every token.
"""

import numpy as np
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE, Batch, visible_all
from ..data.packing import relation_examples
from ..model.goal import Arrays, Tensors
from ..model.heads import Backbone, TokenClassifierHead
from .base import Documents, Objective, Row


class TokenRelation(Objective):
    """The token relation objective: predict whether a token also occurs elsewhere in its document.

    1 = the token occurs in another sequence of the document, 0 = it does not.
    """

    # paper: 1 = in another segment
    name = label = "relation"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        rows, labels = relation_examples(docs, self.max_length)
        return rows, [[IGNORE, *of_tokens, IGNORE] for of_tokens in labels]  # [CLS] A [SEP]

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        labels = np.where(self.candidates(batch), batch.sequence_labels, IGNORE)  # type: ignore[arg-type]
        return inputs, {self.name: labels}  # batch.sequence_labels comes from `build`

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {self.name: TokenClassifierHead(encoder.config, 2)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        logits, label = outputs[self.name].float(), labels[self.name]  # (B, T, 2), (B, T)
        summed = F.cross_entropy(logits.flatten(0, 1), label.flatten(), ignore_index=IGNORE, reduction="sum")
        return {self.name: summed / (label != IGNORE).sum().clamp(min=1)}  # there may be no counted token
