"""Whole word masking: the masked language model, but all subwords of a word are masked together.

The authors' release of May 2019 (github.com/google-research/bert). It differs from `mlm` in one method. Where
a name has two subwords, one no longer gives the other away, and the rest of the text has to be read.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data.batch import Batch, Specials
from ..data.masking import choose_whole_words
from .mlm import MLM


class WholeWordMLM(MLM):
    """Mask whole words. vocab: the tokens; those that start with ## continue a word. options: of MLM."""

    def __init__(self, specials: Specials, vocab: Sequence[str], max_length: int, **options: Any):
        super().__init__(specials, len(vocab), max_length, **options)
        self.continues = np.array([token.startswith("##") for token in vocab])

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return choose_whole_words(candidates, self.continues[batch.input_ids], self.rate, rng)
