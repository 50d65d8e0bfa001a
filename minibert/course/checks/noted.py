"""An answer that remembers what an invariant asked of it: the first calls, and the errors that it raised."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .guard import many, within

MOST_CALLS = 2  # shown as the example of a broken invariant


def contained(function: Callable, kind: type) -> Callable:
    """`function`, whose lists, tuples and rows of numbers come in the container `kind`, as expected.

    Any `kind` but list and tuple changes nothing.
    """

    def called(*args, **kwargs):
        __tracebackhide__ = True
        got = function(*args, **kwargs)
        row = isinstance(got, (list, tuple)) or isinstance(got, np.ndarray) and got.ndim == 1
        return kind(got) if row and kind in (list, tuple) else got

    return called


class Noted:
    """Calls `answer` and notes the first calls as (arguments, result), and every error.

    calls: one more than MOST_CALLS at most, so that it shows when there were too many for an example.
    """

    def __init__(self, answer: Callable) -> None:
        self.function, self.answer, self.all_at_once = answer, within(answer), answer
        if hasattr(answer, "container"):
            self.function = contained(answer, answer.container)
        self.trial = getattr(answer, "trial", None)  # of a student's test
        self.calls: list[tuple[tuple, Any]] = []
        self.errors: list[Exception] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The answer's result."""
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
        """True if `error` came from the answer, not from what the invariant did with its results."""
        return any(error is own for own in self.errors)
