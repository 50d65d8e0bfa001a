"""Run the doctest examples in the docstrings of functions that students write in a lesson.

The body of such a function is an ellipsis (`...`). The lesson continues whether or not the student fills it
in.
"""

import doctest
import html
from collections.abc import Callable
from dataclasses import dataclass
from doctest import DocTest, Example
from typing import Any

from IPython.display import display

from .view import BLUE, GREEN, VERMILLION

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
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


class Runner(doctest.DocTestRunner):
    """A doctest runner that runs all examples, and keeps their outputs in `tried`."""

    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=FLAGS)
        self.tried: list[Tried] = []

    def keep(self, example: Example, got: str, right: bool) -> None:
        self.tried.append(Tried(example.source.strip(), example.want.strip(), got.strip(), right))

    def report_start(self, out: Any, test: DocTest, example: Example) -> None:
        pass

    def report_success(self, out: Any, test: DocTest, example: Example, got: str) -> None:
        self.keep(example, got, True)

    def report_failure(self, out: Any, test: DocTest, example: Example, got: str) -> None:
        self.keep(example, got, False)

    def report_unexpected_exception(self, out: Any, test: DocTest, example: Example, exc_info: Any) -> None:
        self.keep(example, f"{exc_info[0].__name__}: {exc_info[1]}", False)


def tried(function: Callable) -> list[Tried]:
    """Run the examples in a function's docstring, and return their results.

    Raises ValueError if there are none.

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
    found = doctest.DocTestParser().get_doctest(function.__doc__ or "", names, function.__name__, None, 0)
    if not found.examples:
        raise ValueError(f"{function.__name__} has no examples in its docstring; add one, such as '>>> f(1)'")
    runner = Runner()
    runner.run(found, out=lambda text: None)
    return runner.tried


def try_it(function: Callable) -> None:
    """Show whether the function gives the expected result for each example in its docstring."""
    results = tried(function)
    checked = [one for one in results if one.wanted]  # an example without an expected result is only set-up
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


def line(one: Tried) -> str:
    """Return a line with an example's actual result, and the expected result if they differ."""
    code = " ".join(one.code.split())
    if one.right:
        return f"✓ {code} gives {one.got}"
    return f"✗ {code} gives {one.got or 'None'}; it should give {one.wanted}"
