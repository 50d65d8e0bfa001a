"""Lines and tables of a file, each with its number: what the readers of columns start from.

`stream_text` says what is wrong with a file as a whole; here a line is what ends with \\n, and nothing else
ends one. What is wrong with a line is said when it is reached, so that a file may be larger than memory.
"""
import csv
import functools

from .utf8_text import CorpusError, stream_text

LONGEST_CELL = 1 << 24      # characters; `csv` alone allows 131,072, which a long text goes beyond


def all_lines(path):
    """Yields (line, text) of every line, a part of the file in memory at a time. Raises what `stream_text`
    does.
    """
    line, rest = 1, [""]                                # a line that is not whole yet
    for part in stream_text(path):
        head, *whole = part.split("\n")
        rest.append(head)
        if whole:
            *whole, last = "".join(rest), *whole
            yield from enumerate(whole, line)
            line, rest = line + len(whole), [last]
    yield line, "".join(rest)


def lines(path):
    """Yields (line, text) of the lines that are not blank. Raises what `stream_text` does."""
    return ((line, text) for line, text in all_lines(path) if text.strip())


def whole(iterate):
    """A reader that yields examples, as one that returns the list of them."""
    @functools.wraps(iterate)
    def read(*args, **options):
        return list(iterate(*args, **options))
    return read


def tab_rows(path):
    """Yields (line, cells) of a table without quotation: a quotation mark is a sign like any other."""
    for line, text in lines(path):
        yield line, text.split("\t")


def csv_rows(path):
    """Yields (line on which it begins, cells) of each row of a CSV with double quotes; rows of empty cells
    are passed over.

    A cell may run over several lines. Raises CorpusError for a quote that is not closed, for text behind one
    that is, for a cell of more than LONGEST_CELL characters, and for a table of empty cells alone.
    """
    rows, line, empty = csv.reader((text + "\n" for _, text in all_lines(path)), strict=True), 1, True
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


def next_row(rows):
    """The next row of a csv.reader, None at the end; the limit of a cell's size is that of the process, so it
    is put back.
    """
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(before)


def check_once(path, header, names, line):
    """Raise CorpusError where a header has one of these columns more than once: which of them is meant?"""
    for name in names:
        if header.count(name) > 1:
            raise CorpusError.at(path, f"column {name!r} stands {header.count(name)} times in the header",
                                 line)
