"""HTML tables of text and numbers."""

import html
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from minibert.readers.wording import with_minus

CELL = "padding:2px 10px;text-align:right;font-variant-numeric:tabular-nums"
TABLE = "border-collapse:collapse;line-height:1.4"
LEFT = "padding:2px 10px;text-align:left"
MARGINS = 110  # pixels to the left and right of an output on a narrow page


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


def scrolling(content: str) -> str:
    """Return HTML that scrolls sideways if it is too wide, with the keyboard, too (WCAG 2.2, 2.1.1).

    Its width is limited by the window's. Otherwise, the widget around it would grow, and so would its text.
    """
    style = f"overflow-x:auto;max-width:calc(100vw - {MARGINS}px)"
    return f'<div style="{style}" tabindex="0" data-scrolls>{content}</div>'


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
    return title + scrolling(f'<table style="{TABLE}">{head(*names, texts=texts)}{body}</table>')


def table_of(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table of values in any script as HTML. Columns whose values all start with a digit or are "–"
    are aligned on the right.
    """
    lines = [[str(value) for value in row] for row in rows]
    sides = [
        "right" if all(value[:1].isdigit() or value == "–" for value in column) else "left"
        for column in zip(*lines)
    ]

    def row_of(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f'<{tag} dir="auto" style="padding:2px 12px;text-align:{side}">{html.escape(text)}</{tag}>'
            for side, text in zip(sides, row)
        )

    body = "".join(f"<tr>{row_of('td', line)}</tr>" for line in lines)
    return scrolling(f'<table style="{TABLE}"><tr>{row_of("th", names)}</tr>{body}</table>')
