"""Whole word masking: the masked language model, but a word is hidden with all its pieces or not at all.

The authors' release of May 2019 (github.com/google-research/bert). It differs from `mlm` in one method. Where
a name has two pieces, one no longer gives the other away, and the rest of the text has to be read.
"""
import numpy as np

from ..reference.masking import choose_whole_words
from .mlm import MLM


class WholeWordMLM(MLM):
    """vocab: the pieces; those that start with ## go on a word. options: of MLM."""

    def __init__(self, specials, vocab, max_length, **options):
        super().__init__(specials, len(vocab), max_length, **options)
        self.continues = np.array([piece.startswith("##") for piece in vocab])

    def draw(self, batch, candidates, rng):
        return choose_whole_words(candidates, self.continues[batch.input_ids], self.rate, rng)
