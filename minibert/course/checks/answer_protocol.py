"""The interface between a check and a student's answer, which may run in another process.

In a notebook, the answer is a plain function. A grader that runs checks and answers in two processes passes a
stand-in: a callable with some of the methods below. Only `guard`, `chance` and `speed` use these methods.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol


class AnswerProxy(Protocol):
    """A stand-in for a student's function that runs in another process.

    Only `__call__` is required; a check does without any other method. For a plain function, a check looks up
    the student's names in its `__globals__`, and blocks the package's functions in this process.

    __name__: the function's name.
    __signature__: an `inspect.Signature` of the student's function, which `inspect.signature` returns.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the student's function and return its result as plain data.

        args: numbers, strings, None, NumPy arrays, `np.random.Generator` and its subclasses such as
        `chance.LimitedGenerator`, plain functions of this package, and tuples, lists and dicts of these. The
        caller passes a copy and compares it afterwards. So if the student's function changes an argument in
        place, that change must be made in `args`, too. Similarly, a generator must advance as far as the
        function drew from it (set its `bit_generator.state`), because some checks use it again in the next
        call. A `LimitedGenerator` is exempt, because it is made for one call.

        Returns data of the same kinds, and preserves dtypes, types of containers and None. A result of any
        other type becomes an object whose type has the same `__name__`, so that the check can say "returns a
        ...".

        Raises an exception whose type has the same `__name__` and whose text is the same as in the student's
        process, because known mistakes are recognised by both. A `CheckFailed` stays a `CheckFailed`:
        `LimitedGenerator` raises it to end endless loops. A `NotImplementedError` has the attribute
        `raised_in`, the name of the innermost function that raised it. NumPy's warnings are silenced, and
        nothing is written to stderr.
        """

    def many(self, calls: list[tuple]) -> Iterator[Any]:
        """Return an iterator over the results of several calls, each with a tuple of positional arguments.

        This is faster than single calls to another process, with the same results: an object in several
        tuples stays one object, so a generator advances from call to call. The iterator raises the exception
        of a call that fails, and makes no later call. Arguments changed in place appear in `calls` when it
        ends. `without` and `lend` apply as they did when `many` was called.
        """

    def sibling(self, name: str) -> AnswerProxy | None:
        """Return the student's object called `name` as an AnswerProxy, or None if there is none."""

    def lend(self, names: dict[str, Callable]) -> AbstractContextManager:
        """Replace functions in the student's notebook with the package's in a `with` block.

        names: a dict that maps names in the notebook to functions of this package. A stand-in may run such a
        function in the grader's process, so that the student's process sees neither its code nor its name.
        """

    def without(self, names: list[str]) -> AbstractContextManager:
        """Make calls to some of the package's functions raise CheckFailed in a `with` block.

        names: the functions, as "module:qualname". A call by any name raises `CheckFailed(guard.OWN_WORK)` in
        the student's process. Every call of the student's function is in such a block, so it should be fast.
        `lend` may be active at the same time, but never for the same function.
        """

    def global_states(self) -> dict[str, Any]:
        """Return the states of the global random generators, with the keys "np.random" and "random".

        A value changes only if that generator has advanced.
        """

    @property
    def seconds(self) -> float:
        """Return the processor time of the last call in seconds, without communication, for speed checks."""


def name_of(function: Any) -> str | None:
    """Return the name "module:qualname" of a function, or None for a lambda or a nested function.

    >>> from minibert import reference
    >>> name_of(reference.softmax), name_of(lambda x: x)
    ('minibert.reference.attention:softmax', None)
    """
    module, path = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    return f"{module}:{path}" if found(f"{module}:{path}") is function else None


def found(name: str) -> Any:
    """Return the object called `name`, as "module:qualname", if its module is loaded, otherwise None."""
    with contextlib.suppress(ImportError, AttributeError):
        if name.partition(":")[0] in sys.modules:
            return named(name)
    return None


def named(name: str) -> Any:
    """Import and return the object called `name`, written as "module:qualname".

    Raises ImportError or AttributeError if there is no such object.
    """
    module, _, path = name.partition(":")
    place = importlib.import_module(module)
    for part in path.split("."):
        place = getattr(place, part)
    return place
