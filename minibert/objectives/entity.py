"""Entity and phrase masking: the masked language model, but a name or phrase is hidden as a whole or not at
all.

Sun et al. (2019, arXiv 1904.09223), section 3.2: Baidu's ERNIE. Another model has the same name: Zhang et al.
(2019, arXiv 1905.07129) feed embeddings of a knowledge graph. It differs from `whole_word` in what goes on a
unit.
"""
from ..reference.masking import choose_whole_words, phrase_continues
from .whole_word import WholeWordMLM


class EntityMLM(WholeWordMLM):
    """phrases: the units of several tokens, as tuples of ids; other words are units of their own.

    The paper trains in three stages: single tokens (MLM), then phrases, then entities: three objectives, one
    after the other. # paper: the units come from a tagger and a table of entities; here from a list, wherever
    it occurs
    """

    def __init__(self, specials, vocab, max_length, phrases, **options):
        super().__init__(specials, vocab, max_length, **options)
        self.phrases = list(phrases)

    def draw(self, batch, candidates, rng):
        continues = self.continues[batch.input_ids]                             # (B, T)
        continues = continues | phrase_continues(batch.input_ids, continues, self.phrases)
        return choose_whole_words(candidates, continues, self.rate, rng)
