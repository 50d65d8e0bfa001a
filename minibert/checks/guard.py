"""What surrounds a student's function while a check runs it: what it may not call, and what its failure means."""
import contextlib
import copy
import textwrap

import numpy as np

WIDTH = 100     # of a message's lines; JupyterLab would break longer ones inside a word


class CheckFailed(AssertionError):
    """A failed check. Notebooks show its message alone, without a traceback of our code."""

    def _render_traceback_(self):
        return [part for line in str(self).split("\n") for part in textwrap.wrap(line, WIDTH) or [""]]


@contextlib.contextmanager
def unusable(functions):
    """While this context is open, calling one of the package's `functions`, under any name, raises CheckFailed."""
    def blocked(*args, **kwargs):
        from minibert.checks.guard import CheckFailed
        raise CheckFailed("your answer calls the package's own implementation. Write it yourself; you can.")

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


def unwritten(error, answer):
    """Which function is not written yet: the answer itself, or one that it calls."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    name = trace.tb_frame.f_code.co_name
    if name in (getattr(answer, "__name__", name), "<lambda>"):
        return "not written yet. Replace `raise NotImplementedError()` by your answer."
    return f"it calls {name}, which is not written yet."


def crash(function, case):
    """(type, text) of the exception that `function` raises on a copy of `case`, or None."""
    try:
        with np.errstate(all="ignore"):
            function(*copy.deepcopy(case))
    except Exception as error:
        return type(error), str(error)
