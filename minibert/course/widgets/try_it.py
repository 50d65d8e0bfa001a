"""Run the doctest examples in the docstrings of functions that students write in a lesson.

The body of such a function is an ellipsis (`...`). The lesson continues whether or not the student fills it
in.
"""

import ast
import contextlib
import doctest
import html
import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from doctest import DocTestParser, Example
from typing import Any

import numpy as np
from IPython.display import display

from .view import BLUE, GREEN, VERMILLION

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
CLOSE = 1e-6  # the largest relative error of a number; float32 has seven digits
BOX = "border:1px solid;border-left-width:8px;border-radius:4px;padding:0.5em 1em;line-height:1.5"
LIST = (
    "list-style:none;margin:0.2em 0 0;padding:0;overflow-wrap:anywhere;"
    "font-family:var(--jp-code-font-family,monospace)"
)


@dataclass(frozen=True)
class Tried:
    """A doctest example that was run: its code, expected output, and actual output or error message."""

    code: str
    wanted: str
    got: str
    right: bool


def tried(function: Callable) -> list[Tried]:
    """Run the examples in a function's docstring, and return their results.

    Results are compared by value: 6 counts as 6.0, and a NumPy array counts as the list of its numbers.
    Raises ValueError if there are no examples.

    >>> def double(x):
    ...     '''Return x twice.
    ...
    ...     >>> double(2)
    ...     4
    ...     '''
    ...     return x + 1
    >>> tried(double)
    [Tried(code='double(2)', wanted='4', got='3', right=False)]
    """
    names = {**function.__globals__, function.__name__: function}
    examples = DocTestParser().get_examples(function.__doc__ or "", function.__name__)
    if not examples:
        raise ValueError(f"{function.__name__} has no examples in its docstring; add one, such as '>>> f(1)'")
    return [run(example, names) for example in examples]


def run(example: Example, names: dict[str, Any]) -> Tried:
    """Run one example with the given variables, and compare its value, or what it prints, with its result."""
    code, wanted = example.source.strip(), example.want.strip()
    try:
        value, printed = evaluated(code, names)
    except Exception as error:
        return Tried(code, wanted, f"{type(error).__name__}: {error}", False)
    got = (printed + ("" if value is None else repr(plain(value)))).strip()
    right = doctest.OutputChecker().check_output(example.want, f"{got}\n" if got else "", FLAGS)
    return Tried(code, wanted, got, right or (value is not None and not printed and same(value, wanted)))


def evaluated(code: str, names: dict[str, Any]) -> tuple[Any, str]:
    """Run an expression or statements with the given variables; return (value or None, what was printed)."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            expression = compile(code, "<example>", "eval")
        except SyntaxError:
            exec(compile(code, "<example>", "exec"), names)
            return None, printed.getvalue()
        return eval(expression, names), printed.getvalue()


def plain(value: Any) -> Any:
    """Convert NumPy arrays and scalars, also inside lists, tuples and dicts, to Python's types."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    if type(value) is dict:
        return {key: plain(one) for key, one in value.items()}
    return value


def same(value: Any, wanted: str) -> bool:
    """Return True if a value equals the expected result, which is code such as "[1.0, 2.0]" or "array([1])".

    Only an array counts as an array, because what uses the function may need its methods.
    """
    array = re.fullmatch(r"array\((.*)\)", wanted, re.DOTALL)
    if array and not isinstance(value, np.ndarray):
        return False
    try:
        return equal(plain(value), ast.literal_eval(array[1] if array else wanted))
    except (ValueError, SyntaxError):
        return False


def equal(a: Any, b: Any) -> bool:
    """Compare two values: lists, tuples and dicts item by item, and numbers with a tolerance."""
    if {type(a), type(b)} <= {int, float}:
        return math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE**2)
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return bool(a == b)


def try_it(function: Callable) -> None:
    """Show whether the function gives the expected result for each example in its docstring."""
    checked = checked_examples(function)
    done = sum(one.right for one in checked)
    empty = not any(one.got for one in checked)
    if empty:
        colour, heading = BLUE, f"Your turn: replace the dots in {function.__name__}, then run the cell."
    elif done == len(checked):
        colour, heading = GREEN, f"✓ {function.__name__} is right on all {done} examples."
    else:
        colour, heading = VERMILLION, f"✗ {function.__name__} is right on {done} of {len(checked)} examples."
    lines = [] if empty else [line(one) for one in checked]
    items = "".join(f"<li>{html.escape(text)}</li>" for text in lines)
    shown = (
        f'<div role="group" aria-label="{html.escape(heading, quote=True)}" '
        f'style="{BOX};border-color:{colour}">'
        f'<b>{html.escape(heading)}</b><ul style="{LIST}">{items}</ul></div>'
    )
    display({"text/html": shown, "text/plain": "\n".join([heading, *lines])}, raw=True)


def checked_examples(function: Callable) -> list[Tried]:
    """Try the examples of a docstring, and return those with an expected result; the others only set up."""
    return [one for one in tried(function) if one.wanted]


def line(one: Tried) -> str:
    """Return a line with an example's actual result, and the expected result if they differ."""
    code = " ".join(one.code.split())
    if one.right:
        return f"✓ {code} gives {one.got}"
    return f"✗ {code} gives {one.got or 'None'}; it should give {one.wanted}"


def either(yours: Callable, ours: Callable) -> tuple[Callable, str]:
    """Return the student's function if its examples are right, otherwise ours; and which it is, as HTML."""
    if all(one.right for one in tried(yours)):
        return yours, f"Your <code>{yours.__name__}</code> computes this."
    return ours, (
        f"The course's <code>{yours.__name__}</code> computes this. Write yours, then run this cell again."
    )
