"""Two questions about every token: was its word capitalised, and does it occur elsewhere in the document?

Sun et al. (2020, arXiv 1907.12412), ERNIE 2.0, its word-aware tasks beside the masks of `entity`. Against `mlm` nothing is hidden;
a token has one of two classes.
"""
import dataclasses

import numpy as np
from torch.nn import functional as F

from ..batch import IGNORE, visible_all
from ..model.heads import TokenClassifierHead
from ..reference.packing import relation_examples
from .base import Objective


class TokenRelation(Objective):
    """Label 1 = the token occurs in another row of its document, 0 = only in this one.  # paper: another segment"""

    name = "relation"

    def build(self, docs, rng):
        return relation_examples(docs, self.max_length)

    def collate(self, rows, row_labels=None, length=None):
        """row_labels: a list for each row, one label a token of A; the batch's row_labels are (B, T)."""
        batch = super().collate(rows, None, length)
        labels = np.full(batch.input_ids.shape, IGNORE)                         # (B, T)
        for row, of_row in zip(labels, row_labels):
            row[1:1 + len(of_row)] = of_row                                     # after [CLS]
        return dataclasses.replace(batch, row_labels=np.where(self.candidates(batch), labels, IGNORE))

    def corrupt(self, batch, rng):
        inputs = {"input_ids": batch.input_ids, "token_type_ids": batch.token_type_ids, "visible": visible_all(batch.real)}
        return inputs, {self.name: batch.row_labels}

    def heads(self, encoder):
        return {self.name: TokenClassifierHead(encoder.config, 2)}

    def loss(self, outputs, labels):
        logits, label = outputs[self.name].float(), labels[self.name]           # (B, T, 2), (B, T)
        total = F.cross_entropy(logits.flatten(0, 1), label.flatten(), ignore_index=IGNORE, reduction="sum")
        return total / (label != IGNORE).sum().clamp(min=1)                     # a batch may have nothing to count


class Capitalisation(TokenRelation):
    """Label 1 = capitalised, 0 = not. The model reads the lower-case piece; counted where the vocabulary has both.

    Raises ValueError for a vocabulary that has no piece in both cases.  # the paper says only what is predicted
    """

    name = "capital"
    build, collate = Objective.build, Objective.collate

    def __init__(self, specials, vocab, max_length):
        super().__init__(specials, len(vocab), max_length)
        ids = {piece: i for i, piece in enumerate(vocab)}
        self.lower_ids = np.array([ids.get(piece.lower(), i) for i, piece in enumerate(vocab)])     # (V,)
        self.capital = self.lower_ids != np.arange(len(vocab))                  # (V,)
        self.in_both_cases = self.capital | np.isin(np.arange(len(vocab)), self.lower_ids[self.capital])
        if not self.capital.any():
            raise ValueError(f"none of {len(vocab)} pieces stands in the vocabulary in both cases")

    def corrupt(self, batch, rng):
        counted = self.candidates(batch) & self.in_both_cases[batch.input_ids]  # (B, T)
        inputs = {"input_ids": self.lower_ids[batch.input_ids], "token_type_ids": batch.token_type_ids,
                  "visible": visible_all(batch.real)}
        return inputs, {self.name: np.where(counted, self.capital[batch.input_ids], IGNORE)}
