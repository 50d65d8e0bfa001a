"""Answers, in the student's process, what the tests ask of her functions, objects and values.

Nothing here is relied upon: her code shares this process and may change all of it, and would only change what
she answers.
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
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...checks.engine.answer_protocol import named
from . import protocol  # loaded before her code can put anything else under their names

MOST_STEPS = 100_000        # taken from an iterator that may have no end
MOST_CHARACTERS = 2_000     # of an exception's text


class Server:
    """Answers requests (dicts, over `connection`) about the objects in `names`, the student's variables."""

    def __init__(self, connection: socket.socket, names: dict[str, Any]) -> None:
        self.connection, self.names = connection, names
        self.objects: dict[int, Any] = {}

    def answer(self, *event: Any) -> None:
        """Read one request and reply to it. Runs between cells, in the thread that runs her cells."""
        try:
            number, request = protocol.receive(self.connection, lambda fields: self.objects[fields],
                                               generator_type)
            before = signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                reply = self._reply(request)
            finally:
                signal.signal(signal.SIGINT, before)
            try:
                protocol.send(self.connection, (number, reply), self._describe)
            except protocol.Disconnected:
                raise
            except Exception as error:       # too large, or an object of hers that cannot be described
                failed = describe_error(error)[:3] + [[], "ValueError"]
                protocol.send(self.connection, (number, {"error": failed}))
        except protocol.Disconnected:
            os._exit(0)                 # nobody will ask any more

    def _reply(self, request):
        try:
            before = encoded_arguments(request.get("args"))
            value, seconds = self._do(**request)
            after = request.get("args")
            changed = None if encoded_arguments(after) == before else after
            return {"value": value, "seconds": seconds, "args": changed}
        except BaseException as error:   # of her code: whatever it is, the tests are told
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
        self.names.update({name: package_object(ours) for name, ours in lend.items()})
        try:
            yield
        finally:
            for name in lend:
                self.names.pop(name, None)
            self.names.update(before)

    def _describe(self, value):
        """[number, name of its type, whether it can be called, its name] of an object that stays here."""
        number = len(self.objects)
        self.objects[number] = value
        name = getattr(value, "__name__", None)
        return [number, type(value).__name__, callable(value), name if isinstance(name, str) else None]

    def begin(self, _: None, __: None, folder: str, seed: int) -> None:
        """Before the first cell: copy the assignment's files here and seed the global random generators."""
        for path in Path(folder).iterdir():
            copy: Callable = shutil.copytree if path.is_dir() else shutil.copyfile
            copy(path, path.name)
        random.seed(seed)
        np.random.seed(seed)

    def name(self, _: None, name: str) -> tuple[bool, Any]:
        """(whether the notebook has this name, its value)."""
        return (name in self.names, self.names.get(name))

    def signature(self, function: Any, _: None) -> list | None:
        """Parameters as [name, kind, whether there is a default, the default]; None without a signature."""
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            return None
        return [[p.name, int(p.kind), p.default is not p.empty, plain_default(p)] for p in parameters]

    def states(self, *_: None) -> dict[str, tuple]:
        """The states of the global random generators."""
        state: Any = np.random.get_state()
        kind, keys, *rest = state
        return {"np.random": (kind, keys.tobytes(), *rest), "random": random.getstate()}


def one_by_one(target: Callable, calls: Iterable[tuple]) -> tuple[list, list | None]:
    """(results of the calls up to the first that raises, description of that error or None)."""
    results: list = []
    for args in calls:
        try:
            value = target(*args)
        except BaseException as error:
            return results, describe_error(error)
        # a copy, because her next call may write into the array
        results.append(value.copy() if type(value) is np.ndarray else value)
    return results, None


def plain_default(parameter: inspect.Parameter) -> bool | int | float | str | None:
    """The default of a parameter if it is a plain value, else None."""
    return parameter.default if isinstance(parameter.default, (bool, int, float, str, type(None))) else None


OPERATIONS: dict[str, Callable] = {
    "begin": Server.begin, "name": Server.name, "signature": Server.signature, "states": Server.states,
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
    """Silence NumPy's warnings: an overflow shows in the values."""
    with np.errstate(all="ignore"):
        yield


@contextlib.contextmanager
def unusable(names: Iterable[str]) -> Iterator[None]:
    """Make functions of the package, given as "module:qualname", unusable."""
    from minibert.checks.engine import guard

    with guard.unusable([package_object(name) for name in names]):
        yield


def package_object(name: str) -> Any:
    """The object of this package that "module:qualname" names; raises ValueError for other packages."""
    if not name.startswith(("minibert.", "minibert:")):
        raise ValueError(f"{name}: only objects of the package can be named")
    return named(name)


def generator_type(name: str) -> type:
    """The subclass of Generator that a message names; Generator itself if it names anything else."""
    kind = package_object(name)
    return kind if isinstance(kind, type) and issubclass(kind, np.random.Generator) else np.random.Generator


def encoded_arguments(args: Any) -> tuple[Any, list[bytes]] | None:
    """The message that `args` would be sent as: it stays equal unless something is changed in place."""
    encoder = protocol.MessageEncoder(id, skip_call_state=True)
    try:
        return encoder.encode(args), encoder.parts
    except (protocol.WireError, ValueError, TypeError):
        return None


def describe_error(error: BaseException) -> list:
    """[type's name, text, function that raised it, lines of her code on the way, built-in base class]."""
    try:
        text = str(error)
    except BaseException:       # a __str__ that fails, or loops until it is interrupted
        text = ""
    lines, raised_in = [], ""
    for frame in traceback.extract_tb(error.__traceback__):
        raised_in = frame.name
        if "ipykernel" in frame.filename or frame.filename.startswith("<"):
            lines.append(f"line {frame.lineno}, in {frame.name}: {frame.line}")
    kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
    lines = [line[:200] for line in lines[-10:]]
    return [type(error).__name__, text[:MOST_CHARACTERS], raised_in, lines, kind]
