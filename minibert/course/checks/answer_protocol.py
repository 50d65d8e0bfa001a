"""What a check may ask of an answer: a plain function, or a stand-in for one in another process.

A notebook passes plain functions. A grader that keeps checks and answers in two processes passes stand-ins:
callables with some of the methods below. In `minibert.course` only `guard`, `chance` and `speed` use them.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol


class StandIn(Protocol):
    """A stand-in for the student's function, as checks use it.

    Only `__call__` is required. A check does without whatever else is missing: a plain function has none of
    the methods, so its `__globals__` are searched for the student's names, and the package's functions are
    made unusable in this process.

    __name__: the function's name.
    __signature__: an `inspect.Signature` of the student's function; `inspect.signature` honours it.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the student's function and return its result as plain data.

        args: numbers, text, None, NumPy arrays, `np.random.Generator` and subclasses of it such as
        `chance.Counted`, plain functions of ours, and tuples, lists and dicts of these. The caller passes a
        copy that it compares afterwards. So what the student's function changes in place must be changed in
        `args` here too, and a generator must advance as far as the function drew from it (set its
        `bit_generator.state`), because some checks call again with the same one; a `Counted` need not, for it
        is made for one call.

        Returns such data; dtype, kind of container and None are preserved. A result of another type becomes
        an object whose type has the same `__name__`: the check says "returns a ...".

        Raises what the student's function raises: an exception whose type has the same `__name__` and whose
        text is the same (known mistakes are recognised by both). `CheckFailed` is passed on as such:
        `Counted` raises it to end endless loops. A `NotImplementedError` has the attribute `raised_in`, the
        name of the innermost function that raised it. NumPy's warnings are silenced, and nothing is written
        to stderr.
        """

    def many(self, calls: list[tuple]) -> Iterator[Any]:
        """Return an iterator over the results of several calls, each with a tuple of positional arguments.

        The calls are made as if one after another, each result being used before the next call: an object
        in several tuples is one object, so that a generator advances from call to call. What a call raises is
        raised in its place, and no later call is made; what the function changes in place is changed in
        `calls` when the iterator ends. `without` and `lend` apply as they were when `many` was called. It
        saves time where a single call has to travel far.
        """

    def sibling(self, name: str) -> StandIn | None:
        """The object called `name` in the student's notebook, as another StandIn; None if there is none."""

    def lend(self, names: dict[str, Callable]) -> AbstractContextManager:
        """Context manager: the student's function finds ours under these names; afterwards its own are back.

        names: {name in the student's notebook: one of our functions}. A stand-in may leave ours where it is,
        and have it called from there: neither its code nor its name need reach the student's process.
        """

    def without(self, names: list[str]) -> AbstractContextManager:
        """Context manager: calling one of the package's functions "module:qualname" raises CheckFailed.

        It raises `CheckFailed(guard.OWN_WORK)` where the student's function runs, under whatever name the
        function is called. It is opened around every single call of the answer, so it should be fast. It may
        be open together with `lend`: the two never name the same function.
        """

    def global_states(self) -> dict[str, Any]:
        """{"np.random": ..., "random": ...}: values that change just when that global generator advances."""

    @property
    def seconds(self) -> float:
        """Processor time of the last call alone, without communication; only checks of speed use it."""


def name_of(function: Any) -> str | None:
    """The name "module:qualname" by which a function can be found; None for a lambda or a nested function.

    >>> from minibert import reference
    >>> name_of(reference.softmax), name_of(lambda x: x)
    ('minibert.reference.attention:softmax', None)
    """
    module, path = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    return f"{module}:{path}" if found(f"{module}:{path}") is function else None


def found(name: str) -> Any:
    """The object called "module:qualname" among the loaded modules, or None."""
    with contextlib.suppress(ImportError, AttributeError):
        if name.partition(":")[0] in sys.modules:
            return named(name)
    return None


def named(name: str) -> Any:
    """Import and return the object "module:qualname"; ImportError or AttributeError if there is none."""
    module, _, path = name.partition(":")
    place = importlib.import_module(module)
    for part in path.split("."):
        place = getattr(place, part)
    return place
