"""Span masking: a masked language model that masks, replaces or keeps neighbouring words together.

Joshi et al. (2020, arXiv 1907.10529), section 3.1: SpanBERT. Like `whole_word`, with another choice of words.
"""

import numpy as np

from ..data.batch import Batch
from ..data.masking import corrupt_spans, span_positions, word_index
from .whole_word import WholeWordMLM


class SpanMLM(WholeWordMLM):
    """The masked language model on spans of whole words, which cover at least `rate` of a sequence."""

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        words = word_index(candidates, self.continues[batch.input_ids])  # (B, T)
        return np.stack(
            [span_positions(row, self.rate, row_rng) for row, row_rng in zip(words, rng.spawn(len(words)))]
        )

    def hide(self, batch: Batch, chosen: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return corrupt_spans(
            batch.input_ids, chosen, self.mask_id, self.ordinary_ids, rng, self.to_mask, self.to_random
        )
