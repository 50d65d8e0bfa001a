"""Numbered lines and table rows of a text file: what the readers of columns start from.

`stream_text` says what is wrong with a file as a whole. Here a line is what ends with \\n, and nothing else
ends one. What is wrong with a line is said when it is reached, so that a file may be larger than memory.
"""

import csv
import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ParamSpec, TypeVar

from .utf8_text import CorpusError, stream_text

LONGEST_CELL = 1 << 24  # characters; `csv` alone allows 131,072, and a long text may have more
P = ParamSpec("P")
Example = TypeVar("Example")


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of every line, a part of the file in memory at a time.

    Raises what `stream_text` raises.
    """
    number, rest = 1, [""]  # rest: parts of a line whose end is still to come
    for part in stream_text(path):
        head, *tail = part.split("\n")
        rest.append(head)
        if tail:
            complete = ["".join(rest), *tail[:-1]]
            yield from enumerate(complete, number)
            number, rest = number + len(complete), tail[-1:]
    yield number, "".join(rest)


def nonblank_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of the lines that are not blank. Raises what `stream_text` raises."""
    return ((number, text) for number, text in numbered_lines(path) if text.strip())


def as_list(iterate: Callable[P, Iterator[Example]]) -> Callable[P, list[Example]]:
    """Turn a reader that yields examples into one that returns the list of them."""

    @functools.wraps(iterate)
    def read(*args, **options):
        return list(iterate(*args, **options))

    return read


def tab_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of a table with tabs, without quoting: a quotation mark is like any other sign."""
    for line, text in nonblank_lines(path):
        yield line, text.split("\t")


def csv_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which it begins, cells) of each row of a CSV with double quotes; skip empty rows.

    A cell may run over several lines. Raises CorpusError for a quote that is not closed, text after a closed
    quote, a cell of more than LONGEST_CELL characters, and a table of empty cells alone.
    """
    rows = csv.reader((text + "\n" for _, text in numbered_lines(path)), strict=True)
    line, empty = 1, True
    try:
        while (cells := next_row(rows)) is not None:
            if any(cells):
                empty = False
                yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        rule = f"broken CSV ({error}): is a quote open, or does text follow one that was closed?"
        raise CorpusError.at(path, rule, line) from None
    if empty:
        raise CorpusError.at(path, "the table holds nothing but empty cells")


def next_row(rows: Iterator[list[str]]) -> list[str] | None:
    """Return the next row of a csv.reader, or None at the end.

    The limit on the size of a cell is that of the whole process, so it is restored.
    """
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(before)


def check_once(path: str | Path, header: list[str], names: Iterable[str], line: int) -> None:
    """Raise CorpusError if a header has one of these columns more than once."""
    for name in names:
        if header.count(name) > 1:
            raise CorpusError.at(
                path, f"column {name!r} stands {header.count(name)} times in the header", line
            )
