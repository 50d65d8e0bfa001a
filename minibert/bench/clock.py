"""Timing in turns: functions are timed alternately, so that other load on the machine affects all equally."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np


class Spread(NamedTuple):
    """The median and the quartiles of a set of measurements."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float] | np.ndarray) -> "Spread":
        return cls(*(float(x) for x in np.percentile(values, [50, 25, 75])))


def take_turns(
    contestants: Mapping[Any, Callable[[], Any]],
    rounds: int,
    warm: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[Any, np.ndarray]:
    """Time functions in turns, and return a dict that maps each name to its seconds per round, (rounds,).

    contestants: a dict that maps names to functions, each called once per round. The order rotates from round
    to round. warm: untimed rounds at the start, because the first calls compile and allocate. clock: for one
    thread, `time.process_time` measures the same on a busy machine.
    """
    names = list(contestants)
    seconds: dict[Any, list[float]] = {name: [] for name in contestants}
    for number in range(warm + rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            start = clock()
            contestants[name]()
            if number >= warm:
                seconds[name].append(clock() - start)
    return {name: np.array(values) for name, values in seconds.items()}


def times_faster(seconds: np.ndarray, other: np.ndarray) -> Spread:
    """Return the median and quartiles of other / seconds, the times (rounds,) of two functions."""
    return Spread.of(other / seconds)


@contextmanager
def busy_core() -> Iterator[None]:
    """Keep one core busy with another process inside this context."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()
