"""What the loop eats: batches of rows of like length, in a random order that the seed and the epoch alone decide."""
import numpy as np

from ..batch import row_size


def batches(task, make_rows, config, state):
    """Endless batches: fresh rows each epoch, in random order, rows of like length together; `state` says where we are."""
    while True:
        rng = np.random.default_rng([config.seed, 0, state["epoch"]])
        rows, labels = make_rows(rng)
        if not rows:
            raise ValueError("0 rows to train on")
        for indices in order(rows, config.batch_size, rng)[state["position"]:]:
            state["position"] += 1
            yield task.collate([rows[i] for i in indices], None if labels is None else [labels[i] for i in indices])
        state["epoch"], state["position"] = state["epoch"] + 1, 0


def order(rows, batch_size, rng, pool=50):
    """Shuffled row indices in batches; inside a pool of `pool` batches rows are sorted by length, so little is padding."""
    indices = rng.permutation(len(rows))
    size = pool * batch_size
    size_of = [row_size(row) for row in rows]
    pools = [sorted(indices[i:i + size], key=lambda j: size_of[j]) for i in range(0, len(rows), size)]
    cut = [group[i:i + batch_size] for group in pools for i in range(0, len(group), batch_size)]
    return [cut[i] for i in rng.permutation(len(cut))]
