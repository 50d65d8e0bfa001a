"""Words that the row itself gives away are hidden more often: looking a word up is learned in minutes.

Our own, for small models. In `whole_word` such a word, a name that stands twice, is a small part of what is
hidden: its share of the gradient drowns in that of grammar. It differs in what is drawn.
"""
import numpy as np

from ..reference.masking import choose_repeated_words
from .whole_word import WholeWordMLM


class LookUpMLM(WholeWordMLM):
    """common: ids of the pieces that repeat without telling anything, such as "the"; share: of the repeated
    words that are hidden.

    One of each stays. Hidden besides are words at `rate`, as in WholeWordMLM.
    """

    def __init__(self, specials, vocab, max_length, common, *, share=0.8, **options):
        super().__init__(specials, vocab, max_length, **options)
        self.telling = ~np.isin(np.arange(len(vocab)), list(common))
        self.share = share

    def draw(self, batch, candidates, rng):
        repeated = choose_repeated_words(batch.input_ids, candidates, self.continues[batch.input_ids],
                                         self.telling[batch.input_ids], self.share, rng)
        return super().draw(batch, candidates, rng) | repeated
