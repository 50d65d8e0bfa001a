"""Static masking: the masks of a sequence are drawn once instead of at every step.

Devlin et al.'s code (github.com/google-research/bert) stores each sequence ten times, with ten masks; Liu et
al. (2019, arXiv 1907.11692), section 4.1, compare that with dynamic masking.
"""

import zlib
from collections.abc import Callable, Sequence

import numpy as np

from ..data.batch import Batch
from ..model.goal import Arrays
from .base import Objective
from .sum import Sum


class StaticMasks(Sum):
    """An objective that masks each sequence in only `copies` different ways.

    The masks are determined by the sequence's tokens and `seed`. Build the sequences only once, so that they
    are the same in every epoch.
    """

    def __init__(self, objective: Objective, seed: int, copies: int = 10):
        if copies < 1:
            raise ValueError(f"copies={copies} must be at least 1")
        super().__init__(objective)
        self.seed, self.copies = seed, copies

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        # paper: all copies are used equally often
        copies = rng.integers(self.copies, size=len(batch.input_ids))
        contents = (zlib.crc32(ids[real].tobytes()) for ids, real in zip(batch.input_ids, batch.real))
        seeds = [[self.seed, int(copy), content] for copy, content in zip(copies, contents)]
        return super().corrupt(batch, RowDraws(seeds, self.max_length))  # type: ignore[arg-type]  # a partial Generator


class RowDraws:
    """A random generator for arrays (B, T) that has a separate seed for each row.

    A row's numbers do not depend on how far the batch is padded.
    """

    def __init__(self, seeds: Sequence[Sequence[int]], longest: int):
        self.rows, self.longest = [np.random.default_rng(seed) for seed in seeds], longest

    def random(self, size: tuple[int, int]) -> np.ndarray:
        return self.stack(size, lambda row: row.random(self.longest))

    def integers(self, high: int, size: tuple[int, int]) -> np.ndarray:
        return self.stack(size, lambda row: row.integers(high, size=self.longest))

    def spawn(self, n: int) -> list[np.random.Generator]:
        return [row.spawn(1)[0] for row in self.rows]

    def stack(self, size: tuple[int, int], draw: Callable[[np.random.Generator], np.ndarray]) -> np.ndarray:
        """Draw numbers for each row with the function `draw`, and stack them into (B, T).

        Raises ValueError if T is greater than `longest`, because the numbers would depend on the padding.
        """
        if size[1] > self.longest:
            raise ValueError(f"a batch of {size[1]} tokens is longer than max_length={self.longest}")
        return np.stack([draw(row)[: size[1]] for row in self.rows])
