"""HTML tables of text and numbers."""

import html
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from minibert.readers.wording import with_minus

CELL = "padding:2px 10px;text-align:right;font-variant-numeric:tabular-nums"
LEFT = "padding:2px 10px;text-align:left;white-space:nowrap"


def head(*names: str, texts: Collection[int] = ()) -> str:
    """Return the header row of a table as HTML. texts: the indices of the columns with text."""
    return (
        "<tr>"
        + "".join(
            f'<th scope="col" style="{LEFT if i in texts else CELL}">{html.escape(name)}</th>'
            for i, name in enumerate(names)
        )
        + "</tr>"
    )


def score_table(names: Sequence[str], rows: Iterable[Sequence[Any]], said: str = "") -> str:
    """Return a table of numbers as HTML.

    names: the column names. rows: sequences that start with a string, followed by strings, numbers or None.
    said: a sentence above the table.
    """

    def cell(value):
        return "" if value is None else html.escape(value if isinstance(value, str) else with_minus(value))

    rows = [tuple(row) for row in rows]
    body = "".join(
        f'<tr><th scope="row" style="{LEFT}">{html.escape(row[0])}</th>'
        + "".join(
            f'<td style="{LEFT if isinstance(value, str) else CELL}">{cell(value)}</td>' for value in row[1:]
        )
        + "</tr>"
        for row in rows
    )
    title = f'<p role="status"><b>{html.escape(said)}</b></p>' if said else ""
    texts = [0, *(i for i in range(1, len(names)) if all(isinstance(row[i], str) for row in rows))]
    return f'{title}<table style="border-collapse:collapse">{head(*names, texts=texts)}{body}</table>'
