"""What surrounds a student's function while a check runs it: what it may not call or say, and what its errors
mean.
"""
import builtins
import contextlib
import inspect
import io
import warnings

import numpy as np

from .answer_protocol import name_of
from .failure import CheckFailed, Failure, fail

OWN_WORK = "your answer calls the package's own implementation. Write it yourself; you can."
ENDLESS = "your loop does not end: it asked `rng` {:,} times in one call."
OURS = {OWN_WORK}    # the failures that our code raises inside the student's function; `chance` adds its own


@contextlib.contextmanager
def unusable(functions):
    """While this context is open, calling one of the package's `functions`, under any name, raises
    CheckFailed.
    """
    def blocked(*args, **kwargs):
        from minibert.checks.engine.guard import OWN_WORK, fail
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


@contextlib.contextmanager
def quiet(hidden):
    """No warning is printed, for an overflow shows in the values; in a hidden check, nothing is: it could
    tell inputs.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(np.errstate(all="ignore"))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        if hidden:
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        yield


def calling(answer, own, hidden=False):
    """`answer` as checks call it: the package's functions `own` are unusable while it runs, and what it says
    is ours.
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
            failed = crashed(error)  # its text and its traceback could tell the input
        raise failed

    def run(step, *args, **kwargs):
        __tracebackhide__ = True
        with without(names) if without else unusable(own), quiet(hidden):
            return step(*args, **kwargs)

    def guarded(*args, **kwargs):
        __tracebackhide__ = True
        return told(run, answer, *args, **kwargs)

    def together(calls):
        __tracebackhide__ = True
        results = told(run, answer.many, calls)
        for _ in calls:
            yield told(next, results)
    if hasattr(answer, "many"):
        guarded.many = together
    guarded.answer = answer
    return guarded


def many(answer, calls):
    """Yield the answer's result for each tuple of arguments in the list `calls`, all at once where it knows
    how.
    """
    __tracebackhide__ = True
    if hasattr(answer, "many"):
        yield from answer.many(calls)
    else:
        for args in calls:
            yield answer(*args)


def within(answer):
    """The student's own function, where `answer` is one of ours around it that keeps it as its `answer`; else
    itself.
    """
    return getattr(answer, "answer", answer)


def sibling(answer, name):
    """What stands under `name` beside the answer, in the student's notebook; None where nothing does."""
    look_up = getattr(answer, "sibling", None) or getattr(answer, "__globals__", {}).get
    return look_up(name)


def lending(answer, lent):
    """A context manager: meanwhile `answer` finds our functions `lent`, name -> function, in place of the
    student's.
    """
    if not lent:
        return contextlib.nullcontext()
    if hasattr(answer, "lend"):
        return answer.lend({name: name_of(function) for name, function in lent.items()})
    return replaced(answer.__globals__, lent)


def unwritten(error, answer, asked=""):
    """Which function is not written yet: the answer itself, or one that it calls. asked: the name of what is
    to be written, where the answer only tries it out."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    name = getattr(error, "raised_in", trace.tb_frame.f_code.co_name)
    if name in (getattr(answer, "__name__", name), asked, "<lambda>"):
        return "not written yet. Replace `raise NotImplementedError()` by your answer."
    return f"it calls {name}, which is not written yet."


def crashed(error, hint=""):
    """The CheckFailed that stands for an error in a hidden check: its type only, and that only if it is
    Python's own.
    """
    name = type(error).__name__  # a type of hers could be named after an input
    sentence = f"it ends in {name if hasattr(builtins, name) else 'an error'} on a fresh input{': ' * bool(hint)}{hint or '.'}"
    failed = CheckFailed(sentence, Failure("runs", sentence))
    failed.error = error
    return failed
