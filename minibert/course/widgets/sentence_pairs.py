"""Show sentence pairs, with a mark for the document that each sentence comes from.

See Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2.
"""

import html
from collections.abc import Mapping, Sequence

from .chips import chip
from .view import ORANGE, SKY, YELLOW

FILLS = (SKY, ORANGE, YELLOW, "#DDDDDD", "#FFFFFF")  # one per document, which also has its own letter
CELL = "padding:3px 8px;text-align:left;vertical-align:top;border-bottom:1px solid #8884"


def badge(place: tuple[int, int]) -> str:
    """Return a coloured HTML badge such as P2, with a document's letter and a sentence's number.

    place: (index of the document, index of the sentence).
    """
    d, i = place
    return f"<b>{chip(f'{chr(80 + d)}{i + 1}', FILLS[d % len(FILLS)])}</b>"


def documents_html(docs: Sequence[Sequence[str]]) -> str:
    """Return documents (lists of sentences) as HTML, with a badge P1, P2, ..., Q1, ... before each sentence.

    The letters start at P so that documents are not confused with segments A and B.
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
    """Return pairs of segments as an HTML table with badges for the sentences, and the labels.

    docs: documents as lists of sentences, each of which occurs once. rows: pairs (A, B), each a list of
    sentences. labels: one for each pair. meanings: {label: its meaning}. Raises ValueError for a sentence
    that is in no document.
    """
    places = {sentence: (d, i) for d, doc in enumerate(docs) for i, sentence in enumerate(doc)}
    lost = [sentence for row in rows for segment in row for sentence in segment if sentence not in places]
    if lost:
        raise ValueError(f"this sentence is in none of the documents: {lost[0]!r}")
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
