"""The batches of the training loop: sequences of similar length, in an order set by the seed and the epoch.

Batches are prepared in threads, ahead of the step. A corpus larger than memory is read in shards.
"""

import contextlib
import dataclasses
import itertools
from collections.abc import Callable, Generator, Iterable
from typing import Any

import numpy as np

from ..data.batch import IGNORE, Batch, row_size
from ..data.bucketing import bucket_by_length
from ..data.encoded import Documents
from ..model.goal import Goal
from .ahead import ahead
from .config import TrainConfig

AHEAD = 16  # batches that are padded before they are needed
READY = 2  # batches that are prepared for the loss before they are needed
MULTIPLE = 8  # on a GPU, lengths are padded to a multiple of this; a CPU gains nothing from it
SHARD = 1 << 19  # tokens in a shard; two shards are in memory: the current one and the next one
BLOCK = 1 << 14  # adjacent tokens of a corpus that stay together in a shard


class Shards:
    """The sequences of a corpus on disk, read in shards: random selections of blocks of documents.

    build: a function (documents, rng) -> (sequences, labels), such as `Objective.build`. All documents that
    it draws from are in the same shard. A corpus smaller than two shards is read as a single shard, with its
    documents in their original order. Each epoch of the training loop uses one shard; after `count` epochs
    the whole corpus has been read once.
    """

    def __init__(
        self,
        build: Callable[[list, np.random.Generator], tuple[list, list | None]],
        documents: Documents,
        shard: int = SHARD,
        block: int = BLOCK,
    ):
        self.build, self.documents = build, documents
        self.size = max(1, block * len(documents) // documents.tokens)  # documents in a block
        self.blocks = -(-len(documents) // self.size)
        # A shard has at least two blocks, because NSP needs two documents.
        self.count = max(1, min(documents.tokens // shard, self.blocks // 2))

    def __call__(self, rng: np.random.Generator, seed: int, number: int) -> tuple[list, list | None]:
        """Build a shard and return (sequences, labels).

        number: index of the shard, counted over all passes through the corpus. seed: seed for the order of
        the blocks.
        """
        epoch, place = divmod(number, self.count)
        order = np.random.default_rng([seed, 3, epoch]).permutation(self.blocks)
        starts = np.sort(np.array_split(order, self.count)[place]) * self.size
        documents = [
            document
            for start in starts.tolist()
            for document in self.documents.read(start, min(start + self.size, len(self.documents)))
        ]
        self.documents.release()
        return self.build(documents, rng)


MakeRows = Callable[[np.random.Generator], tuple[list, list | None]] | Shards


def batches(
    objective: Goal,
    make_rows: MakeRows,
    config: TrainConfig,
    state: dict[str, Any],
    multiple: int = 1,
    prepare: Callable[[Batch, int], Any] = lambda batch, step: batch,
) -> Generator[Any, None, None]:
    """Yield batches endlessly, with new sequences each epoch, in random order but grouped by length.

    make_rows: a function rng -> (sequences, labels), or Shards. It, `objective.collate` and `prepare` are
    called ahead of time in threads, so they must take random numbers only from the given rng. state: a dict
    whose "epoch" and "position" (the number of batches yielded in that epoch) are kept up to date; together
    with the seed, they determine all later batches. multiple: sequences are padded to a multiple of this
    length, at most `objective.max_length`, to limit the number of shapes. prepare: (batch, step) -> the item
    to yield; steps are counted from state["step"]. Close the generator to stop the threads.
    """
    with (
        contextlib.closing(ahead(epochs(make_rows, config, state["epoch"]), 1)) as made,
        contextlib.closing(ahead(collated(objective, made, state["position"], multiple), AHEAD)) as padded,
        contextlib.closing(ahead(prepared(padded, prepare, state.get("step", 0)), READY)) as ready,
    ):
        for state["epoch"], state["position"], batch in ready:
            yield batch


def prepared(
    padded: Iterable[tuple[int, int, Batch]], prepare: Callable[[Batch, int], Any], first: int
) -> Generator[tuple[int, int, Any], None, None]:
    for step, (epoch, position, batch) in enumerate(padded, first):
        yield epoch, position, prepare(batch, step)


def epochs(make_rows: MakeRows, config: TrainConfig, first: int) -> Generator[tuple, None, None]:
    for epoch in itertools.count(first):
        rng = np.random.default_rng([config.seed, 0, epoch])
        rows, labels = make_rows(rng, config.seed, epoch) if isinstance(make_rows, Shards) else make_rows(rng)
        if not rows:
            raise ValueError("there are no sequences to train on")
        yield epoch, rows, labels, order(rows, config.batch_size, rng, config.length_pool)


def collated(
    objective: Goal, made: Iterable[tuple], position: int, multiple: int
) -> Generator[tuple[int, int, Batch], None, None]:
    """Yield (epoch, position after the batch, batch), starting at `position` in the first epoch.

    made: for each epoch, (epoch, sequences, labels, lists of the indices of each batch).
    """
    for epoch, rows, labels, cut in made:
        for place, indices in enumerate(cut[position:], position + 1):
            batch = objective.collate(
                [rows[i] for i in indices], None if labels is None else [labels[i] for i in indices]
            )
            if multiple > 1:
                batch = pad_to_multiple(batch, multiple, objective.max_length, objective.specials.pad)
            yield epoch, place, batch
        position = 0


def order(
    rows: list, batch_size: int, rng: np.random.Generator, pool: int = TrainConfig.length_pool
) -> list[list[int]]:
    """Shuffle sequences and return their indices, divided into batches.

    Within each pool of `pool` batches, sequences are sorted by length, so that little padding is needed.
    """
    return bucket_by_length([row_size(row) for row in rows], batch_size, pool, rng)


def pad_to_multiple(batch: Batch, multiple: int, most: int, pad: int) -> Batch:
    """Return a Batch padded with id `pad` to a multiple of `multiple` tokens, but at most `most`."""
    length = batch.real.shape[-1]
    more = max(0, min(-(-length // multiple) * multiple, most) - length)
    fill: dict[str, Any] = {"input_ids": pad, "token_type_ids": 0, "real": False}
    if batch.sequence_labels is not None and batch.sequence_labels.shape == batch.real.shape:
        fill["sequence_labels"] = IGNORE  # these have one label for each token
    wider = {
        name: np.pad(
            getattr(batch, name), [(0, 0)] * (batch.real.ndim - 1) + [(0, more)], constant_values=value
        )
        for name, value in fill.items()
    }
    return dataclasses.replace(batch, **wider) if more else batch
