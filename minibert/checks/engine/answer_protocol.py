"""What a check may ask of the function that it judges: a plain function, or one that stands in for it
elsewhere.

A notebook hands over plain functions. A grader that keeps checks and answers in two processes hands over
stand-ins: callables with some of the methods below. `guard` asks these, and nothing else in `minibert.checks`
knows of them.
"""
import contextlib
import importlib
import sys
from typing import Protocol


class Answer(Protocol):
    """A stand-in for the student's function, as checks use it. What is said here of one holds of plain
    functions too.

    Required: `__call__`. Looked for, and done without where missing: all else. A plain function has none of
    the methods: then its `__globals__` are the student's names, and the package's functions are changed in
    this process.

    __name__: the function's name.
    __signature__: an `inspect.Signature` of the student's function; `inspect.signature` honours it.
    """

    def __call__(self, *args, **kwargs):
        """Run the student's function and return what it returns, as plain data.

        args: numbers, text, None, NumPy arrays, `np.random.Generator` and subclasses of it such as
        `chance.Counted`, and tuples, lists and dicts of these. The caller gives a copy that it compares
        afterwards: so what the student's function changed in place must be changed in `args` here too, and a
        generator must have moved on as far as she drew from it (set its `bit_generator.state`), since some
        checks call again with the same one; but not a `Counted`, which is made for one call.

        Returns such data, with dtype, kind of container and None kept. A result of another type comes as an
        object whose type has the same `__name__`: the check says "returns a ...".

        Raises what she raised: an exception whose type has the same `__name__` and whose text is the same
        (known mistakes are recognised by both). `CheckFailed` comes through as such: `Counted` raises it to
        end endless loops. A `NotImplementedError` carries `raised_in`, the name of the function that raised
        it (the innermost one). NumPy's warnings are silent meanwhile; nothing is written to stderr.
        """

    def many(self, calls):
        """Results of several calls, as an iterator. calls: a list of tuples of positional arguments.

        As if she was called with one after the other, each result looked at before the next call: what stands
        in several tuples is one object, so that a generator moves on from call to call. What a call raises is
        raised in its place, and no later one is made; what she changed in place is changed in `calls` when
        this returns. `without` and `lend` hold as they stand when it is called. Worth having where a single
        call has a long way to go.
        """

    def sibling(self, name):
        """What stands under `name` in the student's notebook, as another Answer; None where there is no such
        name.
        """

    def lend(self, names):
        """A context manager. names: {name in the student's notebook: "module:qualname" of a function of
        ours}.

        While it is open, her function finds ours under these names; afterwards her own are back.
        """

    def without(self, names):
        """A context manager. names: a list of "module:qualname" of the package's functions.

        While it is open, calling one of them, under any name, raises `CheckFailed(guard.OWN_WORK)` where her
        function runs. It is opened around each single call of the answer, so it should cost little. It may be
        open together with `lend`: the two never name the same function.
        """

    def global_states(self):
        """{"np.random": ..., "random": ...}: anything that differs exactly where that global generator moved
        on.
        """

    @property
    def seconds(self):
        """Processor time of the last call alone, without the way there and back; only checks of speed look at
        it.
        """


def name_of(function):
    """"module:qualname" of a function that can be found under it, None of any other (a lambda, a nested
    function).

    >>> from minibert import reference
    >>> name_of(reference.softmax), name_of(lambda x: x)
    ('minibert.reference.attention:softmax', None)
    """
    module, path = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    return f"{module}:{path}" if found(f"{module}:{path}") is function else None


def found(name):
    """The object that "module:qualname" names among the loaded modules, or None."""
    with contextlib.suppress(ImportError, AttributeError):
        if name.partition(":")[0] in sys.modules:
            return named(name)
    return None


def named(name):
    """The object that "module:qualname" names; the module is imported. Raises ImportError or AttributeError
    for no such thing.
    """
    module, _, path = name.partition(":")
    place = importlib.import_module(module)
    for part in path.split("."):
        place = getattr(place, part)
    return place
