"""Sentence pairs drawn from documents, each sentence with the document that it comes from.

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2.
"""

import html
from collections.abc import Mapping, Sequence

from .chips import chip
from .view import ORANGE, SKY, YELLOW

FILLS = (SKY, ORANGE, YELLOW, "#DDDDDD", "#FFFFFF")  # of documents; the letter tells them apart too
CELL = "padding:3px 8px;text-align:left;vertical-align:top;border-bottom:1px solid #8884"


def badge(place: tuple[int, int]) -> str:
    """Return a document's letter and a sentence's number on the document's colour, as HTML."""
    d, i = place
    return f"<b>{chip(f'{chr(80 + d)}{i + 1}', FILLS[d % len(FILLS)])}</b>"


def documents_html(docs: Sequence[Sequence[str]]) -> str:
    """Return documents (lists of sentences) one below the other as HTML, with badges P1, P2, ... Q1, ...

    Documents are P to T, so that none is taken for segment A or B.
    """
    return "".join(
        '<p style="margin:4px 0;line-height:1.5">'
        + " ".join(f"{badge((d, i))} {html.escape(sentence)}" for i, sentence in enumerate(doc))
        + "</p>"
        for d, doc in enumerate(docs)
    )


def pairs_html(
    docs: Sequence[Sequence[str]],
    rows: Sequence[tuple[Sequence[str], Sequence[str]]],
    labels: Sequence[int],
    meanings: Mapping[int, str],
) -> str:
    """Return the pairs drawn from `docs` as an HTML table: label and both segments, sentences as badges.

    docs: documents of different sentences; rows: pairs (A, B), each a list of their sentences; labels: one
    for each pair; meanings: {label: what it says}. Raises ValueError for a sentence that is in no document.
    """
    places = {sentence: (d, i) for d, doc in enumerate(docs) for i, sentence in enumerate(doc)}
    lost = [sentence for row in rows for segment in row for sentence in segment if sentence not in places]
    if lost:
        raise ValueError(f"in no document: {lost[0]!r}")
    lines = ""
    for row, label in zip(rows, labels, strict=True):
        a, b = (" ".join(badge(places[sentence]) for sentence in segment) for segment in row)
        lines += (
            f'<tr><td style="{CELL}">{a}</td><td style="{CELL}">{b}</td>'
            f'<td style="{CELL}"><b>{label}</b> {html.escape(meanings[label])}</td></tr>'
        )
    heads = "".join(
        f'<th scope="col" style="{CELL}">{name}</th>' for name in ("segment A", "segment B", "label")
    )
    counts = ", ".join(f"{sum(label == kind for label in labels)} with label {kind}" for kind in meanings)
    return (
        f'<table style="border-collapse:collapse;margin:4px 0"><tr>{heads}</tr>{lines}</table>'
        f"<p>{len(rows)} examples: {counts}.</p>"
    )
