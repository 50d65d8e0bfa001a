"""What all contestants read: the same rows of the generated language, hidden at the same positions, cut into
batches.
"""
from typing import NamedTuple

import numpy as np
import torch

from ..batch import IGNORE, Batch, visible_all
from ..corpora.world import World
from ..model.goal import to_torch
from ..tokenizer import count_words, train_wordpiece
from ..tokenizer.fast import FastWordPiece
from ..training import bert_objective, encode_documents

CPU = torch.device("cpu")
MULTIPLE = 8                        # our rows are padded to a multiple of it: shapes come from a small set


class Rows(NamedTuple):
    """Rows of one corruption: arrays (R, T), pair labels (R,)."""

    input_ids: np.ndarray
    token_type_ids: np.ndarray
    real: np.ndarray
    labels: np.ndarray              # IGNORE where nothing is predicted
    pairs: np.ndarray

    @property
    def lengths(self):
        """(R,) real tokens of each row."""
        return self.real.sum(1)


class Inputs(NamedTuple):
    """One batch as tensors: of the model, of the loss, and what it holds."""

    model: dict                     # input_ids, token_type_ids (B, T), visible (B, T, T), counted (B, T)
    labels: dict                    # tokens (B, T), pair (B,)
    real: torch.Tensor              # (B, T) bool
    lengths: list                   # real tokens of each row
    predicted: int                  # positions

    def to(self, device):
        """The same on a device."""
        model, labels = ({name: tensor.to(device) for name, tensor in some.items()}
                         for some in (self.model, self.labels))
        return self._replace(model=model, labels=labels, real=self.real.to(device))


def language(documents, pieces, seed=0):
    """(tokenizer, encoded documents) of the generated language, with up to `pieces` word pieces."""
    texts = [document.sentences for document in World(seed).documents(documents, seed=1)]
    tokenizer = FastWordPiece(train_wordpiece(count_words(sentence for text in texts for sentence in text),
                                              pieces))
    return tokenizer, encode_documents(texts, tokenizer)


def natural_rows(tokenizer, docs, count, length, rng):
    """`count` rows with their natural lengths, as pretraining packs them, at most `length` tokens each."""
    objective = bert_objective(tokenizer, length)
    rows, labels = objective.build(docs, rng)
    if len(rows) < count:
        raise ValueError(f"{len(docs)} documents give {len(rows)} rows; {count} are needed")
    return corrupted(objective, objective.collate(rows[:count], labels[:count]), rng)


def full_rows(tokenizer, count, length, rng):
    """`count` rows of exactly `length` tokens, drawn at random: for how speed grows with a size, text plays
    no part.
    """
    ids = rng.integers(len(tokenizer.specials.ids), len(tokenizer), (count, length))
    ids[:, 0], ids[:, -1] = tokenizer.specials.cls, tokenizer.specials.sep
    batch = Batch(ids, np.zeros_like(ids), np.ones(ids.shape, bool), rng.integers(0, 2, count))
    return corrupted(bert_objective(tokenizer, length), batch, rng)


def corrupted(objective, batch, rng):
    """The Rows of a Batch after one draw of what to hide."""
    inputs, labels = objective.corrupt(batch, rng)
    return Rows(inputs["input_ids"], inputs["token_type_ids"], batch.real, labels["tokens"], labels["pair"])


def as_they_come(rows, batch_size):
    """Inputs of rows in the order they stand, padded to the longest of each batch: what a plain data loader
    does.
    """
    return [inputs(rows, range(i, i + batch_size), 1) for i in range(0, len(rows.lengths), batch_size)]


def by_length(rows, batch_size):
    """Inputs of the same rows, those of like length together, as in our loop; lengths are multiples, as there
    on a GPU.
    """
    order = np.argsort(rows.lengths, kind="stable")
    return [inputs(rows, order[i:i + batch_size], MULTIPLE) for i in range(0, len(order), batch_size)]


def inputs(rows, chosen, multiple):
    """The Inputs of some rows."""
    chosen = np.asarray(chosen)
    longest = rows.lengths[chosen].max()
    T = min(-(-longest // multiple) * multiple, rows.real.shape[1])
    ids, types, real, labels = (array[chosen, :T] for array in rows[:4])                        # (B, T) each
    model = to_torch({"input_ids": ids, "token_type_ids": types, "visible": visible_all(real),
                      "counted": labels != IGNORE}, CPU)
    return Inputs(model, to_torch({"tokens": labels, "pair": rows.pairs[chosen]}, CPU),
                  torch.from_numpy(real),
                  real.sum(1).tolist(), int((labels != IGNORE).sum()))
