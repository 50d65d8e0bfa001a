"""Entity and phrase masking: a masked language model that masks named entities and phrases as a whole.

Sun et al. (2019, arXiv 1904.09223), section 3.2: Baidu's ERNIE, not the ERNIE of Zhang et al. (2019, arXiv
1905.07129), which uses knowledge graph embeddings. Like `whole_word`, with larger units.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..data.batch import Batch, Specials
from ..data.masking import choose_whole_words, phrase_continues
from .whole_word import WholeWordMLM


class EntityMLM(WholeWordMLM):
    """The masked language model that masks whole phrases, and whole words outside phrases.

    phrases: tuples of token ids. The paper trains in three stages, each with its own objective: single
    tokens, then phrases, then entities.
    """

    # paper: the units come from a tagger and a table of entities; here they come from a list

    def __init__(
        self,
        specials: Specials,
        vocab: Sequence[str],
        max_length: int,
        phrases: Iterable[tuple[int, ...]],
        **options: Any,
    ):
        super().__init__(specials, vocab, max_length, **options)
        self.phrases = list(phrases)

    def draw(self, batch: Batch, candidates: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        continues = self.continues[batch.input_ids]  # (B, T)
        continues = continues | phrase_continues(batch.input_ids, continues, self.phrases)
        return choose_whole_words(candidates, continues, self.rate, rng)
