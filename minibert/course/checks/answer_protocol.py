"""The interface between a check and a student's answer, which may run in another process.

In a notebook, the answer is a plain function. A grader that runs the check and the answer in separate
processes passes the check a stand-in: a callable with some of the methods below. Only `guard`, `chance` and
`speed` use these methods.
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

    Only `__call__` is required; a check works without the other methods. For a plain function, a check looks
    up the student's names in its `__globals__`, and blocks the package's functions in this process.

    __name__: the function's name.
    __signature__: the signature of the student's function, which `inspect.signature` returns.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the student's function and return its result as plain data.

        args: numbers, strings, None, NumPy arrays, `np.random.Generator` and its subclasses such as
        `chance.LimitedGenerator`, plain functions of this package, and tuples, lists and dicts of these. The
        caller passes copies and checks afterwards whether they have changed. So if the student's function
        changes an argument in place, make the same change in `args`. Similarly, advance a generator as far as
        the function did (set its `bit_generator.state`), because some checks use it again in the next call. A
        `LimitedGenerator` is exempt, because it is made for one call.

        Returns data of the same kinds, and preserves dtypes, container types and None. A result of any other
        type becomes an object whose type has the same `__name__`, so the check can report "returns a ...".

        If the student's function raises an exception, raises one with the same type name and text, because
        known student mistakes are recognised by both. A `CheckFailed` stays a `CheckFailed`:
        `LimitedGenerator` raises it to stop endless loops. A `NotImplementedError` has the attribute
        `raised_in`, the name of the innermost function that raised it. NumPy's warnings are silenced, and
        nothing is written to stderr.
        """

    def many(self, calls: list[tuple]) -> Iterator[Any]:
        """Call the student's function on each tuple of arguments, and return an iterator over the results.

        This is faster than separate calls to another process, but gives the same results: an object that
        occurs in multiple tuples remains a single object, so a generator advances from call to call. If a
        call fails, the iterator raises its exception and makes no more calls. When the iterator ends, `calls`
        shows any changes that the function made to its arguments. `without` and `lend` blocks that were
        active when `many` was called apply to all its calls.
        """

    def sibling(self, name: str) -> AnswerProxy | None:
        """Return the object `name` of the student's notebook as an AnswerProxy, or None if there is none."""

    def lend(self, names: dict[str, Callable]) -> AbstractContextManager:
        """Return a context manager that replaces functions in the student's notebook with the package's.

        names: a dict that maps names in the notebook to functions of this package. A stand-in may run such a
        function in the grader's process, so that the student's process sees neither its code nor its name.
        """

    def without(self, names: list[str]) -> AbstractContextManager:
        """Return a context manager in which the student's calls to some package functions raise CheckFailed.

        names: the functions, as "module:qualname". Calling one of them, even under another name, raises
        `CheckFailed(guard.OWN_WORK)` in the student's process. Every call of the student's function is made
        in such a block, so entering it should be fast. `lend` may be active at the same time, but never for
        the same function.
        """

    def global_states(self) -> dict[str, Any]:
        """Return {"np.random": state, "random": state} for the global random generators.

        A value changes only if that generator has advanced.
        """

    @property
    def seconds(self) -> float:
        """Return the CPU time of the last call in seconds, without the time for communication."""


def name_of(function: Any) -> str | None:
    """Return the name "module:qualname" of a function, or None for a lambda or a nested function.

    >>> from minibert import reference
    >>> name_of(reference.softmax), name_of(lambda x: x)
    ('minibert.reference.attention:softmax', None)
    """
    module, path = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    return f"{module}:{path}" if found(f"{module}:{path}") is function else None


def found(name: str) -> Any:
    """Return the object called `name` ("module:qualname"), or None if its module is not loaded."""
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
