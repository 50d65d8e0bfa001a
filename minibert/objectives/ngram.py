"""N-gram masking: the masked language model, but one, two or three neighbouring words are hidden together.

Lan et al. (2020, arXiv 1909.11942), section 4.1: ALBERT. It differs from `span` in the lengths and in that
each token has its own fate.
"""
import numpy as np

from ..reference.masking import ngram_positions, word_index
from .whole_word import WholeWordMLM


class NgramMLM(WholeWordMLM):
    """N-grams of whole words, P(n) ~ 1 / n, until `rate` of a row are hidden."""

    def draw(self, batch, candidates, rng):
        words = word_index(candidates, self.continues[batch.input_ids])         # (B, T)
        return np.stack([ngram_positions(row, self.rate, row_rng)
                         for row, row_rng in zip(words, rng.spawn(len(words)))])
