"""Show input formats in a table: which sentences of which documents share a sequence?"""

import html
from collections.abc import Mapping, Sequence

from minibert.course.widgets.sentence_pairs import badge
from minibert.course.widgets.tables import scrolling

CELL = "padding:4px 8px;text-align:left;vertical-align:top;border-bottom:1px solid #8884"


Drawn = tuple[Sequence[tuple], Sequence[int] | None]  # sequences, and their labels or None


def formats_html(docs: Sequence[Sequence[str]], formats: Mapping[str, Drawn], sep: str) -> str:
    """Return an HTML table of each format's sequences, with sentences as badges and [SEP] as bars.

    docs: documents as lists of sentences, all different. formats: maps names to (rows, labels), where labels
    may be None; a row is a pair (a, b) of lists of sentences, and b may be None. sep: the item that separates
    two documents in a row. Raises ValueError for a sentence that is not in any document.
    """
    places = {sentence: (d, i) for d, doc in enumerate(docs) for i, sentence in enumerate(doc)}

    def segment(sentences):
        for sentence in sentences:
            if sentence != sep and sentence not in places:
                raise ValueError(f"this sentence is in none of the documents: {sentence!r}")
        return " ".join("<b>|</b>" if sentence == sep else badge(places[sentence]) for sentence in sentences)

    def sequence(row, label):
        a, b = row
        both = segment(a) + (f" <b>|</b> {segment(b)}" if b is not None else "")
        told = "" if label is None else f" <small>{label}</small>"
        return f'<span style="white-space:nowrap">{both}{told}</span>'

    lines = ""
    for name, (rows, labels) in formats.items():
        shown = "<br>".join(sequence(row, labels and labels[i]) for i, row in enumerate(rows))
        lines += (
            f'<tr><th scope="row" style="{CELL}">{html.escape(name)}</th>'
            f'<td style="{CELL};line-height:1.9">{shown}</td></tr>'
        )
    return (
        "<p>Each line is a sequence; a bar is a [SEP]; a number is NSP's label: 0 = B follows A.</p>"
        + scrolling(f'<table style="border-collapse:collapse">{lines}</table>')
    )
