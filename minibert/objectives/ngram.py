"""N-gram masking: the masked language model, but one, two or three neighbouring words are masked together.

Lan et al. (2020, arXiv 1909.11942), section 4.1: ALBERT. It differs from `span` in the lengths, and each
token is masked, replaced or kept by itself.
"""

import numpy as np

from ..data.batch import Batch
from ..data.masking import ngram_positions, word_index
from .whole_word import WholeWordMLM


class NgramMLM(WholeWordMLM):
    """Mask n-grams of whole words, P(n) ~ 1 / n, until a share `rate` of a sequence is masked."""

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        words = word_index(candidates, self.continues[batch.input_ids])  # (B, T)
        return np.stack(
            [ngram_positions(row, self.rate, row_rng) for row, row_rng in zip(words, rng.spawn(len(words)))]
        )
