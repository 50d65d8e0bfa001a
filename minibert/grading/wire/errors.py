"""Describe an exception as data, and rebuild it in another process without its original class."""

import builtins
import traceback
from typing import Any

from minibert.course.checks.error_place import student_lines
from minibert.course.checks.guard import CheckFailed

MOST_CHARACTERS = 2_000  # characters of an exception's text


def describe_error(error: BaseException) -> list:
    """Return [type name, message, function that raised it, lines of student code, built-in base class]."""
    try:
        text = str(error)
    except BaseException:  # a __str__ that fails, or that loops until it is interrupted
        text = ""
    frames = traceback.extract_tb(error.__traceback__)
    raised_in = frames[-1].name if frames else ""
    lines = [line[:200] for line in student_lines(error)[-10:]]
    return [type(error).__name__, text[:MOST_CHARACTERS], raised_in, lines, builtin_base(error)]


def describe_our_error(error: Exception) -> list:
    """Describe a trusted function's error like `describe_error`, but reveal neither its name nor its code."""
    return [builtin_base(error), str(error)[:MOST_CHARACTERS], "", [], builtin_base(error)]


def builtin_base(error: BaseException) -> str:
    """Return the name of an exception's nearest built-in base class."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")


def rebuild_error(fields: Any) -> Exception:
    """Rebuild an exception from its description, with the same type name and a built-in base class."""
    if not (isinstance(fields, list) and [type(field) for field in fields] == [str, str, str, list, str]):
        return ValueError("the error cannot be read")
    name, text, raised_in, lines, kind = fields
    error: Any
    if name == "CheckFailed":
        error = CheckFailed(text)
    else:
        base = getattr(builtins, kind, Exception)
        base = base if isinstance(base, type) and issubclass(base, Exception) else Exception
        made = type(
            name[:80].replace("\0", "") or "Exception",
            (base,),
            {"__init__": lambda self, *_: None, "__str__": lambda self: text},
        )
        error = made.__new__(made, text)
    error.raised_in, error.lines = raised_in, [str(line) for line in lines[:20]]
    return error
