"""Lines and tables of a file, each with its number: what the readers of columns start from.

`read_text` says what is wrong with a file as a whole; here a line is what ends with \\n, and nothing else ends one.
"""
import csv
import io

from .errors import CorpusError, read_text


def lines(path):
    """Yields (line, text) of the lines that are not blank. Raises what `read_text` does."""
    for line, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            yield line, text


def tab_rows(path):
    """Yields (line, cells) of a table without quotation: a quotation mark is a sign like any other."""
    for line, text in lines(path):
        yield line, text.split("\t")


def csv_rows(path):
    """Yields (line on which it begins, cells) of each row of a CSV with double quotes; rows of empty cells are passed over.

    A cell may run over several lines. Raises CorpusError for a quote that is not closed, for text behind one that is, and for a
    table of empty cells alone.
    """
    rows, line, empty = csv.reader(io.StringIO(read_text(path)), strict=True), 1, True
    try:
        for cells in rows:
            if any(cells):
                empty = False
                yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        rule = f"broken CSV ({error}): is a quote open, or does text follow one that was closed?"
        raise CorpusError.at(path, rule, line) from None
    if empty:
        raise CorpusError.at(path, "the table holds nothing but empty cells")
