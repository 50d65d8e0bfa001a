"""Whole word masking: a masked language model that masks all subwords of a word together.

Released by BERT's authors in May 2019 (github.com/google-research/bert). It differs from `mlm` in one method.
If a name has two subwords, one can no longer be guessed from the other.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data.batch import Batch, Specials
from ..data.masking import choose_whole_words
from .mlm import MLM


class WholeWordMLM(MLM):
    """The masked language model with whole word masking.

    vocab: the list of tokens; those that start with ## continue a word. options: passed to MLM.
    """

    def __init__(self, specials: Specials, vocab: Sequence[str], max_length: int, **options: Any):
        super().__init__(specials, len(vocab), max_length, **options)
        self.continues = np.array([token.startswith("##") for token in vocab])

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return choose_whole_words(candidates, self.continues[batch.input_ids], self.rate, rng)
