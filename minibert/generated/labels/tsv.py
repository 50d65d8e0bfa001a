"""Write the tab-separated tables of GLUE."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from minibert.readers.writing import writing


def write_tsv(rows: Iterable[Sequence], path: str | Path) -> None:
    """Write rows as lines of tab-separated columns, unquoted, in UTF-8, one row at a time.

    Raises ValueError for a cell with a tab or a line break in it: the formats of GLUE cannot quote it.
    """
    with writing(path) as file:
        for row in rows:
            cells = [str(cell) for cell in row]
            for cell in cells:
                if any(sign in cell for sign in "\t\n\r"):
                    raise ValueError(f"the cell {cell!r} holds a tab or a line break, which no column may")
            file.write("\t".join(cells) + "\n")
