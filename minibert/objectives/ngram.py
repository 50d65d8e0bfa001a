"""N-gram masking: a masked language model that chooses one, two or three neighbouring words together.

Lan et al. (2020, arXiv 1909.11942), section 4.1: ALBERT. Unlike in `span`, each chosen token is masked,
replaced or kept independently.
"""

import numpy as np

from ..data.batch import Batch
from ..data.masking import ngram_positions, word_index
from .whole_word import WholeWordMLM


class NgramMLM(WholeWordMLM):
    """The masked language model that masks a fraction `rate` of each sequence, in n-grams of whole words.

    The length n is drawn with a probability proportional to 1 / n.
    """

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        words = word_index(candidates, self.continues[batch.input_ids])  # (B, T)
        return np.stack(
            [ngram_positions(row, self.rate, row_rng) for row, row_rng in zip(words, rng.spawn(len(words)))]
        )
