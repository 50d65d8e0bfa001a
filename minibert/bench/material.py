"""The inputs of the benchmark: the same generated sequences with the same masks for every model."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from ..data.batch import IGNORE, Batch, visible_all
from ..generated import World
from ..model.transfer import CPU, to_torch
from ..tokenizer import count_words, train_wordpiece
from ..tokenizer.fast import FastWordPiece
from ..training.pretraining import bert_objective, encode_documents

MULTIPLE = 8  # our batches are padded to a multiple of this length, so that there are few shapes


class Rows(NamedTuple):
    """Sequences with randomly masked tokens, in arrays of shape (R, T), and pair labels of shape (R,)."""

    input_ids: np.ndarray
    token_type_ids: np.ndarray
    real: np.ndarray
    labels: np.ndarray  # IGNORE if nothing is predicted
    pairs: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        return self.real.sum(1)


class Inputs(NamedTuple):
    """One batch as tensors, with inputs of the model, labels for the loss, and sizes."""

    model: dict[str, Any]  # input_ids, token_type_ids (B, T), visible (B, T, T), counted (N,)
    labels: dict[str, torch.Tensor]  # tokens (B, T), pair (B,)
    real: torch.Tensor  # (B, T) bool
    lengths: list[int]  # non-padding tokens of each sequence
    predicted: int  # number of predicted positions

    def to(self, device: torch.device) -> "Inputs":
        model, labels = (
            {name: tensor.to(device) for name, tensor in some.items()} for some in (self.model, self.labels)
        )
        return self._replace(model=model, labels=labels, real=self.real.to(device))


def language(documents: int, pieces: int, seed: int = 0) -> tuple[FastWordPiece, list[Any]]:
    """Generate documents, train a tokenizer on them, and return it with the encoded documents.

    documents: the number of documents. pieces: the largest allowed size of the vocabulary.
    """
    texts = [document.sentences for document in World(seed).documents(documents, seed=1)]
    tokenizer = FastWordPiece(
        train_wordpiece(count_words(sentence for text in texts for sentence in text), pieces)
    )
    return tokenizer, encode_documents(texts, tokenizer)


def natural_rows(
    tokenizer: FastWordPiece, docs: list[Any], count: int, length: int, rng: np.random.Generator
) -> Rows:
    """Build `count` masked sequences from documents, as in pretraining, each of at most `length` tokens."""
    objective = bert_objective(tokenizer, length)
    rows, labels = objective.build(docs, rng)
    if len(rows) < count:
        raise ValueError(f"{len(docs)} documents give only {len(rows)} sequences, but {count} are needed")
    return corrupted(objective, objective.collate(rows[:count], labels and labels[:count]), rng)


def full_rows(tokenizer: FastWordPiece, count: int, length: int, rng: np.random.Generator) -> Rows:
    """Return `count` masked sequences of exactly `length` random tokens."""
    ids = rng.integers(len(tokenizer.specials.ids), len(tokenizer), (count, length))
    ids[:, 0], ids[:, -1] = tokenizer.specials.cls, tokenizer.specials.sep
    batch = Batch(ids, np.zeros_like(ids), np.ones(ids.shape, bool), rng.integers(0, 2, count))
    return corrupted(bert_objective(tokenizer, length), batch, rng)


def corrupted(objective: Any, batch: Batch, rng: np.random.Generator) -> Rows:
    """Mask the tokens of a batch at random, and return its sequences as Rows."""
    inputs, labels = objective.corrupt(batch, rng)
    return Rows(inputs["input_ids"], inputs["token_type_ids"], batch.real, labels["tokens"], labels["pair"])


def as_they_come(rows: Rows, batch_size: int) -> list[Inputs]:
    """Split sequences into batches in order, each padded to its longest one, as a simple data loader does."""
    return [inputs(rows, range(i, i + batch_size), 1) for i in range(0, len(rows.lengths), batch_size)]


def by_length(rows: Rows, batch_size: int) -> list[Inputs]:
    """Split sequences into batches of similar length, as `train` does, padded to a multiple of MULTIPLE."""
    order = np.argsort(rows.lengths, kind="stable")
    return [inputs(rows, order[i : i + batch_size], MULTIPLE) for i in range(0, len(order), batch_size)]


def inputs(rows: Rows, chosen: Sequence[int] | range | np.ndarray, multiple: int) -> Inputs:
    """Return a batch of the chosen sequences, padded to a length that is a multiple of `multiple`."""
    chosen = np.asarray(chosen)
    longest = rows.lengths[chosen].max()
    T = min(-(-longest // multiple) * multiple, rows.real.shape[1])
    ids, types, real, labels = (array[chosen, :T] for array in rows[:4])  # (B, T) each
    model = to_torch(
        {
            "input_ids": ids,
            "token_type_ids": types,
            "visible": visible_all(real),
            "counted": np.flatnonzero(labels != IGNORE),
        },
        CPU,
    )
    return Inputs(
        model,
        to_torch({"tokens": labels, "pair": rows.pairs[chosen]}, CPU),
        torch.from_numpy(real),
        real.sum(1).tolist(),
        int((labels != IGNORE).sum()),
    )
