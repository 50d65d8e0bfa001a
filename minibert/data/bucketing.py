"""Bucketing: batches of sequences of similar length, which need little padding."""

from collections.abc import Sequence

import numpy as np


def bucket_by_length(
    lengths: Sequence[int], batch_size: int, pool: int, rng: np.random.Generator
) -> list[list[int]]:
    """Divide n sequences into batches of similar length, in random order, and return each batch's indices.

    lengths: the lengths of the sequences. pool: the number of batches whose sequences are drawn together and
    then sorted by length. All batches have `batch_size` sequences, except for one smaller batch if n is not a
    multiple of `batch_size`.

    >>> from numpy.random import default_rng
    >>> bucket_by_length([5, 9, 6, 8, 5, 9], batch_size=2, pool=3, rng=default_rng(0))
    [[4, 0], [2, 3], [5, 1]]
    """
    indices = rng.permutation(len(lengths))
    size = pool * batch_size
    pools = [
        sorted(indices[i : i + size].tolist(), key=lambda j: lengths[j]) for i in range(0, len(lengths), size)
    ]
    cut = [group[i : i + batch_size] for group in pools for i in range(0, len(group), batch_size)]
    return [cut[i] for i in rng.permutation(len(cut))]
