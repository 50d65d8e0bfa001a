r"""Numbered lines and table rows of a text file, the basis of all readers of columns.

A line ends only at \n. Errors in a line are reported when it is reached, so that a file may be larger than
memory.
"""

import csv
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import ParamSpec, TypeVar

from .utf8_text import CorpusError, stream_text

LONGEST_CELL = 1 << 24  # characters; the default of `csv`, 131,072, is too small for long texts
SEPARATOR = re.compile(r'"?sep=([,;\t])"?\s*')  # a first line for Excel
P = ParamSpec("P")
Example = TypeVar("Example")


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) for each line of a file, with only a part of it in memory at a time."""
    number, rest = 1, [""]  # rest: parts of a line whose end has not been read yet
    for part in stream_text(path):
        head, *tail = part.split("\n")
        rest.append(head)
        if tail:
            complete = ["".join(rest), *tail[:-1]]
            yield from enumerate(complete, number)
            number, rest = number + len(complete), tail[-1:]
    yield number, "".join(rest)


def nonblank_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) for each line that is not blank."""
    return ((number, text) for number, text in numbered_lines(path) if text.strip())


def as_list(iterate: Callable[P, Iterator[Example]]) -> Callable[P, list[Example]]:
    """Convert a reader that yields examples to a reader that returns a list of them."""

    @functools.wraps(iterate)
    def read(*args, **options):
        return list(iterate(*args, **options))

    return read


def tab_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) for each line of a tab-separated table; quotes are ordinary characters."""
    for line, text in nonblank_lines(path):
        yield line, text.split("\t")


def csv_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of its first line, cells) for each non-empty row of a CSV file with double quotes.

    The cells are separated by commas or, if the first line has none, by the semicolons or tabs there; or as
    a first line such as `sep=;` says, which Excel reads. A cell may span several lines. Raises CorpusError if
    a quote is not closed, if text follows a closed quote, if a cell has more than LONGEST_CELL characters, or
    if all cells of the table are empty.
    """
    lines = (text + "\n" for _, text in numbered_lines(path))
    head: list[str] = []
    while not (head and head[-1].strip()):
        head.append(next(lines))  # a blank file is refused here
    if stated := SEPARATOR.fullmatch(head[-1]):
        mark, head = stated[1], ["\n"] * len(head)
    else:
        mark = next((mark for mark in ",;\t" if mark in head[-1]), ",")
    rows = csv.reader(chain(head, lines), delimiter=mark, strict=True)
    line, empty = 1, True
    try:
        while (cells := next_row(rows)) is not None:
            if any(cells):
                empty = False
                yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        rule = f"broken CSV ({error}): is a quote open, or does text follow a closed quote?"
        raise CorpusError.at(path, rule, line) from None
    if empty:
        raise CorpusError.at(path, "all cells of the table are empty")


def next_row(rows: Iterator[list[str]]) -> list[str] | None:
    """Return the next row of a csv.reader, or None at the end."""
    before = csv.field_size_limit(LONGEST_CELL)  # a global limit, which is restored below
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(before)


def check_once(path: str | Path, header: list[str], names: Iterable[str], line: int) -> None:
    """Raise CorpusError if one of the columns `names` occurs more than once in a header."""
    for name in names:
        if header.count(name) > 1:
            raise CorpusError.at(
                path, f"column {name!r} occurs {header.count(name)} times in the header", line
            )
