"""What surrounds a student's function while a check runs it: what it may not call, and what its failure means."""
import contextlib
import copy
import inspect
import textwrap

import numpy as np

from .answers import name_of

OWN_WORK = "your answer calls the package's own implementation. Write it yourself; you can."
WIDTH = 100     # of a message's lines; JupyterLab would break longer ones inside a word


class CheckFailed(AssertionError):
    """A failed check. Notebooks show its message alone, without a traceback of our code."""

    def _render_traceback_(self):
        return [part for line in str(self).split("\n") for part in textwrap.wrap(line, WIDTH) or [""]]


@contextlib.contextmanager
def unusable(functions):
    """While this context is open, calling one of the package's `functions`, under any name, raises CheckFailed."""
    def blocked(*args, **kwargs):
        from minibert.checks.guard import OWN_WORK, CheckFailed
        raise CheckFailed(OWN_WORK)

    codes = {function: function.__code__ for function in functions}
    try:
        for function in codes:
            function.__code__ = blocked.__code__.replace(co_freevars=function.__code__.co_freevars)
        yield
    finally:
        for function, code in codes.items():
            function.__code__ = code


@contextlib.contextmanager
def replaced(names, others):
    """While this context is open, the dictionary `names` holds the values of `others` under their keys."""
    before = {name: names[name] for name in others}
    try:
        names.update(others)
        yield
    finally:
        names.update(before)


def parameters(answer):
    """The names of the parameters of an answer, or None where it does not say."""
    try:
        return tuple(inspect.signature(answer).parameters)
    except (TypeError, ValueError):
        return None


def calling(answer, own):
    """`answer` as checks call it: the package's functions `own` are unusable while it runs.

    NumPy's warnings are silent meanwhile: an overflow shows in the values, and a grader counts what is on stderr.
    """
    without = getattr(answer, "without", None)
    names = [name for name in map(name_of, own) if name]

    def guarded(*args, **kwargs):
        __tracebackhide__ = True
        with without(names) if without else unusable(own), np.errstate(all="ignore"):
            return answer(*args, **kwargs)
    guarded.answer = answer
    return guarded


def sibling(answer, name):
    """What stands under `name` beside the answer, in the student's notebook; None where nothing does."""
    look_up = getattr(answer, "sibling", None) or getattr(answer, "__globals__", {}).get
    return look_up(name)


def lending(answer, lent):
    """A context manager: meanwhile `answer` finds our functions `lent`, name -> function, in place of the student's."""
    if hasattr(answer, "lend"):
        return answer.lend({name: name_of(function) for name, function in lent.items()})
    return replaced(answer.__globals__, lent)


def unwritten(error, answer):
    """Which function is not written yet: the answer itself, or one that it calls."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    name = getattr(error, "raised_in", trace.tb_frame.f_code.co_name)
    if name in (getattr(answer, "__name__", name), "<lambda>"):
        return "not written yet. Replace `raise NotImplementedError()` by your answer."
    return f"it calls {name}, which is not written yet."


def crash(function, case):
    """What the exception that `function` raises on a copy of `case` says, or None."""
    try:
        with np.errstate(all="ignore"):
            function(*copy.deepcopy(case))
    except Exception as error:
        return said(error)


def said(error):
    """(name of its type, text) of an exception: the same in whichever process it was raised."""
    return type(error).__name__, str(error)
