"""Masking that favours repeated words, so that a small model learns cross-sentence copying in minutes.

This objective is our own. With `whole_word`, few of the masked words occur elsewhere in the sequence, as
names do, so most of the gradient comes from grammar.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..data.batch import Batch, Specials
from ..data.masking import choose_repeated_words
from .whole_word import WholeWordMLM


class RepeatedWordMLM(WholeWordMLM):
    """Whole word masking, plus masking of repeated words; one occurrence of each stays visible.

    common: ids of frequent tokens such as "the", whose repetition is not informative. share: the probability
    of masking a repeated word.
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
