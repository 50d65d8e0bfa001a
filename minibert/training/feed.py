"""What the loop eats: batches of rows of like length, in a random order that the seed and the epoch alone
decide.

They are made ahead of the step, and their lengths can come from a small set. A corpus larger than memory
comes in shards.
"""
import contextlib
import dataclasses
import itertools

import numpy as np

from ..batch import IGNORE, row_size
from ..reference.pretraining import bucket_by_length
from .ahead import ahead

AHEAD = 16              # batches that are ready before they are needed
MULTIPLE = 8  # of which lengths are on a GPU; on a processor a new length costs less than the padding would
SHARD = 1 << 19         # tokens of a corpus in memory at once, twice over: the shard in use, and the next one
BLOCK = 1 << 14         # tokens that stand together in a corpus and stay together in a shard


class Shards:
    """Rows of a corpus on disk: an epoch passes over all shards, each some blocks of neighbouring documents
    at random.

    build: documents, rng -> (rows, sequence labels), such as `Objective.build`; documents: Documents. What
    `build` draws from other documents it draws from those of the shard: NSP's foreign sentences, too. A
    corpus of less than two shards is one: then all documents are built, in their order, as in memory. Here an
    epoch of the loop is a shard.
    """

    def __init__(self, build, documents, shard=SHARD, block=BLOCK):
        self.build, self.documents = build, documents
        self.size = max(1, block * len(documents) // documents.tokens)              # documents of a block
        self.blocks = -(-len(documents) // self.size)
        # two blocks at least: NSP needs two documents
        self.count = max(1, min(documents.tokens // shard, self.blocks // 2))

    def __call__(self, rng, seed, number):
        """The rows of shard `number`, counted on over the epochs; `seed` decides which blocks it holds."""
        epoch, place = divmod(number, self.count)
        order = np.random.default_rng([seed, 3, epoch]).permutation(self.blocks)
        starts = np.sort(np.array_split(order, self.count)[place]) * self.size
        documents = [document for start in starts.tolist()
                     for document in self.documents.read(start, min(start + self.size, len(self.documents)))]
        self.documents.release()
        return self.build(documents, rng)


def batches(objective, make_rows, config, state, multiple=1):
    """Endless batches: fresh rows each epoch, in random order, rows of like length together; `state` says
    where we are.

    make_rows: rng -> (rows, sequence labels), or Shards. It and `objective.collate` are called in threads,
    ahead of time: they may draw only from the rng they are given. What they raise is raised here. state:
    "epoch" and "position", the batches of it that were handed out; the batches that follow depend on these
    two and the seed alone. multiple: rows are padded to a multiple of this length, or to
    `objective.max_length`, so that few shapes occur. Close the generator to end the threads.
    """
    with contextlib.closing(ahead(epochs(make_rows, config, state["epoch"]), 1)) as made, \
            contextlib.closing(ahead(collated(objective, made, state["position"], multiple), AHEAD)) as ready:
        for state["epoch"], state["position"], batch in ready:
            yield batch


def epochs(make_rows, config, first):
    """(epoch, rows, sequence labels, which rows each batch holds), from epoch `first` on, without end."""
    for epoch in itertools.count(first):
        rng = np.random.default_rng([config.seed, 0, epoch])
        rows, labels = make_rows(rng, config.seed, epoch) if isinstance(make_rows, Shards) else make_rows(rng)
        if not rows:
            raise ValueError("0 rows to train on")
        yield epoch, rows, labels, order(rows, config.batch_size, rng)


def collated(objective, made, position, multiple):
    """(epoch, position after it, batch), from `position` of the first epoch on."""
    for epoch, rows, labels, cut in made:
        for place, indices in enumerate(cut[position:], position + 1):
            batch = objective.collate([rows[i] for i in indices],
                                 None if labels is None else [labels[i] for i in indices])
            yield epoch, place, batch if multiple == 1 else widened(batch, multiple, objective.max_length,
                                                                    objective.specials.pad)
        position = 0


def order(rows, batch_size, rng, pool=50):
    """Shuffled row indices in batches; inside a pool of `pool` batches rows are sorted by length, so little
    is padding.
    """
    return bucket_by_length([row_size(row) for row in rows], batch_size, pool, rng)


def widened(batch, multiple, most, pad):
    """The Batch padded to a length that is a multiple of `multiple`, or to `most` where that is less; its
    rows stay.
    """
    length = batch.real.shape[-1]
    more = max(0, min(-(-length // multiple) * multiple, most) - length)
    fill = {"input_ids": pad, "token_type_ids": 0, "real": False}
    if batch.sequence_labels is not None and batch.sequence_labels.shape == batch.real.shape:
        fill["sequence_labels"] = IGNORE                                     # labels of tokens
    wider = {name: np.pad(getattr(batch, name), [(0, 0)] * (batch.real.ndim - 1) + [(0, more)],
                          constant_values=value)
             for name, value in fill.items()}
    return dataclasses.replace(batch, **wider) if more else batch
