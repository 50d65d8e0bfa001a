"""The trusted side's stand-ins for what lives in the student's process; they satisfy
`minibert.checks.engine.answer_protocol.Answer`.

A stand-in passes data and gets data. It has no `__eq__`, no `__array__`, no `__bool__` of the student's:
whatever compares values compares data, in this process.
"""
import builtins
import contextlib
import inspect

from ..sandbox import limits
from . import protocol as bridge
from .in_place_changes import change

MOST_STEPS = 100_000    # taken from an iterator that may have no end
MOST_REPLIES = 1_000    # read in search of the right one


class AnswerGone(Exception):
    """The student's process ended while it was asked."""


class Session:
    """One connection to a student's process: asks, waits, and turns what comes back into data and
    stand-ins.
    """

    def __init__(self, connection):
        self.connection, self.lent, self.blocked, self.seconds, self.asked = connection, {}, [], 0.0, 0
        self.gone = False
        self.pid = limits.peer(connection)

    def ask(self, op, target=None, name=None, args=(), kwargs=None):
        """What the student's process replies; what it raised is raised here. Raises AnswerGone."""
        request = {"op": op, "target": target, "name": name, "args": (list(args), kwargs or {})}
        if op in ("call", "many"):
            request.update(lend=self.lent, without=self.blocked)
        self.asked += 1
        began = limits.ran(self.pid)
        try:
            bridge.send(self.connection, (self.asked, request), keep)
            reply = self._reply()
        except bridge.Gone:
            self.gone = True
            raise AnswerGone("the notebook's kernel ended") from None
        except bridge.BridgeError as error:
            raise ValueError(f"the answer cannot be read: {error}") from None
        if not isinstance(reply, dict) or not {"error", "value"} & set(reply):
            raise ValueError("the answer cannot be read")
        if "error" in reply:
            raise rebuilt(reply["error"])
        claimed = reply.get("seconds")  # her process may say less than it took, never more
        self.seconds = max(claimed if isinstance(claimed, float) else 0.0, limits.ran(self.pid) - began)
        if isinstance(reply.get("args"), tuple) and len(reply["args"]) == 2:
            change((list(args), kwargs or {}), reply["args"])
        return reply["value"]

    def _reply(self):
        """The reply to the last request; those to earlier ones, which forked processes may give again, are
        passed over.
        """
        for _ in range(MOST_REPLIES):
            reply = bridge.receive(self.connection, self.thing)
            if isinstance(reply, tuple) and len(reply) == 2 and reply[0] == self.asked:
                return reply[1]
        raise bridge.Gone

    def thing(self, fields):
        """The stand-in of a description `[number, type, whether it can be called, name]`."""
        number, kind, called, name = fields
        if type(number) is not int or not isinstance(kind, str) or not isinstance(name, (str, type(None))):
            raise bridge.BridgeError("not readable as data")
        base = Callable if called is True else Thing
        made = object.__new__(type(kind[:80].replace("\0", ""), (base,), {}))
        for field, value in (("_session", self), ("_number", number), ("_named", name)):
            object.__setattr__(made, field, value)
        return made

    def find(self, name):
        """(whether the notebook has this name, what stands under it)."""
        reply = self.ask("name", None, name)
        return reply if isinstance(reply, tuple) and len(reply) == 2 else (False, None)


def keep(value):
    """How a stand-in goes back to where it came from. Anything else of ours stays here."""
    if isinstance(value, Thing):
        return value._number
    raise bridge.BridgeError(f"a {type(value).__name__} cannot be given to the student's code")


class Thing:
    """Stands for an object of the student's. Attributes and items are asked for; what comes is data or a
    stand-in.
    """

    def __getattr__(self, name):
        if name.startswith("__") or name.startswith(("_repr_", "_ipython_")):
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
            raise TypeError(f"len() of a {type(self).__name__} is {size!r:.50}")
        return size

    def __iter__(self):
        steps = self._session.ask("steps", self)
        if not isinstance(steps, list):
            raise TypeError(f"a {type(self).__name__} cannot be iterated")
        if len(steps) >= MOST_STEPS:
            raise ValueError(f"a {type(self).__name__} of {MOST_STEPS:,} items or more")
        return iter(steps)

    def __next__(self):
        return self._session.ask("next", self)

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<{type(self).__name__} of the student's>"


class Callable(Thing):
    """Stands for a function or class of the student's, and for objects that can be called."""

    def __call__(self, *args, **kwargs):
        return self._session.ask("call", self, None, args, kwargs)

    def many(self, calls):
        """See `minibert.checks.engine.answer_protocol.Answer.many`."""
        reply = self._session.ask("many", self, None, [calls])
        results, error = reply if isinstance(reply, tuple) and len(reply) == 2 else (None, None)
        if not isinstance(results,
                          list) or len(results) > len(calls) or error is None and len(results) < len(calls):
            raise ValueError("the answer cannot be read")
        return told(results, error)

    @property
    def __name__(self):
        return self._named or type(self).__name__

    @property
    def __signature__(self):
        parameters = self._session.ask("signature", self)
        if parameters is None:
            raise ValueError(f"{self.__name__} has no signature")
        try:
            return inspect.Signature([
                inspect.Parameter(str(name), inspect._ParameterKind(kind),
                                  default=value if has else inspect.Parameter.empty)
                for name, kind, has, value in parameters])
        except (TypeError, ValueError):
            raise ValueError("no readable signature") from None

    @property
    def seconds(self):
        return self._session.seconds

    def sibling(self, name):
        there, thing = self._session.find(name)
        return thing if there else None

    @contextlib.contextmanager
    def lend(self, names):
        before, self._session.lent = self._session.lent, {**self._session.lent, **names}
        try:
            yield
        finally:
            self._session.lent = before

    @contextlib.contextmanager
    def without(self, names):
        before, self._session.blocked = self._session.blocked, [*self._session.blocked, *names]
        try:
            yield
        finally:
            self._session.blocked = before

    def global_states(self):
        return self._session.ask("states")


def told(results, error):
    """An iterator of the results, which ends in the error that her process described, if any."""
    yield from results
    if error is not None:
        raise rebuilt(error)


def rebuilt(fields):
    """An exception with the name and text of the student's, as nearly as this process knows its kind."""
    if not (isinstance(fields, list) and [type(field) for field in fields] == [str, str, str, list, str]):
        return ValueError("the answer cannot be read")
    name, said, raised_in, lines, kind = fields
    if name == "CheckFailed":
        from minibert.checks.engine.guard import CheckFailed

        error = CheckFailed(said)
    else:
        base = getattr(builtins, kind, Exception)
        base = base if isinstance(base, type) and issubclass(base, Exception) else Exception
        made = type(name[:80].replace("\0", "") or "Exception", (base,),
                    {"__init__": lambda self, *_: None, "__str__": lambda self: said})
        error = made.__new__(made, said)
    error.raised_in, error.lines = raised_in, [str(line) for line in lines[:20]]
    return error
