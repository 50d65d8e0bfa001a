"""The base class of pretraining objectives, which get their labels from the text itself.

Devlin et al. (2019, arXiv 1810.04805), section 3.1.
"""

from collections.abc import Mapping

import numpy as np

from ..data.batch import Batch, Specials
from ..model.goal import Goal, token_loss

__all__ = ["Documents", "Objective", "Row", "token_loss"]

Documents = list[list[list[int]]]  # a list of documents, which are lists of sentences, which are lists of ids
Row = tuple  # (segment A, segment B or None), each a list of ids


class Objective(Goal):
    """A pretraining objective, which works with any encoder.

    specials: ids of the special tokens. vocab_size: V. max_length: maximum length, including special tokens.
    """

    label = "tokens"  # the name of the labels over which the loss is averaged

    def __init__(self, specials: Specials, vocab_size: int, max_length: int):
        self.specials, self.vocab_size, self.max_length = specials, vocab_size, max_length

    @property
    def terms(self) -> Mapping[str, str]:
        return {self.name: self.label}

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        """Build (sequences, sequence-level labels or None) from documents; called once per epoch.

        By default, the text of each document is cut into full sequences, as in RoBERTa's FULL-SENTENCES but
        regardless of sentence boundaries.
        """
        room = self.max_length - 2  # [CLS] A [SEP]
        texts = [[token for sentence in doc for token in sentence] for doc in docs]
        return [(text[i : i + room], None) for text in texts for i in range(0, len(text), room)], None

    def candidates(self, batch: Batch) -> np.ndarray:
        """Return which tokens may be predicted, (B, T) bool: all except special tokens and padding."""
        return batch.real & ~np.isin(batch.input_ids, self.specials.ids)
