"""Timing side by side: contestants take turns, so that what else the machine does hits all alike."""
import time
from typing import NamedTuple

import numpy as np


class Spread(NamedTuple):
    """A median with its quartiles."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values):
        """The Spread of numbers."""
        return cls(*(float(x) for x in np.percentile(values, [50, 25, 75])))


def take_turns(contestants, rounds, warm=1):
    """{name: (rounds,) seconds} of {name: function}: in each round each runs once, and the order turns from
    round to round.

    warm: rounds before, which do not count: first calls compile and allocate.
    """
    names, seconds = list(contestants), {name: [] for name in contestants}
    for number in range(warm + rounds):
        for name in names[number % len(names):] + names[:number % len(names)]:
            start = time.perf_counter()
            contestants[name]()
            if number >= warm:
                seconds[name].append(time.perf_counter() - start)
    return {name: np.array(values) for name, values in seconds.items()}


def times_faster(seconds, other):
    """The Spread over the rounds of how many times longer `other` took."""
    return Spread.of(other / seconds)
