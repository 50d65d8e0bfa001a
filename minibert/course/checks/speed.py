"""The last step of a check where an exercise is about speed: time the answer and the reference."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .failure import fail

TRIES = 3  # the fastest counts: other programs can only slow a call down


@dataclass(frozen=True)
class Speed:
    """A limit on an answer's time: `times` as long as the reference on one large input, case(rng).

    sentence: the advice for an answer that takes longer.
    """

    case: Callable
    times: float
    sentence: str

    def holds(self, answer: Callable, reference: Callable, rng: np.random.Generator) -> None:
        """Raise CheckFailed if even the fastest of a few calls takes too much processor time."""
        __tracebackhide__ = True
        case = self.case(rng)
        ours, theirs = (
            min(seconds(function, case) for _ in range(TRIES)) for function in (reference, answer)
        )
        if theirs > self.times * ours:
            fail(
                "speed",
                f"right, but too slow: it takes {theirs / ours:.0f} times as long as the "
                f"reference, and {self.times:g} times are allowed. {self.sentence}",
            )


def seconds(function: Callable, case: tuple) -> float:
    """The processor time of one call in seconds; a stand-in reports its own."""
    given, start = copy.deepcopy(case), time.process_time()
    function(*given)
    own = getattr(getattr(function, "answer", function), "seconds", None)
    return time.process_time() - start if own is None else own
