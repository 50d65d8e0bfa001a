"""Compare the running time of a student's function with that of the correct function."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .failure import fail

TRIES = 3  # We take the fastest call, because other programs can only slow a call down.


@dataclass(frozen=True)
class Speed:
    """A limit on the CPU time of a student's function on one large input.

    case(rng): returns the input. times: the limit, as a multiple of the correct function's time. sentence:
    the requirement in words, at the end of the message for a slower function.
    """

    case: Callable
    times: float
    sentence: str

    def holds(self, answer: Callable, reference: Callable, rng: np.random.Generator) -> None:
        """Raise CheckFailed if the student's function is too slow even in the fastest of several calls."""
        __tracebackhide__ = True
        case = self.case(rng)
        ours, theirs = (
            min(seconds(function, case) for _ in range(TRIES)) for function in (reference, answer)
        )
        if theirs > self.times * ours:
            fail(
                "speed",
                "your results are right, but your function is too slow: it takes "
                f"{theirs / ours:.0f} times as long as the reference, and the limit is {self.times:g} times. "
                f"{self.sentence}",
            )


def seconds(function: Callable, case: tuple) -> float:
    """Return the CPU time of one call in seconds, measured in the process that runs the function."""
    given, start = copy.deepcopy(case), time.process_time()
    function(*given)
    own = getattr(getattr(function, "answer", function), "seconds", None)
    return time.process_time() - start if own is None else own
