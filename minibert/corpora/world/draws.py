"""Random choices made from uniform numbers alone, so that a seed gives the same text with every NumPy version.

NumPy promises the stream of a bit generator; methods of `Generator` such as `integers` and `choice` may change, so only
`random()`, a plain scaling of that stream, is used.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


class Draws:
    """Choices for a writer of documents, each from one uniform number of `rng`.

    >>> draws = Draws(np.random.Generator(np.random.PCG64(0)))
    >>> draws.pick("abc") in "abc"
    True
    """

    def __init__(self, rng: np.random.Generator):
        self._uniform = rng.random

    def index(self, count: int) -> int:
        """A whole number from 0 to `count` - 1, all equally likely."""
        return int(self._uniform() * count)

    def pick(self, options: Sequence[Item]) -> Item:
        """One of `options`, all equally likely."""
        return options[int(self._uniform() * len(options))]

    def early(self, options: Sequence[Item]) -> Item:
        """One of `options`, earlier ones more often: the first k of n have probability sqrt(k / n) together."""
        return options[int(self._uniform() ** 2 * len(options))]

    def chance(self, probability: float) -> bool:
        """True with the given probability (0 to 1)."""
        return self._uniform() < probability

    def sample(self, options: Sequence[Item], count: int) -> list[Item]:
        """`count` different items of `options` in random order; `sample(x, len(x))` is a shuffle.

        Raises ValueError when there are fewer options than asked for.
        """
        if count > len(options):
            raise ValueError(f"{count} different items asked for, but there are only {len(options)}")
        rest = list(options)
        chosen = []
        for _ in range(count):
            at = self.index(len(rest))
            rest[at], rest[-1] = rest[-1], rest[at]
            chosen.append(rest.pop())
        return chosen
