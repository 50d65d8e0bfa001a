"""Show text in which each named entity has a colour and the name of its type."""

import html
from collections.abc import Collection, Iterable, Mapping, Sequence

from minibert.readers.conll import Sentence
from minibert.tasks.entity_score import entities

from .chips import chip, closed_up
from .plots import DARK
from .tables import LEFT, scrolling
from .view import ORANGE, SKY, YELLOW

FILLS = (SKY, YELLOW, ORANGE, "#9AD17F", "#E3B7D3", "#CCCCCC")  # all readable under dark text


def text_and_spans(words: Sequence[str], tags: Sequence[str]) -> tuple[str, list[tuple[int, int, str]]]:
    """Join words with spaces, and return the text and the span (start, end, type) of each entity.

    >>> text_and_spans(["Mira", "left"], ["B-PER", "O"])
    ('Mira left', [(0, 4, 'PER')])
    """
    text, places = Sentence(list(words), list(tags), 1).located()
    found = sorted((first, last, kind) for kind, first, last in entities(tags))
    return text, [(places[first][0], places[last][1], kind) for first, last, kind in found]


def entity_html(text: str, spans: Iterable[tuple[int, int, str]], types: Sequence[str]) -> str:
    """Return `text` as HTML, with each span (start, end, type) in a box that shows its type.

    types: all entity types; their order determines their colours. Spaces before punctuation are removed.
    """
    shown, last = "", 0
    for start, end, kind in spans:
        fill = FILLS[types.index(kind) % len(FILLS)]
        shown += html.escape(closed_up(text[last:start])) + chip(text[start:end], fill, after=kind)
        last = end
    return shown + html.escape(closed_up(text[last:]))


def entity_lines(
    lines: Iterable[tuple[str, str, Iterable[tuple[int, int, str]]]], types: Sequence[str], said: str = ""
) -> str:
    """Return lines of text with their entities as HTML, one below the other.

    lines: tuples (label, text, spans) with spans (start, end, type); the label, shown before the text, may be
    "". types: all entity types. said: a sentence above the lines.
    """
    rows = "".join(
        f'<tr><th scope="row" style="{LEFT}">{html.escape(name)}</th>'
        f'<td style="padding:2px 8px;text-align:left;line-height:1.9" dir="auto">'
        f"{entity_html(text, spans, types)}</td></tr>"
        for name, text, spans in lines
    )
    title = f'<p role="status"><b>{html.escape(said)}</b></p>' if said else ""
    return f'{title}<table style="border-collapse:collapse">{rows}</table>'


def word_lines(columns: Mapping[str, Sequence[str]], marked: Collection[int] = (), said: str = "") -> str:
    """Return words with annotations as an HTML table with a column for each word.

    columns: {name of a table row, such as "word" or "tag": a string for each word}. marked: the indices of
    the words to highlight. said: a sentence below the table.
    """

    def cell(column, value):
        frame = (
            f"outline:2px solid {DARK};outline-offset:-2px;background:{YELLOW};color:{DARK}"
            if column in marked
            else ""
        )
        return (
            f'<td style="padding:1px 6px;text-align:center;border:1px solid #8888;{frame}" dir="auto">'
            f"{html.escape(value)}</td>"
        )

    rows = "".join(
        f'<tr><th scope="row" style="{LEFT}">{html.escape(name)}</th>'
        + "".join(cell(i, value) for i, value in enumerate(values))
        + "</tr>"
        for name, values in columns.items()
    )
    return (
        scrolling(f'<table style="border-collapse:collapse">{rows}</table>')
        + f'<p role="status">{html.escape(said)}</p>'
    )
