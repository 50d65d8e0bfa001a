"""The last step of a check, where an exercise is about speed: the answer beside the reference on one large
input.
"""
import copy
import time
from collections.abc import Callable
from dataclasses import dataclass

from .failure import fail

TRIES = 3   # the fastest counts: other programs only ever slow one down


@dataclass(frozen=True)
class Speed:
    """case(rng): one large input. The answer may take `times` as long as the reference; `sentence` says so
    when it does.
    """

    case: Callable
    times: float
    sentence: str

    def holds(self, answer, reference, rng):
        """Raise CheckFailed where the fastest of a few calls takes too long, in processor time."""
        __tracebackhide__ = True
        case = self.case(rng)
        ours, theirs = (min(seconds(function, case) for _ in range(TRIES))
                        for function in (reference, answer))
        if theirs > self.times * ours:
            fail("speed",
                 f"right, but too slow: it takes {theirs / ours:.0f} times as long as the reference, and "
                          f"{self.times:g} times are allowed. {self.sentence}")


def seconds(function, case):
    """Processor time of one call; a stand-in knows its own."""
    given, start = copy.deepcopy(case), time.process_time()
    function(*given)
    own = getattr(getattr(function, "answer", function), "seconds", None)
    return time.process_time() - start if own is None else own
