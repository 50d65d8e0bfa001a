"""Run a student's function for a check: forbid what it must not call, silence it, interpret its errors."""

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

OWN_WORK = "your answer calls the package's own implementation. Write it yourself; you can."
ENDLESS = "your loop does not end: it asked `rng` {:,} times in one call."
METHODS = ("__init__", "__call__")  # of a class that is to be written: its stub is in one of them
OURS = {OWN_WORK}  # the failures that our code raises inside the student's function; `chance` adds its own


@contextlib.contextmanager
def unusable(functions: Iterable[Any]) -> Iterator[None]:
    """Context manager: calling one of the package's `functions`, under any name, raises CheckFailed."""

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
    """Context manager: the dictionary `names` holds the values of `others` under their keys."""
    before = {name: names[name] for name in others if name in names}
    try:
        names.update(others)
        yield
    finally:
        for name in others:
            names.pop(name, None)
        names.update(before)


def parameters(answer: Callable) -> tuple[str, ...] | None:
    """The names of an answer's parameters, or None if they cannot be found out."""
    try:
        return tuple(inspect.signature(answer).parameters)
    except (TypeError, ValueError):
        return None


@contextlib.contextmanager
def quiet(hidden: bool) -> Iterator[None]:
    """Context manager: print no warnings; in a hidden check print nothing, since it could reveal inputs."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not hidden:
            yield
            return
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield


def calling(answer: Any, own: Iterable[Callable], hidden: bool = False) -> Callable:
    """Wrap `answer` for a check: it cannot call the package's functions `own` while it runs.

    Exceptions that would end the check are turned into failures; a hidden check also hides their text.
    Tensors in its results become NumPy arrays.
    """
    without = getattr(answer, "without", None)
    names = [name for name in map(name_of, own) if name]

    def told(step, *args, **kwargs):
        __tracebackhide__ = True
        try:
            return step(*args, **kwargs)
        except SystemExit:
            fail("runs", "it ends the program: exit() and quit() have no place in a function.")
        except CheckFailed as failure:
            if hidden and str(failure) not in OURS:
                fail("runs", "it raises CheckFailed itself.")
            raise
        except NotImplementedError:
            raise
        except Exception as error:
            if not hidden:
                raise
            failed = crashed(error)  # its text and its traceback could reveal the input
        raise failed

    def run(step, *args, **kwargs):
        __tracebackhide__ = True
        with without(names) if without else unusable(own), quiet(hidden):
            return in_numpy(step(*args, **kwargs))

    def call(*args, **kwargs):
        __tracebackhide__ = True
        return told(run, answer, *args, **kwargs)

    guarded: Any = call  # a function with the attributes of a stand-in

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
    """The names in a sentence: "a, b and c"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def students_part(error: Exception) -> TracebackType | None:
    """The traceback of a student's error without the frames of our checks."""
    frames, trace = [], error.__traceback__
    while trace:
        frames.append(trace)
        trace = trace.tb_next
    for frame in reversed(frames):
        if not frame.tb_frame.f_globals.get("__name__", "").startswith("minibert.course."):
            trace = TracebackType(trace, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return trace or error.__traceback__


def many(answer: Any, calls: list[tuple]) -> Iterator[Any]:
    """Yield the answer's result for each tuple of arguments in `calls`, in one request if possible."""
    __tracebackhide__ = True
    if hasattr(answer, "many"):
        yield from answer.many(calls)
    else:
        for args in calls:
            yield answer(*args)


def within(answer: Any) -> Any:
    """The student's function inside our wrapper `answer`; if it is no wrapper, `answer` itself."""
    return getattr(answer, "answer", answer)


def sibling(answer: Any, name: str) -> Any:
    """The object called `name` in the notebook that the answer comes from, or None."""
    look_up: Any = getattr(answer, "sibling", None) or getattr(answer, "__globals__", {}).get
    return look_up(name)


def lending(answer: Any, lent: dict[str, Callable]) -> contextlib.AbstractContextManager:
    """Context manager: `answer` finds our functions `lent`, name -> function, in place of the student's."""
    if not lent:
        return contextlib.nullcontext()
    if hasattr(answer, "lend"):
        return answer.lend(lent)
    return replaced(answer.__globals__, lent)


def unwritten(error: BaseException, answer: Any, asked: str = "", told: Iterable[str] | None = None) -> str:
    """Say which function is not written yet: the answer itself, or one that it calls.

    asked: the name of the function to be written, where the answer only calls it. told: the only names that
    may be told, since a student's name could be made of a hidden input; None: all.
    """
    trace: Any = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    name = getattr(error, "raised_in", trace.tb_frame.f_code.co_name)
    if name in (getattr(answer, "__name__", name), asked, "<lambda>", *METHODS):
        return "not written yet. Replace `raise NotImplementedError()` by your answer."
    called = name if told is None or name in told else "a function"
    return f"it calls {called}, which is not written yet."


def crashed(error: Exception, hint: str = "") -> CheckFailed:
    """The CheckFailed that replaces an error in a hidden check; of the error it names only the type.

    Only Python's own types are named: a student's type could be named after an input.
    """
    name = type(error).__name__
    ends = f"it ends in {name if hasattr(builtins, name) else 'an error'} on a fresh input"
    sentence = f"{ends}: {hint}" if hint else f"{ends}."
    failed = CheckFailed(sentence, Failure("runs", sentence))
    failed.error = error
    return failed
