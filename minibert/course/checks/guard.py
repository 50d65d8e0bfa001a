"""Run a student's function in a check: block forbidden calls, hide output and explain errors."""

import builtins
import contextlib
import inspect
import io
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

import numpy as np

from .answer_protocol import name_of
from .compare import in_numpy
from .failure import CheckFailed, Failure, fail

OWN_WORK = "your answer calls the package's own implementation. Write the function yourself; you can do it."
ENDLESS = "your loop does not end: it called `rng` {:,} times in one call of your function."
METHODS = ("__init__", "__call__")  # these methods contain the stub if the student writes a class
OURS = {OWN_WORK}  # messages of ours that are raised inside a student's function; `chance` adds its own


@contextlib.contextmanager
def unusable(functions: Iterable[Any]) -> Iterator[None]:
    """Make calls to `functions`, even under other names, raise CheckFailed in a `with` block."""

    def blocked(*_args, **_kwargs):
        from minibert.course.checks.guard import OWN_WORK, fail

        fail("runs", OWN_WORK)

    codes = {function: function.__code__ for function in functions}
    try:
        for function in codes:
            function.__code__ = blocked.__code__.replace(co_freevars=function.__code__.co_freevars)
        yield
    finally:
        for function, code in codes.items():
            function.__code__ = code


@contextlib.contextmanager
def replaced(names: dict[str, Any], others: dict[str, Any]) -> Iterator[None]:
    """Update the dictionary `names` with `others` in a `with` block, and restore it afterwards."""
    before = {name: names[name] for name in others if name in names}
    try:
        names.update(others)
        yield
    finally:
        for name in others:
            names.pop(name, None)
        names.update(before)


def parameters(answer: Callable) -> tuple[str, ...] | None:
    """Return the parameter names of a student's function, or None if they cannot be determined."""
    try:
        return tuple(inspect.signature(answer).parameters)
    except (TypeError, ValueError):
        return None


@contextlib.contextmanager
def quiet(hidden: bool) -> Iterator[None]:
    """Suppress warnings and, if `hidden`, all output (which could reveal inputs) in a `with` block."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not hidden:
            yield
            return
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield


def calling(answer: Any, own: Iterable[Callable], hidden: bool = False) -> Callable:
    """Wrap a student's function for a check, so that it cannot call the functions in `own`.

    The wrapper raises CheckFailed if the function calls `exit()`; if `hidden`, it also replaces all other
    exceptions with CheckFailed. Tensors in the results become NumPy arrays.
    """
    without = getattr(answer, "without", None)
    names = [name for name in map(name_of, own) if name]

    def told(step, *args, **kwargs):
        __tracebackhide__ = True
        try:
            return step(*args, **kwargs)
        except SystemExit:
            fail("runs", "it ends the program. Remove the call to `exit()` or `quit()` from your function.")
        except CheckFailed as failure:
            if hidden and str(failure) not in OURS:
                fail("runs", "it raises CheckFailed itself. Remove that `raise`.")
            raise
        except NotImplementedError:
            raise
        except Exception as error:
            if not hidden:
                raise
            failed = crashed(error)  # the error's text and traceback could reveal the input
        raise failed

    def run(step, *args, **kwargs):
        __tracebackhide__ = True
        with without(names) if without else unusable(own), quiet(hidden):
            return in_numpy(step(*args, **kwargs))

    def call(*args, **kwargs):
        __tracebackhide__ = True
        return told(run, answer, *args, **kwargs)

    guarded: Any = call  # given the attributes of a stand-in below

    def together(calls):
        __tracebackhide__ = True
        results = told(run, answer.many, calls)
        for _ in calls:
            yield in_numpy(told(next, results))

    if hasattr(answer, "many"):
        guarded.many = together
    guarded.answer = answer
    return guarded


def and_list(names: Iterable[str]) -> str:
    """Join names for use in a sentence, such as "a, b and c"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def students_part(error: Exception) -> TracebackType | None:
    """Return the traceback of an error in a student's code, without the frames of this package's checks."""
    frames, trace = [], error.__traceback__
    while trace:
        frames.append(trace)
        trace = trace.tb_next
    for frame in reversed(frames):
        if not frame.tb_frame.f_globals.get("__name__", "").startswith("minibert.course."):
            trace = TracebackType(trace, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return trace or error.__traceback__


def many(answer: Any, calls: list[tuple]) -> Iterator[Any]:
    """Yield the student's result for each tuple of arguments in `calls`, if possible in one request."""
    __tracebackhide__ = True
    if hasattr(answer, "many"):
        yield from answer.many(calls)
    else:
        for args in calls:
            yield answer(*args)


def within(answer: Any) -> Any:
    """Return the function that `calling` wrapped, or `answer` itself if it is not wrapped."""
    return getattr(answer, "answer", answer)


def sibling(answer: Any, name: str) -> Any:
    """Return the object called `name` in the notebook that defines the student's function, or None."""
    look_up: Any = getattr(answer, "sibling", None) or getattr(answer, "__globals__", {}).get
    return look_up(name)


def lending(answer: Any, lent: dict[str, Callable]) -> contextlib.AbstractContextManager:
    """Return a context manager that replaces functions that a student's function calls with the package's.

    lent: a dict that maps their names to the replacements.
    """
    if not lent:
        return contextlib.nullcontext()
    if hasattr(answer, "lend"):
        return answer.lend(lent)
    return replaced(answer.__globals__, lent)


def not_written_message(
    error: BaseException, answer: Any, asked: str = "", told: Iterable[str] | None = None
) -> str:
    """Return a message about the function not written yet: `answer`, or one that it calls.

    asked: the name of the function to write, if `answer` only wraps it. told: the names that the message may
    contain, or None for any, because a student could build a name from a hidden input.
    """
    trace: Any = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    name = getattr(error, "raised_in", trace.tb_frame.f_code.co_name)
    if name in (getattr(answer, "__name__", name), asked, "<lambda>", *METHODS):
        return "not written yet. Replace `raise NotImplementedError()` with your code."
    called = name if told is None or name in told else "a function"
    return f"it calls {called}, which is not written yet. Write that function first."


def crashed(error: Exception, hint: str = "") -> CheckFailed:
    """Return a CheckFailed that reveals only the type of an error in a hidden check.

    Only built-in types are named, because a student could name a type after a hidden input.
    """
    name = type(error).__name__
    ends = f"it raises {name if hasattr(builtins, name) else 'an error'} on a fresh input"
    sentence = f"{ends}: {hint}" if hint else f"{ends}."
    failed = CheckFailed(sentence, Failure("runs", sentence))
    failed.error = error
    return failed
