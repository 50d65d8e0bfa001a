"""Write the tab-separated tables of GLUE."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from minibert.readers.writing import writing


def write_tsv(rows: Iterable[Sequence], path: str | Path) -> None:
    """Write rows as lines of tab-separated columns, without quotes.

    Raises ValueError for a tab or line break in a cell, which GLUE's formats cannot quote.
    """
    with writing(path) as file:
        for row in rows:
            cells = [str(cell) for cell in row]
            for cell in cells:
                if any(sign in cell for sign in "\t\n\r"):
                    raise ValueError(f"the cell {cell!r} contains a tab or a line break")
            file.write("\t".join(cells) + "\n")
