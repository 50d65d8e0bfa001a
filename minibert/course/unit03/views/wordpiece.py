"""Show WordPiece as HTML: a merge of the trainer, greedy matching of a word, and the subwords of a text.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2; Wu et al. (2016, arXiv 1609.08144), section 4.1.
"""

import html
from collections.abc import Container, Iterable, Sequence

from ...widgets.chips import chip
from ...widgets.tables import CELL, LEFT, TABLE, table_of
from ...widgets.view import ORANGE, SKY, YELLOW

MOST_PAIRS = 7  # the number of pairs in a table of counts


def subword_html(piece: str, marked: bool = False, below: str | None = None) -> str:
    """Return HTML that shows a subword in a small box.

    The border is dashed if the subword continues a word, and thick if it is `marked`. The unknown token is
    preceded by ✗. below: a smaller line below the subword, or None.
    """
    fill = ORANGE if piece == "[UNK]" else YELLOW if marked else SKY
    border = f"{3 if marked else 2}px {'dashed' if piece.startswith('##') else 'solid'}"
    return chip(piece, fill, border, "✗" if piece == "[UNK]" else "", below=below)


def subwords_html(pieces: Sequence[str], said: str | None = None, ids: Sequence[int] | None = None) -> str:
    """Return HTML that shows the subwords of a text in boxes.

    said: the caption; by default the number of subwords. ids: a number for each subword to show below it.
    """
    said = f"{len(pieces)} tokens" if said is None else said
    lines = [None] * len(pieces) if ids is None else map(str, ids)
    boxes = "".join(subword_html(piece, below=line) for piece, line in zip(pieces, lines))
    return (
        f'<div role="img" aria-label="{html.escape(" ".join(pieces))}" '
        f'style="line-height:2;margin:4px 0">{boxes}</div><p>{html.escape(said)}</p>'
    )


def merge_view(
    words: Iterable[tuple[int, Sequence[str]]], pairs: Sequence[tuple[str, str, int]], said: str
) -> str:
    """Return HTML tables of the split words and the counts of pairs just before a trainer's next merge.

    words: (count, subwords) for each word. pairs: (left, right, count), the next one to merge first; if it is
    empty, nothing is highlighted and only the words are shown. said: the sentence above the tables.
    """
    best = pairs[0][:2] if pairs else ("", "")
    rows = "".join(
        f'<tr><td style="{CELL}">{count} ×</td><td style="{LEFT}">{split_html(split, best)}</td></tr>'
        for count, split in words
    )
    counts = [
        (f"{'→ ' * (not i)}{left} + {right}", n) for i, (left, right, n) in enumerate(pairs[:MOST_PAIRS])
    ]
    return (
        f'<p role="status"><b>{html.escape(said)}</b></p><div style="display:flex;flex-wrap:wrap;gap:28px">'
        f'<table style="{TABLE};align-self:flex-start">{rows}</table>'
        f"{table_of(('pair', 'together'), counts) if counts else ''}</div>"
    )


def split_html(split: Sequence[str], best: tuple[str, str]) -> str:
    """Return the subwords of a word as HTML, with every occurrence of the pair `best` highlighted."""
    boxes, i = "", 0
    while i < len(split):
        hit = tuple(split[i : i + 2]) == best
        boxes += "".join(subword_html(piece, hit) for piece in split[i : i + 1 + hit])
        i += 1 + hit
    return boxes


def tries_html(vocab: Container[str], word: str) -> str:
    """Return HTML with a table row for each subword that greedy matching tries, up to the first failure."""
    rows: list[tuple[int, str, str]] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = "##" * (start > 0) + word[start:end]
            last = "no: one letter fewer" if end - start > 1 else "no: nothing fits, so the word is [UNK]"
            rows.append((len(rows) + 1, piece, "✓ yes: take it" if piece in vocab else f"✗ {last}"))
            if piece in vocab:
                break
        start = end if piece in vocab else len(word)
    return table_of(("try", "token", "in the vocabulary?"), rows)
