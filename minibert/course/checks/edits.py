"""Define common student mistakes as edits of the correct function, in a table of hints and replacements."""

import __future__

import ast
import functools
import inspect
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from textwrap import dedent
from types import CodeType
from typing import Any

from .known_mistakes import TOGETHER
from .records import Mistake

Edit = tuple[str, str, str]  # (old, arrow, new): "=>" replaces the only occurrence, "=>>" all of them


def edits(right: Callable, table: str, *helpers: Callable, **names: Any) -> tuple[Mistake, ...]:
    r"""Parse a table of common student mistakes and return them in order.

    right: the function that the mistakes change. helpers: functions that it calls and whose source may also
    be changed. names: names that the changed source may use, besides those of its module.

    A hint starts at the margin and may span several lines. The indented lines below it define the mistake:
    `old => new` replaces a piece of the source that occurs once, `old =>> new` replaces every occurrence, and
    `return ...` computes a different result from the parameters and `result`, the correct result. A line `or`
    between edits starts another version of the mistake with the same hint. In a piece, `\n` starts a new line
    with the indentation of the line where the piece begins. A choice `{1 | 2 | 3}` makes one version per
    value. A line `$name = piece` at the margin names a piece of source for the lines below.

    >>> def area(width, height):
    ...     return width * height
    >>> first, second = edits(area, '''
    ... this is half of the perimeter. Multiply the
    ... two sides.
    ...     width * height => width + height
    ... the area is negative.
    ...     return -result
    ... ''')
    >>> first.hint, first.function(2, 3), second.function(2, 3)
    ('this is half of the perimeter. Multiply the two sides.', 5, -6)

    Raises ValueError for a line of any other form. Also raises ValueError when a mistake is first called, if
    a piece to be replaced does not occur in the source, or occurs more than once with `=>`.
    """
    source = Source(right, helpers, names)
    return tuple(Mistake(hint, Edited(source, lines)) for hint, lines in entries(table))


def pairs_of_edits(right: Callable, table: str, *helpers: Callable, **names: Any) -> tuple[Mistake, ...]:
    """Combine every two of the mistakes in a table, and return one Mistake for each pair.

    The arguments are those of `edits`. Each hint must be a clause that describes what is wrong. Two mistakes
    that change the same piece of source are not combined.
    """
    source = Source(right, helpers, names)
    return tuple(
        Mistake(f"{TOGETHER}{first}; and {second}.", Edited(source, (*a, *b)))
        for (first, a), (second, b) in itertools.combinations(entries(table), 2)
        if source.takes((*a, *b)) and source.takes((*b, *a))
    )


def edited(right: Callable, *lines: str, **names: Any) -> Callable:
    """Return a copy of the function `right` with edits applied to its source.

    lines: edits such as "old => new", in the notation of `edits`. names: names that the new source may use.
    """
    return Edited(Source(right, (), names), lines)


def named(mistakes: Iterable[Mistake], piece: str) -> Callable:
    """Return the function of the mistake whose hint contains `piece`, in its first version."""
    found = [mistake for mistake in mistakes if piece in mistake.hint]
    hints = {mistake.hint for mistake in found}
    if len(hints) != 1:
        raise ValueError(f"{len(hints)} hints contain {piece!r}, but exactly 1 should")
    return found[0].function


class Source:
    """The source of a function and its helpers, to be edited, and other names that edits may use."""

    def __init__(self, right: Callable, helpers: Sequence[Callable], names: dict[str, Any]):
        self.right, self.names = right, names
        # A check may replace `__code__` while a student's function runs, so we keep the original.
        self.codes: list[CodeType] = [function.__code__ for function in (*helpers, right)]

    @functools.cached_property
    def text(self) -> str:
        """Return the source of all functions without docstrings, with the correct function last."""
        return "\n".join(undocumented(dedent(inspect.getsource(code))) for code in self.codes)

    def takes(self, lines: Sequence[str]) -> bool:
        """Return True if the edits in `lines` can all be applied to the source, one after another."""
        try:
            self.edited(lines)
        except ValueError:
            return False
        return True

    def edited(self, lines: Sequence[str]) -> str:
        """Return the source text with the edits in `lines` applied, one after another."""
        return replaced(self.text, lines)

    def function(self, lines: Sequence[str]) -> Callable:
        """Apply edits to the source, compile it, and return the resulting function."""
        if is_result(lines[0]):
            parameters = ", ".join(inspect.signature(self.right).parameters)
            name = self.right.__name__
            text = (
                f"def {name}({parameters}):\n    result = right({parameters})\n    {lines[0]}\n"
                f"{name}.__defaults__ = right.__defaults__\n"
            )
        else:
            text = self.edited(lines)
        place = {**self.right.__globals__, **self.names, "right": self.right}
        # Annotations are not evaluated, because their names may be imported for mypy only.
        annotations_unread = __future__.annotations.compiler_flag
        exec(compile(text, "<a known mistake>", "exec", annotations_unread), place)
        return place[self.right.__name__]


class Edited:
    """A function with a mistake, compiled when it is first called."""

    def __init__(self, source: Source, lines: Sequence[str]):
        self.source, self.lines = source, lines

    @property
    def right(self) -> Callable:
        """Return the correct function that was edited to make the mistake."""
        return self.source.right

    @functools.cached_property
    def function(self) -> Callable:
        """Return the function with the mistake."""
        return self.source.function(self.lines)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.function(*args, **options)


def undocumented(source: str) -> str:
    """Return a function's source without its docstring, so that no edit matches text in it."""
    function = ast.parse(source).body[0]
    first = function.body[0]  # type: ignore[attr-defined]
    if ast.get_docstring(function) is None:  # type: ignore[arg-type]
        return source
    lines = source.splitlines(keepends=True)
    return "".join(lines[: first.lineno - 1] + lines[first.end_lineno :])


def replaced(text: str, lines: Sequence[str]) -> str:
    """Apply the edits in `lines` to a source text, one after another, and return the new text.

    Raises ValueError if a piece to be replaced does not occur, or occurs more than once with `=>`.
    """
    for line in lines:
        old, times, new = split(line)
        there = occurrences(text, old)
        if not there or (times == "=>" and len(there) > 1):
            wanted = "exactly" if times == "=>" else "at least"
            raise ValueError(
                f"{old!r} must occur {wanted} once in this source, but it occurs {len(there)} times:\n{text}"
            )
        for start, end, indent in reversed(there):
            text = text[:start] + new.replace("\\n", f"\n{indent}") + text[end:]
    return text


def occurrences(text: str, piece: str) -> list[tuple[int, int, str]]:
    """Return (start, end, indentation of the first line) for each place where `piece` occurs in `text`."""
    first, *further = piece.split("\\n")
    found = []
    for match in re.finditer(re.escape(first), text):
        line = text.rfind("\n", 0, match.start()) + 1
        indent = re.match(" *", text[line:]).group()  # type: ignore[union-attr]
        whole = f"\n{indent}".join([first, *further])
        if text.startswith(whole, match.start()):
            found.append((match.start(), match.start() + len(whole), indent))
    return found


def is_result(line: str) -> bool:
    """Return True if a line of a table is a new `return` statement, not an edit of an old one."""
    return line.startswith("return ") and " =>" not in line


def split(line: str) -> Edit:
    """Parse a line `old => new` or `old =>> new` as (old, arrow, new); raise ValueError for any other."""
    parts = re.fullmatch(r"(.+?) (=>>?)(?: (.*))?", line)
    if not parts:
        raise ValueError(f"{line!r} must be `old => new`, `old =>> new` or `return ...`")
    old, times, new = parts.groups()
    return old, times, new or ""


def entries(table: str) -> list[tuple[str, tuple[str, ...]]]:
    """Split a table of mistakes into pairs (hint, lines that define the mistake).

    Raises ValueError for a hint that is not followed by such lines.
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    pieces: dict[str, str] = {}
    for hint, below in re.findall(
        r"((?:^\S.*\n)+)((?:^[ ]+.*\n|^\n)*)", dedent(table).strip("\n") + "\n", re.M
    ):
        wording = []
        for line in hint.splitlines():
            name = re.fullmatch(r"(\$\w+) = (.*)", line)
            if name:
                pieces[name[1]] = expanded(name[2], pieces)
            else:
                wording.append(line)
        for version in re.split(r"^ *or\n", below, flags=re.M) if wording else []:
            written = [expanded(line.strip(), pieces) for line in version.splitlines() if line.strip()]
            for lines in chosen(written):
                if not lines or is_result(lines[0]) and len(lines) > 1:
                    raise ValueError(
                        f"{' '.join(wording)!r}: write edits, or a single `return ...`, below the hint"
                    )
                if not is_result(lines[0]):
                    for line in lines:
                        split(line)
                found.append((" ".join(wording), lines))
    return found


def chosen(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a copy of `lines` for each way to pick values from its choices, such as `{1 | 2 | 3}`."""
    parts = [re.split(r"\{([^{}]+ \| [^{}]+)\}", line) for line in lines]  # text, choice, text, ...
    values = [[part.split(" | ") if k % 2 else [part] for k, part in enumerate(line)] for line in parts]
    each = [["".join(one) for one in itertools.product(*line)] for line in values]
    return list(itertools.product(*each))


def expanded(line: str, pieces: dict[str, str]) -> str:
    """Replace each `$name` in a line with its value in `pieces`; raise ValueError if it has none."""

    def piece(name: re.Match) -> str:
        if name[0] not in pieces:
            raise ValueError(f"{name[0]} is not defined above {line!r}")
        return pieces[name[0]]

    return re.sub(r"\$\w+", piece, line)
