"""Mask repeated words more often, so that a small model learns cross-sentence copying in minutes.

Our own. In `whole_word` a word that stands elsewhere in the sequence, such as a name, is a small part of what
is masked: its share of the gradient drowns in that of grammar. It differs in what is drawn.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..data.batch import Batch, Specials
from ..data.masking import choose_repeated_words
from .whole_word import WholeWordMLM


class LookUpMLM(WholeWordMLM):
    """Mask words at `rate`, as WholeWordMLM does, plus a share of repeated words; one of each word stays.

    common: ids of the tokens that repeat without telling anything, such as "the"; share: of the repeated
    words.
    """

    def __init__(
        self,
        specials: Specials,
        vocab: Sequence[str],
        max_length: int,
        common: Iterable[int],
        *,
        share: float = 0.8,
        **options: Any,
    ):
        super().__init__(specials, vocab, max_length, **options)
        self.telling = ~np.isin(np.arange(len(vocab)), list(common))
        self.share = share

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        repeated = choose_repeated_words(
            batch.input_ids,
            candidates,
            self.continues[batch.input_ids],
            self.telling[batch.input_ids],
            self.share,
            rng,
        )
        return super().draw(batch, candidates, rng) | repeated
