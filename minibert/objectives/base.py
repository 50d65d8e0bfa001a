"""The interface of a pretraining objective: from documents to labels that the text itself provides.

Devlin et al. (2019, arXiv 1810.04805), section 3.1. To a Goal it adds how sequences are built from documents.
"""

from collections.abc import Mapping

import numpy as np

from ..data.batch import Batch, Specials
from ..model.goal import Goal, token_loss

__all__ = ["Documents", "Objective", "Row", "token_loss"]

Documents = list[list[list[int]]]  # documents of sentences of ids
Row = tuple  # (segment A, segment B or None), each a list of ids


class Objective(Goal):
    """What an encoder is pretrained for. It does not know what the encoder is made of.

    specials: ids of the special tokens; vocab_size: V; max_length: of a sequence, special tokens included.
    """

    label = "tokens"  # the labels that the loss is a mean over

    def __init__(self, specials: Specials, vocab_size: int, max_length: int):
        self.specials, self.vocab_size, self.max_length = specials, vocab_size, max_length

    @property
    def terms(self) -> Mapping[str, str]:
        return {self.name: self.label}

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        """Build (sequences, sequence-level labels or None) from documents; called once an epoch.

        Here: each document's text cut into sequences that are full (FULL-SENTENCES of RoBERTa, without its
        cut at sentences).
        """
        room = self.max_length - 2  # [CLS] A [SEP]
        texts = [[token for sentence in doc for token in sentence] for doc in docs]
        return [(text[i : i + room], None) for text in texts for i in range(0, len(text), room)], None

    def candidates(self, batch: Batch) -> np.ndarray:
        """Return which tokens may be predicted, (B, T) bool: all but [CLS], [SEP] and padding."""
        return batch.real & ~np.isin(batch.input_ids, self.specials.ids)
