"""Token relation: does the token occur elsewhere in the document?

Sun et al. (2020, arXiv 1907.12412), ERNIE 2.0: one of its word-aware tasks. Like `nsp` it has two classes and
hides nothing, but it asks about every token.
"""
import dataclasses

import numpy as np
from torch.nn import functional as F

from ..batch import IGNORE, visible_all
from ..model.heads import TokenClassifierHead
from ..reference.packing import relation_examples
from .base import Objective


class TokenRelation(Objective):
    """Label 1 = the token occurs in another row of its document, 0 = only in this one.  # paper: another
    segment
    """

    name = label = "relation"

    def build(self, docs, rng):
        return relation_examples(docs, self.max_length)

    def collate(self, rows, sequence_labels=None, length=None):
        """sequence_labels: a list for each row, one label a token of A; the batch's sequence_labels are (B, T)."""
        batch = super().collate(rows, None, length)
        labels = np.full(batch.input_ids.shape, IGNORE)                         # (B, T)
        for row, of_row in zip(labels, sequence_labels):
            row[1:1 + len(of_row)] = of_row                                     # after [CLS]
        return dataclasses.replace(batch, sequence_labels=np.where(self.candidates(batch), labels, IGNORE))

    def corrupt(self, batch, rng):
        inputs = {"input_ids": batch.input_ids, "token_type_ids": batch.token_type_ids,
                  "visible": visible_all(batch.real)}
        return inputs, {self.name: batch.sequence_labels}

    def heads(self, encoder):
        return {self.name: TokenClassifierHead(encoder.config, 2)}

    def loss(self, outputs, labels):
        logits, label = outputs[self.name].float(), labels[self.name]           # (B, T, 2), (B, T)
        total = F.cross_entropy(logits.flatten(0, 1), label.flatten(), ignore_index=IGNORE, reduction="sum")
        return total / (label != IGNORE).sum().clamp(min=1)  # a batch may have nothing to count
