"""The batches of the loop: sequences of similar length together, in an order that seed and epoch decide.

Batches are made ahead of the step, and their lengths can come from a small set. A corpus larger than memory
comes in shards.
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
MULTIPLE = 8  # a GPU gets lengths that are multiples of it; a processor gains nothing from that
SHARD = 1 << 19  # tokens of a shard; two are in memory at once: the one in use, and the next one
BLOCK = 1 << 14  # tokens that stand together in a corpus and stay together in a shard


class Shards:
    """Sequences of a corpus on disk, shard by shard; a shard is some blocks of documents drawn at random.

    build: (documents, rng) -> (sequences, labels), such as `Objective.build`; what it draws from other
    documents, such as NSP's second segments, it draws from those of the shard. A corpus of less than two
    shards is one shard: then all documents are built, in their order, as in memory. An epoch of the loop is
    one shard; after `count` of them the corpus has been read once.
    """

    def __init__(
        self,
        build: Callable[[list, np.random.Generator], tuple[list, list | None]],
        documents: Documents,
        shard: int = SHARD,
        block: int = BLOCK,
    ):
        self.build, self.documents = build, documents
        self.size = max(1, block * len(documents) // documents.tokens)  # documents of a block
        self.blocks = -(-len(documents) // self.size)
        # at least two blocks a shard: NSP needs two documents
        self.count = max(1, min(documents.tokens // shard, self.blocks // 2))

    def __call__(self, rng: np.random.Generator, seed: int, number: int) -> tuple[list, list | None]:
        """Build shard `number`, counted on over the passes; `seed` decides which blocks it holds."""
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
    """Yield batches without end: fresh sequences each epoch, in random order, similar lengths together.

    make_rows: rng -> (sequences, labels), or Shards. It, `objective.collate` and `prepare` are called in
    threads, ahead of time: they may draw only from the rng they are given. What they raise is raised here.
    state: "epoch" and "position", the number of its batches that were yielded, are kept up to date; the
    batches that follow depend on these two and the seed alone. multiple: sequences are padded to a multiple
    of this length, or to `objective.max_length`, so that few shapes occur. prepare: (batch, step) -> what is
    yielded in place of the batch, from state["step"] on. Close the generator to end the threads.
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
    """Yield (epoch, position, prepare(batch, step)), with steps counted from `first`."""
    for step, (epoch, position, batch) in enumerate(padded, first):
        yield epoch, position, prepare(batch, step)


def epochs(make_rows: MakeRows, config: TrainConfig, first: int) -> Generator[tuple, None, None]:
    """Yield (epoch, sequences, labels, indices by batch), from epoch `first` on, without end."""
    for epoch in itertools.count(first):
        rng = np.random.default_rng([config.seed, 0, epoch])
        rows, labels = make_rows(rng, config.seed, epoch) if isinstance(make_rows, Shards) else make_rows(rng)
        if not rows:
            raise ValueError("0 sequences to train on")
        yield epoch, rows, labels, order(rows, config.batch_size, rng)


def collated(
    objective: Goal, made: Iterable[tuple], position: int, multiple: int
) -> Generator[tuple[int, int, Batch], None, None]:
    """Yield (epoch, position after the batch, batch), from `position` of the first epoch on."""
    for epoch, rows, labels, cut in made:
        for place, indices in enumerate(cut[position:], position + 1):
            batch = objective.collate(
                [rows[i] for i in indices], None if labels is None else [labels[i] for i in indices]
            )
            if multiple > 1:
                batch = pad_to_multiple(batch, multiple, objective.max_length, objective.specials.pad)
            yield epoch, place, batch
        position = 0


def order(rows: list, batch_size: int, rng: np.random.Generator, pool: int = 50) -> list[list[int]]:
    """Return the indices of shuffled sequences in batches.

    Inside a pool of `pool` batches they are sorted by length, so that there is little padding.
    """
    return bucket_by_length([row_size(row) for row in rows], batch_size, pool, rng)


def pad_to_multiple(batch: Batch, multiple: int, most: int, pad: int) -> Batch:
    """Pad a Batch to a length that is a multiple of `multiple`, or to `most` where that is less."""
    length = batch.real.shape[-1]
    more = max(0, min(-(-length // multiple) * multiple, most) - length)
    fill: dict[str, Any] = {"input_ids": pad, "token_type_ids": 0, "real": False}
    if batch.sequence_labels is not None and batch.sequence_labels.shape == batch.real.shape:
        fill["sequence_labels"] = IGNORE  # labels of tokens
    wider = {
        name: np.pad(
            getattr(batch, name), [(0, 0)] * (batch.real.ndim - 1) + [(0, more)], constant_values=value
        )
        for name, value in fill.items()
    }
    return dataclasses.replace(batch, **wider) if more else batch
