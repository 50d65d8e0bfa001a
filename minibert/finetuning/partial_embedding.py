"""Partial training of word embeddings: only those of the tokens in the examples are trained, to save time.

4,000 review sentences contain only a third of 30,522 tokens. The gradient of the others is 0, so Adam does
not change them (Kingma and Ba, 2015, arXiv 1412.6980, algorithm 1), but every step would still process all of
them. Only weight decay would shrink them, by less than a thousandth in three epochs.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from ..model import Model
from ..tasks.base import Task


class PartialEmbedding(nn.Module):
    """A replacement for an embedding that trains only some of its rows; evaluation mode uses all rows.

    word: the nn.Embedding to replace. ids: (n,) int64, the tokens to train. The parameter `weight` is (n, D).
    """

    ids: torch.Tensor
    place: torch.Tensor

    def __init__(self, word: nn.Embedding, ids: torch.Tensor) -> None:
        super().__init__()
        self.whole = [word]  # in a list, which hides it from nn.Module, so that it is not trained
        self.weight = nn.Parameter(word.weight.detach()[ids])
        place = torch.full(
            (word.num_embeddings,), len(ids), device=ids.device
        )  # out of range: raises an IndexError
        place[ids] = torch.arange(len(ids), device=ids.device)
        self.register_buffer("ids", ids)
        self.register_buffer("place", place, persistent=False)

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        """Embed ids (B, T) as (B, T, D). In training mode, a token that is not trained raises IndexError."""
        if self.training:
            return F.embedding(self.place[input_ids], self.weight)
        return self.put_back()(input_ids)

    def put_back(self) -> nn.Embedding:
        """Copy the trained rows into the full embedding and return it."""
        (word,) = self.whole
        with torch.no_grad():
            word.weight[self.ids] = self.weight
        return word


@contextmanager
def train_seen_embeddings(model: Model, task: Task, rows: Sequence[Any]) -> Iterator[None]:
    """Train only the embeddings of special tokens and of the tokens in `rows` inside this context.

    rows: the result of `Task.encode`.
    """
    embeddings = getattr(model.encoder, "embeddings", None)
    word = getattr(embeddings, "word", None)
    if embeddings is None or not isinstance(word, nn.Embedding) or not word.weight.requires_grad:
        yield
        return
    ids = sorted({*task.tokenizer.specials.ids, *ids_of(rows)})
    embeddings.word = PartialEmbedding(word, torch.tensor(ids, device=word.weight.device))
    try:
        yield
    finally:
        embeddings.word = embeddings.word.put_back()


def ids_of(rows: Iterable[Any]) -> Iterator[int]:
    """Yield all ids in rows, which are lists of ids, or nested tuples of rows and None.

    >>> sorted(set(ids_of([([7, 8], None), (([9], [7]), ([8], [10]))])))
    [7, 8, 9, 10]
    """
    for row in rows:
        if isinstance(row, list | tuple):
            yield from ids_of(row)
        elif row is not None:
            yield row
