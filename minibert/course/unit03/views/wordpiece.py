"""Show WordPiece as HTML: a merge of the trainer, greedy matching of a word, and the subwords of a text.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2; Wu et al. (2016, arXiv 1609.08144), section 4.1.
"""

import html
from collections.abc import Iterable, Sequence

from minibert.course.widgets.chips import chip
from minibert.course.widgets.tables import CELL, LEFT, head
from minibert.course.widgets.view import BLUE, ORANGE, SKY, YELLOW

MOST_PAIRS = 7  # the number of pairs in a table of scores


def subword_html(piece: str, marked: bool = False, unknown: str = "[UNK]") -> str:
    """Return HTML that shows a subword in a small box.

    The border is dashed if the subword continues a word, and thick if it is `marked`. The unknown token is
    preceded by ✗.
    """
    fill = ORANGE if piece == unknown else YELLOW if marked else SKY
    border = f"{3 if marked else 2}px {'dashed' if piece.startswith('##') else 'solid'}"
    return chip(piece, fill, border, "✗" if piece == unknown else "")


def subwords_html(pieces: Sequence[str], said: str | None = None) -> str:
    """Return HTML that shows the subwords of a text in boxes.

    said: the caption; by default the number of subwords.
    """
    said = f"{len(pieces)} tokens" if said is None else said
    boxes = "".join(map(subword_html, pieces))
    return (
        f'<div role="img" aria-label="{html.escape(" ".join(pieces))}" '
        f'style="line-height:2;margin:4px 0">{boxes}</div><p>{html.escape(said)}</p>'
    )


def merge_view(
    words: Iterable[tuple[int, Sequence[str]]],
    pairs: Sequence[tuple[str, str, int, int, int, float]],
    best: tuple[str, str] | None,
    said: str,
) -> str:
    """Return HTML tables of the split words and the pair scores just before a WordPiece trainer's next merge.

    words: (count, subwords) for each word. pairs: (left, right, count of the pair, count of left, count of
    right, score) for each pair, best first. best: the pair to merge, or None. said: the sentence above the
    tables.
    """
    rows = "".join(
        f'<tr><td style="{CELL}">{count} ×</td><td style="{LEFT}">{split_html(split, best)}</td></tr>'
        for count, split in words
    )
    scores = "".join(pair_row(*pair, pair[:2] == best) for pair in pairs[:MOST_PAIRS])
    table = head("pair", "together", "left", "right", "score", texts=[0]) + scores
    side = "display:flex;flex-wrap:wrap;gap:28px;align-items:flex-start"
    return (
        f'<p role="status"><b>{html.escape(said)}</b></p><div style="{side}">'
        f'<table style="border-collapse:collapse">'
        f'<tr><th colspan="2" style="{LEFT}">the corpus now</th></tr>{rows}</table>'
        f'<table style="border-collapse:collapse">{table}</table></div>'
    )


def split_html(split: Sequence[str], best: tuple[str, str] | None) -> str:
    """Return the subwords of a word as HTML, with every occurrence of the pair `best` highlighted."""
    boxes, i = "", 0
    while i < len(split):
        hit = best is not None and tuple(split[i : i + 2]) == tuple(best)
        boxes += "".join(subword_html(piece, hit) for piece in split[i : i + 1 + hit])
        i += 1 + hit
    return boxes


def pair_row(
    left: str, right: str, together: int, lefts: int, rights: int, score: float, chosen: bool
) -> str:
    """Return an HTML table row with a pair of subwords, its counts and its score.

    together, lefts, rights: the counts of the pair, of `left` and of `right`. chosen: whether to frame the
    row.
    """
    frame = f"outline:2px solid {BLUE};outline-offset:-2px" if chosen else ""
    cells = "".join(f'<td style="{CELL}">{value}</td>' for value in (together, lefts, rights, f"{score:.4g}"))
    name = f"{html.escape(left)} + {html.escape(right)}"
    return f'<tr style="{frame}"><td style="{LEFT}">{"→ " if chosen else ""}{name}</td>{cells}</tr>'


def match_view(
    word: str, tries: Sequence[tuple[int, int, bool]], pieces: Sequence[str], step: int | None = None
) -> str:
    """Return the greedy matching of a word as HTML, with a table row for each subword tried.

    tries: (start, end, whether the subword is in the vocabulary), in order. pieces: the tokens of the final
    split. step: how many tries to show, or None for all.
    """
    shown = tries if step is None else tries[:step]
    rows = "".join(try_row(number, word, *attempt) for number, attempt in enumerate(shown, 1))
    done = len(shown) == len(tries)
    found = [("##" if start else "") + word[start:end] for start, end, fits in shown if fits]
    so_far = f"After {len(shown)} of {len(tries)} tries: {' '.join(found) or '–'}"
    said = f"{len(tries)} tries: {' '.join(pieces)}" if done else so_far
    return (
        f'<p role="status"><b dir="auto">{html.escape(said)}</b></p>'
        f"{''.join(map(subword_html, pieces)) if done else ''}"
        f'<div style="max-height:340px;overflow-y:auto"><table style="border-collapse:collapse">'
        f"{head('try', 'piece', 'in the vocabulary?', '', texts=range(4))}{rows}</table></div>"
    )


def try_row(number: int, word: str, start: int, end: int, fits: bool) -> str:
    """Return an HTML table row for one attempt to find word[start:end] in the vocabulary.

    number: the number of the attempt, from 1. fits: whether the subword is in the vocabulary.
    """
    letters = (
        f'<span style="opacity:.75">{html.escape(word[:start])}</span>'
        f'<b style="border-bottom:3px solid {BLUE}">{html.escape(word[start:end])}</b>'
        f'<span style="opacity:.75">{html.escape(word[end:])}</span>'
    )
    piece = html.escape(("##" if start else "") + word[start:end])
    mark = (
        "✓ yes: take it"
        if fits
        else "✗ no: try one letter fewer"
        if end - start > 1
        else "✗ no: nothing fits, so the word is [UNK]"
    )
    return (
        f'<tr><td style="{LEFT}">{number}</td><td style="{LEFT}" dir="auto">{piece}</td>'
        f'<td style="{LEFT}">{mark}</td>'
        f'<td style="{LEFT}" dir="auto">{letters}</td></tr>'
    )
