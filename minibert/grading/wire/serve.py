"""What the student's process answers when the tests ask for her functions, objects and values.

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
import time
import traceback
from pathlib import Path

import numpy as np

from ...checks.engine.answer_protocol import named
from . import protocol as bridge  # loaded before her code can put anything else under their names

MOST_STEPS = 100_000    # taken from an iterator that may have no end
MOST_SAID = 2_000       # characters of an exception's text


class Server:
    """Answers requests (dicts, over `connection`) about the things in `names`, the student's variables."""

    def __init__(self, connection, names):
        self.connection, self.names, self.things = connection, names, {}

    def answer(self, *event):
        """Read one request and reply to it. Runs between cells, in the thread that runs her cells."""
        try:
            number, request = bridge.receive(self.connection, lambda fields: self.things[fields], kind_of)
            before = signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                reply = self._reply(request)
            finally:
                signal.signal(signal.SIGINT, before)
            try:
                bridge.send(self.connection, (number, reply), self._keep)
            except bridge.Gone:
                raise
            except Exception as error:       # too large, or of hers and not to be written down
                bridge.send(self.connection, (number, {"error": described(error)[:3] + [[], "ValueError"]}))
        except bridge.Gone:
            os._exit(0)                 # nobody is there to ask any more

    def _reply(self, request):
        try:
            before = packed(request.get("args"))
            value, seconds = self._do(**request)
            after = request.get("args")
            return {"value": value, "seconds": seconds, "args": None if packed(after) == before else after}
        except BaseException as error:   # hers: whatever it is, the tests hear of it
            return {"error": described(error)}

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
        self.names.update({name: found(ours) for name, ours in lend.items()})
        try:
            yield
        finally:
            for name in lend:
                self.names.pop(name, None)
            self.names.update(before)

    def _keep(self, thing):
        """The description of a thing that stays here: number, name of its type, whether it can be called, its
        name.
        """
        number = len(self.things)
        self.things[number] = thing
        name = getattr(thing, "__name__", None)
        return [number, type(thing).__name__, callable(thing), name if isinstance(name, str) else None]

    def begin(self, _, __, folder, seed):
        """Before the first cell: the assignment's files, and generators that start alike for everyone."""
        for path in Path(folder).iterdir():
            copy = shutil.copytree if path.is_dir() else shutil.copyfile
            copy(path, path.name)
        random.seed(seed)
        np.random.seed(seed)

    def name(self, _, name):
        return (name in self.names, self.names.get(name))

    def signature(self, thing, _):
        """Parameters as [name, kind, default or the text of it]; None where there is no signature."""
        try:
            parameters = inspect.signature(thing).parameters.values()
        except (TypeError, ValueError):
            return None
        return [[p.name, int(p.kind), p.default is not p.empty, default(p)] for p in parameters]

    def states(self, *_):
        kind, keys, *rest = np.random.get_state()
        return {"np.random": (kind, keys.tobytes(), *rest), "random": random.getstate()}


def one_by_one(target, calls):
    """(results of the calls up to the first that raises, what that is described as, or None)."""
    results = []
    for args in calls:
        try:
            value = target(*args)
        except BaseException as error:
            return results, described(error)
        # she may write into it at the next call
        results.append(value.copy() if type(value) is np.ndarray else value)
    return results, None


def default(parameter):
    return parameter.default if isinstance(parameter.default, (bool, int, float, str, type(None))) else None


OPERATIONS = {
    "begin": Server.begin, "name": Server.name, "signature": Server.signature, "states": Server.states,
    "get": lambda server, thing, name: getattr(thing, name),
    "set": lambda server, thing, name, value: setattr(thing, name, value),
    "item": lambda server, thing, _, key: thing[key],
    "set_item": lambda server, thing, _, key, value: thing.__setitem__(key, value),
    "size": lambda server, thing, _: len(thing),
    "holds": lambda server, thing, _, value: value in thing,
    "steps": lambda server, thing, _, most=MOST_STEPS: list(itertools.islice(thing, most)),
    "next": lambda server, thing, _: next(thing),
}


@contextlib.contextmanager
def quiet():
    """NumPy's warnings are silent: an overflow shows in the values."""
    with np.errstate(all="ignore"):
        yield


@contextlib.contextmanager
def unusable(names):
    from minibert.checks.engine import guard

    with guard.unusable([found(name) for name in names]):
        yield


def found(name):
    """The object that "module:qualname" of the package names."""
    if not name.startswith(("minibert.", "minibert:")):
        raise ValueError(f"{name}: only what is the package's can be named")
    return named(name)


def kind_of(name):
    kind = found(name)
    return kind if isinstance(kind, type) and issubclass(kind, np.random.Generator) else np.random.Generator


def packed(args):
    """The bytes that `args` would be sent as: equal where nothing was changed in place that anybody will look
    at.
    """
    packer = bridge.Packer(id, lasting=True)
    try:
        return packer.pack(args), packer.parts
    except (bridge.BridgeError, ValueError, TypeError):
        return None


def described(error):
    """[name of its type, text, name of the function that raised it, her lines on the way there, the built-in
    kind].
    """
    try:
        said = str(error)
    except BaseException:       # a __str__ that fails, or loops until it is interrupted
        said = ""
    lines, raised_in = [], ""
    for frame in traceback.extract_tb(error.__traceback__):
        raised_in = frame.name
        if "ipykernel" in frame.filename or frame.filename.startswith("<"):
            lines.append(f"line {frame.lineno}, in {frame.name}: {frame.line}")
    kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
    return [type(error).__name__, said[:MOST_SAID], raised_in, [line[:200] for line in lines[-10:]], kind]
