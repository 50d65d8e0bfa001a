"""Entities in running text, drawn: each on a colour, with its type as a word, so that colour never stands
alone.
"""
import html

from .explorer import ORANGE, SKY, YELLOW
from .pieces import CELL, LEFT, head
from .plots import DARK

# Okabe and Ito's, and neighbours, under dark text
FILLS = (SKY, YELLOW, ORANGE, "#9AD17F", "#E3B7D3", "#CCCCCC")
BOX = "padding:1px 5px;margin:0 1px;border-radius:4px;border:1px solid"


def entity_html(text, spans, types):
    """One text, each of its spans (start, end, type) in a box with its type. types: all there are, in the
    order of the colours.
    """
    shown, last = "", 0
    for start, end, kind in spans:
        fill = FILLS[types.index(kind) % len(FILLS)]
        shown += html.escape(text[last:start]) + (
            f'<span style="{BOX} '
            f'{DARK};background:{fill};color:{DARK}"><bdi>{html.escape(text[start:end])}</bdi> '
            f'<b style="font-size:70%">{html.escape(kind)}</b></span>')
        last = end
    return shown + html.escape(text[last:])


def entity_lines(lines, types, said=""):
    """Texts with their entities, one below the other. HTML.

    lines: (what stands before it, such as who tagged it, or "", text, spans) each; said: the sentence above.
    """
    rows = "".join(f'<tr><th scope="row" style="{LEFT}">{html.escape(name)}</th><td style="padding:2px '
                   f'8px;text-align:left;'
                   f'line-height:1.9" dir="auto">{entity_html(text, spans, types)}</td></tr>'
                   for name, text, spans in lines)
    title = f'<p role="status"><b>{html.escape(said)}</b></p>' if said else ""
    return f'{title}<table style="border-collapse:collapse">{rows}</table>'


def word_lines(columns, marked=(), said=""):
    """Words in columns, with what belongs to each below it. HTML.

    columns: {name of the line: one text a word}; marked: the columns with a frame; said: the sentence below.
    """
    def cell(column, value):
        frame = (f"outline:2px solid {DARK};outline-offset:-2px;background:{YELLOW};color:{DARK}"
                 if column in marked else "")
        return f'<td style="padding:1px 6px;text-align:center;border:1px solid #8888;{frame}" dir="auto">{html.escape(value)}</td>'
    rows = "".join(f'<tr><th scope="row" style="{LEFT}">{html.escape(name)}</th>'
                   + "".join(cell(i, value) for i, value in enumerate(values)) + "</tr>"
                   for name, values in columns.items())
    return (f'<div style="overflow-x:auto"><table style="border-collapse:collapse">{rows}</table></div>'
            f'<p role="status">{html.escape(said)}</p>')


def score_table(names, rows, said=""):
    """A table of numbers: names of the columns, rows of (a text, then texts or numbers or None). HTML."""
    def cell(value):
        return "" if value is None else html.escape(value if isinstance(value, str) else f"{value:.1f}")
    body = "".join(f'<tr><th scope="row" style="{LEFT}">{html.escape(row[0])}</th>'
                   + "".join(f'<td style="{CELL}">{cell(value)}</td>' for value in row[1:]) + "</tr>"
                   for row in rows)
    title = f'<p role="status"><b>{html.escape(said)}</b></p>' if said else ""
    return f'{title}<table style="border-collapse:collapse">{head(*names, left=1)}{body}</table>'
