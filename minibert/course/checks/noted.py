"""A wrapper around an answer that records the first calls that an invariant makes and all errors."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .guard import many, within

MOST_CALLS = 2  # calls that are shown as the example of a broken invariant


def contained(function: Callable, kind: type) -> Callable:
    """Wrap `function` so that its lists, tuples and 1-d arrays are converted to the container `kind`.

    A `kind` other than list and tuple changes nothing.
    """

    def called(*args, **kwargs):
        __tracebackhide__ = True
        got = function(*args, **kwargs)
        row = isinstance(got, (list, tuple)) or isinstance(got, np.ndarray) and got.ndim == 1
        return kind(got) if row and kind in (list, tuple) else got

    return called


class RecordingAnswer:
    """A wrapper that calls `answer`, and records the first calls as (arguments, result) and every error.

    calls: the recorded calls, at most MOST_CALLS + 1, which is enough to know if there were too many to show
    as an example.
    """

    def __init__(self, answer: Callable) -> None:
        self.function, self.answer, self.all_at_once = answer, within(answer), answer
        if hasattr(answer, "container"):
            self.function = contained(answer, answer.container)
        self.trial = getattr(answer, "trial", None)  # only a student's test has one
        self.calls: list[tuple[tuple, Any]] = []
        self.errors: list[Exception] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the answer and return its result."""
        __tracebackhide__ = True
        given = copy.deepcopy(args) if len(self.calls) <= MOST_CALLS else ()
        try:
            got = self.function(*args, **kwargs)
        except Exception as error:
            self.errors.append(error)
            raise
        self._note(given, got)
        return got

    def many(self, rows: list[tuple]) -> Iterator[Any]:
        """Yield the answer's result for each tuple of arguments in `rows`."""
        __tracebackhide__ = True
        given = copy.deepcopy(rows[: MOST_CALLS + 1])
        results = many(self.all_at_once, rows)
        for number in range(len(rows)):
            try:
                got = next(results)
            except Exception as error:
                self.errors.append(error)
                raise
            self._note(given[number] if number < len(given) else (), got)
            yield got

    def _note(self, given, got):
        if len(self.calls) <= MOST_CALLS:
            self.calls.append((given, got))

    def raised(self, error: Exception) -> bool:
        """Return True if `error` was raised by the answer, and not by the invariant's own code."""
        return any(error is own for own in self.errors)
