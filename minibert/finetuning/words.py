"""Word vectors that no example shows are left out of a step: nothing is learned of them, yet an optimiser
goes through all.

Of 30,522 pieces, 4,000 sentences of reviews show a third. The others have a gradient of 0, so that Adam
leaves them where they are (Kingma and Ba, 2015, arXiv 1412.6980, algorithm 1, with both moments 0); only
decay would shrink them, by the sum of rate times decay: less than a thousandth in three epochs at 1e-4 and
0.01.
"""
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F


class SomeWords(nn.Module):
    """Some rows of an embedding, in its place while a model is trained. Outside of training it answers for
    all.

    word: nn.Embedding; ids: (n,) int64, the pieces that training shows. The parameter `weight` is (n, D).
    """

    def __init__(self, word, ids):
        super().__init__()
        self.whole = [word]  # in a list: it is not one of this module's parts, and none of it is trained
        self.weight = nn.Parameter(word.weight.detach()[ids])
        place = torch.full((word.num_embeddings,), len(ids), device=ids.device)  # past the end: an IndexError
        place[ids] = torch.arange(len(ids), device=ids.device)
        self.register_buffer("ids", ids)
        self.register_buffer("place", place, persistent=False)

    def forward(self, input_ids):
        """(B, T) -> (B, T, D)."""
        if self.training:
            return F.embedding(self.place[input_ids], self.weight)
        return self.put_back()(input_ids)

    def put_back(self):
        """The whole embedding, with the rows as they are now."""
        word, = self.whole
        with torch.no_grad():
            word.weight[self.ids] = self.weight
        return word


@contextmanager
def some_words(model, task, rows):
    """In this context, of the trunk's word vectors only those in `rows` (see `Task.encode`) and of special
    tokens are trained.
    """
    embeddings = getattr(model.encoder, "embeddings", None)
    word = getattr(embeddings, "word", None)
    if not isinstance(word, nn.Embedding) or not word.weight.requires_grad:
        yield
        return
    ids = sorted({*task.tokenizer.specials.ids, *ids_of(rows)})
    embeddings.word = SomeWords(word, torch.tensor(ids, device=word.weight.device))
    try:
        yield
    finally:
        embeddings.word = embeddings.word.put_back()


def ids_of(rows):
    """All ids in rows, which are lists of ids, or tuples of rows and None, as deep as they may be.

    >>> sorted(set(ids_of([([7, 8], None), (([9], [7]), ([8], [10]))])))
    [7, 8, 9, 10]
    """
    for row in rows:
        if isinstance(row, (list, tuple)):
            yield from ids_of(row)
        elif row is not None:
            yield row
