"""Record the first calls of a student's function, and all its errors."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from .compare import in_form
from .guard import many, within

MOST_CALLS = 2  # calls that are shown as the example of a broken invariant


def contained(function: Callable, wanted: Any) -> Callable:
    """Wrap `function` to return results of the same types as `wanted`, a correct result (see `in_form`)."""

    def called(*args, **kwargs):
        __tracebackhide__ = True
        return in_form(function(*args, **kwargs), wanted)

    return called


class RecordingAnswer:
    """A wrapper that records the first calls of a student's function, and every error that it raises.

    calls: at most MOST_CALLS + 1 recorded (arguments, result) pairs, one more than a message shows.
    """

    def __init__(self, answer: Callable) -> None:
        self.wanted = getattr(answer, "wanted", None)
        self.function, self.answer, self.all_at_once = contained(answer, self.wanted), within(answer), answer
        self.trial = getattr(answer, "trial", None)  # only a student's test has one
        self.calls: list[tuple[tuple, Any]] = []
        self.errors: list[Exception] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
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
        """Yield the result of the student's function for each tuple of arguments in `rows`."""
        __tracebackhide__ = True
        given = copy.deepcopy(rows[: MOST_CALLS + 1])
        results = many(self.all_at_once, rows)
        for number in range(len(rows)):
            try:
                got = in_form(next(results), self.wanted)
            except Exception as error:
                self.errors.append(error)
                raise
            self._note(given[number] if number < len(given) else (), got)
            yield got

    def _note(self, given, got):
        if len(self.calls) <= MOST_CALLS:
            self.calls.append((given, got))

    def raised(self, error: Exception) -> bool:
        """Return True if `error` was raised by the student's function, not by the code that tests it."""
        return any(error is own for own in self.errors)
