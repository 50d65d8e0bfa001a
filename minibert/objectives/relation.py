"""Token relation: does the token occur elsewhere in the document?

Sun et al. (2020, arXiv 1907.12412), ERNIE 2.0: one of its word-aware tasks. Like `nsp` it has two classes and
masks nothing, but it asks about every token.
"""

import dataclasses

import numpy as np
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE, Batch, visible_all
from ..data.packing import relation_examples
from ..model.goal import Arrays, Tensors
from ..model.heads import Backbone, TokenClassifierHead
from .base import Documents, Objective, Row


class TokenRelation(Objective):
    """Label 1 = the token occurs in another sequence of its document, 0 = only in this one.

    # paper: another segment
    """

    name = label = "relation"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return relation_examples(docs, self.max_length)

    def collate(self, rows: list, labels: list | None = None, length: int | None = None) -> Batch:
        """Pad sequences to a Batch with sequence_labels (B, T).

        labels: a list for each sequence, with one label for each token of A.
        """
        batch = super().collate(rows, None, length)
        of_tokens = np.full(batch.input_ids.shape, IGNORE)  # (B, T)
        for row, of_row in zip(of_tokens, labels or ()):
            row[1 : 1 + len(of_row)] = of_row  # after [CLS]
        return dataclasses.replace(batch, sequence_labels=np.where(self.candidates(batch), of_tokens, IGNORE))

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {self.name: batch.sequence_labels}  # type: ignore[dict-item]  # `collate` gives labels

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {self.name: TokenClassifierHead(encoder.config, 2)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        logits, label = outputs[self.name].float(), labels[self.name]  # (B, T, 2), (B, T)
        summed = F.cross_entropy(logits.flatten(0, 1), label.flatten(), ignore_index=IGNORE, reduction="sum")
        return {self.name: summed / (label != IGNORE).sum().clamp(min=1)}  # there may be nothing to count
