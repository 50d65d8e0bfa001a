"""Answer requests about the student's functions and objects, in the student's process.

Nothing here is trusted. The student's code shares this process and may change anything here, but that only
changes the server's answers.
"""

import contextlib
import inspect
import itertools
import os
import random
import shutil
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from minibert.course.checks import guard  # loaded before student code can replace it
from minibert.course.checks.answer_protocol import found, named

from ..sandbox import left_out
from . import protocol
from .callbacks import remote
from .errors import describe_error
from .in_place_changes import encoded_arguments
from .link import CurrentRequest, Link

MOST_STEPS = 100_000  # items taken from an iterator, which may be infinite


class Server:
    """Answers requests about the student's variables (the dict `names`) over `connection`."""

    def __init__(self, connection: socket.socket, names: dict[str, Any]) -> None:
        self.link, self.names = Link(connection), names
        self.objects: dict[int, Any] = {}

    def answer(self, *event: Any) -> None:
        """Read one request and reply to it, between cells, in the thread that runs them."""
        self.link.serving = serving = CurrentRequest()
        try:
            number, request = protocol.receive(self.link.connection, self._restore, generator_type)
            if "op" not in request:  # the late reply to an interrupted call of a trusted function
                return
            before = signal.signal(signal.SIGINT, signal.default_int_handler)
            serving.number = number
            try:
                reply = self._reply(request)
            finally:
                self.link.serving = None
                signal.signal(signal.SIGINT, before)
            try:
                protocol.send(self.link.connection, (number, reply), self._describe)
            except protocol.Disconnected:
                raise
            except Exception as error:  # too large, or a student's object that cannot be described
                failed = describe_error(error)[:3] + [[], "ValueError"]
                protocol.send(self.link.connection, (number, {"error": failed}))
        except protocol.Disconnected:
            os._exit(0)  # there will be no more requests

    def _reply(self, request):
        try:
            before = encoded_arguments(request.get("args"))
            value, seconds = self._do(**request)
            after = request.get("args")
            changed = None if encoded_arguments(after) == before else after
            return {"value": value, "seconds": seconds, "args": changed}
        except BaseException as error:  # student code may raise anything, and the tests must learn of it
            return {"error": describe_error(error)}

    def _do(self, op, target=None, name=None, args=((), {}), lend=None, without=()):
        began = time.process_time()
        positional, named = args
        if op in ("call", "many"):
            with self._lent(lend or {}), unusable(without), quiet():
                value = target(*positional, **named) if op == "call" else one_by_one(target, *positional)
        else:
            value = OPERATIONS[op](self, target, name, *positional)
        return value, time.process_time() - began

    @contextlib.contextmanager
    def _lent(self, lend):
        before = {name: self.names[name] for name in lend if name in self.names}
        self.names.update(lend)
        try:
            yield
        finally:
            for name in lend:
                self.names.pop(name, None)
            self.names.update(before)

    def _restore(self, described):
        """Return the student's object with the given number, or a stand-in for a trusted function's token."""
        return remote(self.link, described) if isinstance(described, str) else self.objects[described]

    def _describe(self, value):
        """Store an object, and return [number, name of its type, whether it is callable, its name]."""
        number = len(self.objects)
        self.objects[number] = value
        name = getattr(value, "__name__", None)
        return [number, type(value).__name__, callable(value), name if isinstance(name, str) else None]

    def begin(
        self, _: None, __: None, folder: str, seed: int, pieces: dict[str, str], absent: dict[str, bool]
    ) -> None:
        """Prepare for the first cell: copy files, seed generators, and make package parts importable."""
        left_out.install(pieces, absent)
        for path in Path(folder).iterdir():
            copy: Callable = shutil.copytree if path.is_dir() else shutil.copyfile
            copy(path, path.name)
        random.seed(seed)
        np.random.seed(seed)

    def name(self, _: None, name: str) -> tuple[bool, Any]:
        """Return (whether the notebook defines `name`, its value)."""
        return (name in self.names, self.names.get(name))

    def signature(self, function: Any, _: None) -> list | None:
        """List a function's parameters as [name, kind, whether it has a default, default], or return None."""
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            return None
        return [[p.name, int(p.kind), p.default is not p.empty, plain_default(p)] for p in parameters]

    def states(self, *_: None) -> dict[str, tuple]:
        """Return the states of the global random generators."""
        state: Any = np.random.get_state()
        kind, keys, *rest = state
        return {"np.random": (kind, keys.tobytes(), *rest), "random": random.getstate()}


def one_by_one(target: Callable, calls: Iterable[tuple]) -> tuple[list, list | None]:
    """Call `target` on each tuple until a call fails; return (results, description of the error or None)."""
    results: list = []
    for args in calls:
        try:
            value = target(*args)
        except BaseException as error:
            return results, describe_error(error)
        # Copy, because the next call may write into the array.
        results.append(value.copy() if type(value) is np.ndarray else value)
    return results, None


def plain_default(parameter: inspect.Parameter) -> bool | int | float | str | None:
    """Return a parameter's default if it is a number, text or boolean, otherwise None."""
    return parameter.default if isinstance(parameter.default, (bool, int, float, str, type(None))) else None


OPERATIONS: dict[str, Callable] = {
    "begin": Server.begin,
    "name": Server.name,
    "signature": Server.signature,
    "states": Server.states,
    "get": lambda server, target, name: getattr(target, name),
    "set": lambda server, target, name, value: setattr(target, name, value),
    "item": lambda server, target, _, key: target[key],
    "set_item": lambda server, target, _, key, value: target.__setitem__(key, value),
    "size": lambda server, target, _: len(target),
    "holds": lambda server, target, _, value: value in target,
    "steps": lambda server, target, _, most=MOST_STEPS: list(itertools.islice(target, most)),
    "next": lambda server, target, _: next(target),
}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence NumPy's warnings, such as those about overflow, which the values reveal anyway."""
    with np.errstate(all="ignore"):
        yield


def unusable(names: Iterable[str]) -> contextlib.AbstractContextManager:
    """Block those of the package's functions "module:qualname" that have been imported, in a `with` block."""
    there = [thing for thing in map(found, names) if isinstance(thing, FunctionType)]
    return guard.unusable(there) if there else contextlib.nullcontext()


def package_object(name: str) -> Any:
    """Return the object of this package named "module:qualname"; raise ValueError for other packages."""
    if not name.startswith(("minibert.", "minibert:")):
        raise ValueError(f"{name} is not an object of the minibert package")
    return named(name)


def generator_type(name: str) -> type:
    """Return the package's class called `name` if it is a subclass of Generator, otherwise Generator."""
    kind = package_object(name)
    return kind if isinstance(kind, type) and issubclass(kind, np.random.Generator) else np.random.Generator
