"""Represent a student's objects in the trusted process by proxies.

A proxy exchanges data with the object in the student's process. It never uses the object's own `__eq__`,
`__array__` or `__bool__`, so values are always compared as data, in this process.
"""

import builtins
import contextlib
import inspect
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from ..sandbox import limits
from . import protocol
from .callbacks import OfferedFunctions
from .errors import describe_our_error, rebuild_error
from .in_place_changes import apply_changes

MOST_STEPS = 100_000  # items taken from an iterator, which may be infinite
MOST_REPLIES = 1_000  # replies read in search of the right one
KNOWN_TYPES = ("function", "generator", "module", "ndarray", "Tensor")  # besides Python's built-in types


class StudentKernelEnded(Exception):
    """The error raised when a student's process dies while it handles a request."""


class Session:
    """Sends requests to a student's process, and turns the replies into data and proxies."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.lent: dict[str, Callable] = {}
        self.offered: OfferedFunctions | None = (
            None  # during a request: the functions that student code may call
        )
        self.blocked: list = []
        self.bound: set[str] = set()  # names in the test's namespace that refer to proxies
        self.secret = False  # whether a hidden test is running: a type's name could reveal its input
        self.seconds, self.asked, self.ended = 0.0, 0, False
        self.pid = limits.peer_pid(connection)

    def ask(
        self,
        op: str,
        target: Any = None,
        name: str | None = None,
        args: Sequence = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Send a request to the student's process and return its reply.

        op: the operation, such as "call". An error in the student's code is raised here. Raises
        StudentKernelEnded if the process has died.
        """
        request: dict[str, Any] = {
            "op": op,
            "target": target,
            "name": name,
            "args": (list(args), kwargs or {}),
        }
        if op in ("call", "many"):
            request.update(lend=self.lent, without=self.blocked)
        if self.offered is not None:
            raise TypeError(
                "a function passed in by a check accepts only numbers, strings, lists, dicts and arrays"
            )
        self.asked += 1
        self.offered = OfferedFunctions()
        began = limits.thread_seconds(self.pid)
        try:
            protocol.send(self.connection, (self.asked, request), self._describe)
            reply = self._reply()
        except protocol.Disconnected:
            self.ended = True
            raise StudentKernelEnded("the notebook's kernel ended") from None
        except protocol.WireError as error:
            raise ValueError(f"the result cannot be read: {error}") from None
        finally:
            self.offered = None
        if not isinstance(reply, dict) or not {"error", "value"} & set(reply):
            raise ValueError("the result cannot be read")
        if "error" in reply:
            raise rebuild_error(reply["error"])
        claimed = reply.get("seconds")  # may be less than the process really used
        self.seconds = max(
            claimed if isinstance(claimed, float) else 0.0, limits.thread_seconds(self.pid) - began
        )
        if isinstance(reply.get("args"), tuple) and len(reply["args"]) == 2:
            apply_changes((list(args), kwargs or {}), reply["args"])
        return reply["value"]

    def _reply(self):
        """Return the reply to the last request, after running any trusted functions that it calls.

        Replies to earlier requests, which forked processes may repeat, are skipped.
        """
        skipped = 0
        while skipped < MOST_REPLIES:
            reply = protocol.receive(self.connection, self.proxy)
            if not isinstance(reply, tuple) or len(reply) != 2 or reply[0] != self.asked:
                skipped += 1
            elif isinstance(reply[1], dict) and "function" in reply[1]:
                self._serve(reply[1])
            else:
                return reply[1]
        raise protocol.Disconnected

    def _serve(self, call):
        served = self.offered.reply(call)
        try:
            protocol.send(self.connection, (self.asked, served))
        except protocol.WireError as error:
            protocol.send(self.connection, (self.asked, {"error": describe_our_error(error)}))

    def _describe(self, value):
        """Return what to send for a value that is not data: a proxy's number or a function's token."""
        if isinstance(value, Proxy):
            return value._number
        if isinstance(value, FunctionType) and self.offered:
            return self.offered.token(value)
        raise protocol.WireError(
            f"a value of type {type(value).__name__} cannot be passed to the student's code"
        )

    def proxy(self, description: Any) -> "Proxy":
        """Return a proxy for a student's object with the given description.

        description: `[number, name of the type, whether the object is callable, name of the object or None]`.
        """
        number, kind, called, name = description
        if type(number) is not int or not isinstance(kind, str) or not isinstance(name, (str, type(None))):
            raise protocol.WireError("the data could not be decoded")
        base = CallableProxy if called is True else Proxy
        if self.secret and not hasattr(builtins, kind) and kind not in KNOWN_TYPES:
            kind = "object"
        made: Proxy = object.__new__(type(kind[:80].replace("\0", ""), (base,), {}))
        for field, value in (("_session", self), ("_number", number), ("_named", name)):
            object.__setattr__(made, field, value)
        return made

    def find(self, name: str) -> tuple[bool, Any]:
        """Return (whether the notebook defines `name`, its value)."""
        reply = self.ask("name", None, name)
        return reply if isinstance(reply, tuple) and len(reply) == 2 else (False, None)


class Proxy:
    """A proxy for a student's object. Its attributes and items are data or other proxies."""

    _session: Session
    _number: int
    _named: str | None

    def __getattr__(self, name):
        if name.startswith(("__", "_repr_", "_ipython_")):
            raise AttributeError(name)
        return self._session.ask("get", self, name)

    def __setattr__(self, name, value):
        self._session.ask("set", self, name, [value])

    def __getitem__(self, key):
        return self._session.ask("item", self, None, [key])

    def __setitem__(self, key, value):
        self._session.ask("set_item", self, None, [key, value])

    def __contains__(self, value):
        return self._session.ask("holds", self, None, [value]) is True

    def __len__(self):
        size = self._session.ask("size", self)
        if type(size) is not int or size < 0:
            raise TypeError(
                f"len() of an object of type {type(self).__name__} returned {size!r:.50}, which is not "
                "a length"
            )
        return size

    def __iter__(self):
        steps = self._session.ask("steps", self)
        if not isinstance(steps, list):
            raise TypeError(f"an object of type {type(self).__name__} cannot be iterated")
        if len(steps) >= MOST_STEPS:
            raise ValueError(
                f"an object of type {type(self).__name__} has too many items: {MOST_STEPS:,} or more"
            )
        return iter(steps)

    def __next__(self):
        return self._session.ask("next", self)

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<{type(self).__name__} of the student's>"


class CallableProxy(Proxy):
    """A proxy for a student's function, class or other callable."""

    def __call__(self, *args, **kwargs):
        return self._session.ask("call", self, None, args, kwargs)

    def many(self, calls: Sequence[tuple]) -> Iterator:
        """Call the object with each tuple of arguments, in one request, and return the results."""
        reply = self._session.ask("many", self, None, [calls])
        results, error = reply if isinstance(reply, tuple) and len(reply) == 2 else (None, None)
        if (
            not isinstance(results, list)
            or len(results) > len(calls)
            or error is None
            and len(results) < len(calls)
        ):
            raise ValueError("the result cannot be read")
        return results_then_error(results, error)

    @property
    def __name__(self):
        return self._named or type(self).__name__

    @property
    def __signature__(self):
        parameters = self._session.ask("signature", self)
        if parameters is None:
            raise ValueError(f"cannot determine the arguments of {self.__name__}: it has no Python signature")
        try:
            return inspect.Signature(
                [
                    inspect.Parameter(
                        str(name),
                        inspect._ParameterKind(kind),
                        default=value if has else inspect.Parameter.empty,
                    )
                    for name, kind, has, value in parameters
                ]
            )
        except (TypeError, ValueError):
            raise ValueError(
                f"cannot determine the arguments of {self.__name__}: its signature cannot be read"
            ) from None

    @property
    def seconds(self) -> float:
        """Return the CPU time of the last call, in seconds."""
        return self._session.seconds

    def sibling(self, name: str) -> Any:
        """Return the value of a name in the student's notebook (or a proxy for it), or None."""
        there, value = self._session.find(name)
        return value if there else None

    @contextlib.contextmanager
    def lend(self, names: Mapping[str, Callable]) -> Iterator[None]:
        """Replace the student's functions with trusted ones, which run in this process, in a `with` block."""
        before, self._session.lent = self._session.lent, {**self._session.lent, **names}
        try:
            yield
        finally:
            self._session.lent = before

    @contextlib.contextmanager
    def without(self, names: Iterable[str]) -> Iterator[None]:
        """Block calls from the student's code to the package's functions `names`, in a `with` block."""
        before, self._session.blocked = self._session.blocked, [*self._session.blocked, *names]
        try:
            yield
        finally:
            self._session.blocked = before

    def global_states(self) -> dict[str, tuple]:
        """Return the states of the global random generators in the student's process."""
        return self._session.ask("states")


def results_then_error(results: Iterable, error: list | None) -> Iterator:
    """Yield the results, then raise the error that the student's process described, unless it is None."""
    yield from results
    if error is not None:
        raise rebuild_error(error)
