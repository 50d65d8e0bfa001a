"""Static masks: what a row hides is drawn once, not anew at every step.

Devlin et al.'s code (github.com/google-research/bert) wrote each row ten times, with ten masks; Liu et al.
(2019, arXiv 1907.11692), section 4.1, compare it with fresh ones.
"""
import zlib

import numpy as np

from .sum import Sum


class StaticMasks(Sum):
    """Any objective, its draws fixed by `seed`, the row's tokens, and which of its `copies` masks the step
    takes at random.

    The rows themselves must be the same in every epoch: build them once.  # paper: all copies equally often
    """

    def __init__(self, objective, seed, copies=10):
        if copies < 1:
            raise ValueError(f"copies={copies} must be at least 1")
        super().__init__(objective)
        self.seed, self.copies = seed, copies

    def corrupt(self, batch, rng):
        copies = rng.integers(self.copies, size=len(batch.input_ids))
        contents = (zlib.crc32(ids[real].tobytes()) for ids, real in zip(batch.input_ids, batch.real))
        return super().corrupt(batch, RowDraws([[self.seed, int(copy), content]
                                                for copy, content in zip(copies, contents)],
                                               self.max_length))


class RowDraws:
    """In place of a Generator where (B, T) numbers are drawn: row b has its own generator, and padding
    changes nothing.
    """

    def __init__(self, seeds, longest):
        self.rows, self.longest = [np.random.default_rng(seed) for seed in seeds], longest

    def random(self, size):
        return self.stack(size, lambda row: row.random(self.longest))

    def integers(self, high, size):
        return self.stack(size, lambda row: row.integers(high, size=self.longest))

    def spawn(self, n):
        return [row.spawn(1)[0] for row in self.rows]

    def stack(self, size, draw):
        """size: (B, T). Raises ValueError for rows longer than `longest`: their draws would depend on the
        padding.
        """
        if size[1] > self.longest:
            raise ValueError(f"a batch of {size[1]} tokens is longer than max_length={self.longest}")
        return np.stack([draw(row)[:size[1]] for row in self.rows])
