"""Named entities in running text, drawn: each on a colour and with its type as a word."""

import html
from collections.abc import Collection, Iterable, Mapping, Sequence

from minibert.readers.conll import Sentence
from minibert.tasks.entity_score import entities

from .chips import chip, closed_up
from .plots import DARK
from .tables import LEFT
from .view import ORANGE, SKY, YELLOW

FILLS = (SKY, YELLOW, ORANGE, "#9AD17F", "#E3B7D3", "#CCCCCC")  # all under dark text


def text_and_spans(words: Sequence[str], tags: Sequence[str]) -> tuple[str, list[tuple[int, int, str]]]:
    """Return words as a text, with a space between them, and the span of each entity that their tags mark.

    >>> text_and_spans(["Mira", "left"], ["B-PER", "O"])
    ('Mira left', [(0, 4, 'PER')])
    """
    text, places = Sentence(list(words), list(tags), 1).located()
    found = sorted((first, last, kind) for kind, first, last in entities(tags))
    return text, [(places[first][0], places[last][1], kind) for first, last, kind in found]


def entity_html(text: str, spans: Iterable[tuple[int, int, str]], types: Sequence[str]) -> str:
    """Return a text as HTML, each of its spans (start, end, type) in a box with its type.

    types: all entity types, in the order of the colours. Spaces before punctuation are left out.
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
    """Return several texts with their entities as HTML, one below the other.

    lines: (label in front, such as who tagged it, or "", text, spans) each; said: the sentence above.
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
    """Return words in columns, with what belongs to each below it, as HTML.

    columns: {name of the line: one text for each word}; marked: the columns that are filled and framed; said:
    the sentence below.
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
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse">{rows}</table></div>'
        f'<p role="status">{html.escape(said)}</p>'
    )
