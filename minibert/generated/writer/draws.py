"""Make random choices from uniform random numbers alone, so that every version of NumPy gives the same text.

NumPy guarantees the stream of a bit generator, but methods of `Generator` such as `choice` may change. So we
use only `random()`, and draw a block of numbers at a time.
"""

from bisect import bisect
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
BLOCK = 4096  # uniform numbers drawn in one call


def early_shares(count: int) -> tuple[float, ...]:
    """Return the probabilities with which `Draws.early` chooses each of `count` options."""
    return tuple(((k + 1) / count) ** 0.5 - (k / count) ** 0.5 for k in range(count))


class Draws:
    """A source of random choices, each made from one uniform number of `rng`.

    >>> draws = Draws(np.random.Generator(np.random.PCG64(0)))
    >>> draws.pick("abc") in "abc"
    True
    """

    def __init__(self, rng: np.random.Generator):
        self._rng = rng
        self._block: list[float] = []

    def _uniform(self) -> float:
        if not self._block:
            self._block = self._rng.random(BLOCK).tolist()
            self._block.reverse()
        return self._block.pop()

    def index(self, count: int) -> int:
        """Return a uniformly random integer from 0 to `count` - 1."""
        return int(self._uniform() * count)

    def early(self, count: int) -> int:
        """Return a random integer from 0 to `count` - 1, favouring small ones as in `early_shares`."""
        return int(self._uniform() ** 2 * count)

    def weighted(self, sums: Sequence[float]) -> int:
        """Return a random index, drawn with weights. sums: the cumulative sums of the weights."""
        return min(bisect(sums, self._uniform() * sums[-1]), len(sums) - 1)

    def fresh(self, count: int, taken: set[int]) -> int:
        """Return a uniformly random integer from 0 to `count` - 1 that is not in `taken`.

        Raises ValueError if all integers are taken.
        """
        if len(taken) >= count:
            raise ValueError(f"all {count} options are taken: {sorted(taken)}")
        choice = self.index(count)
        while choice in taken:
            choice = self.index(count)
        return choice

    def pick(self, options: Sequence[Item]) -> Item:
        """Return a uniformly random item of `options`."""
        return options[self.index(len(options))]

    def chance(self, probability: float) -> bool:
        """Return True with the given probability (0 to 1)."""
        return self._uniform() < probability

    def sample(self, options: Sequence[Item], count: int) -> list[Item]:
        """Return `count` distinct items of `options` in random order, so `sample(x, len(x))` is a shuffle."""
        if count > len(options):
            raise ValueError(f"cannot draw {count} different items from only {len(options)}")
        rest = list(options)
        chosen = []
        for _ in range(count):
            at = self.index(len(rest))
            rest[at], rest[-1] = rest[-1], rest[at]
            chosen.append(rest.pop())
        return chosen
