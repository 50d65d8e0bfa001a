"""Pieces of words, drawn: one join of a trainer with the scores of its pairs, one greedy match, a text in
boxes.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2; Wu et al. (2016, arXiv 1609.08144), section 4.1.
Functions take what was counted and matched elsewhere.
"""
import html

from .explorer import BLUE, ORANGE, SKY, YELLOW
from .plots import DARK

CELL = "padding:2px 10px;text-align:right;font-variant-numeric:tabular-nums"
LEFT = "padding:2px 10px;text-align:left;white-space:nowrap"
MOST_PAIRS = 7      # of a table of scores


def piece_html(piece, marked=False, unknown="[UNK]"):
    """One piece in a box: dashed where it goes on in a word, a ✗ where it is unknown, a thick frame where
    `marked`.
    """
    fill = ORANGE if piece == unknown else YELLOW if marked else SKY
    border = f"{3 if marked else 1}px {'dashed' if piece.startswith('##') else 'solid'} {DARK}"
    sign = "✗ " if piece == unknown else ""
    return (f'<span dir="auto" style="display:inline-block;padding:1px 5px;margin:2px '
            f'1px;border:{border};border-radius:4px;'
            f'background:{fill};color:{DARK}">{sign}{html.escape(piece)}</span>')


def pieces_html(pieces, said=None):
    """A text's pieces in boxes, one after the other, with their number. said: the sentence below, by default
    how many.
    """
    said = f"{len(pieces)} pieces" if said is None else said
    boxes = "".join(map(piece_html, pieces))
    return (f'<div role="img" aria-label="{html.escape(" ".join(pieces))}" style="line-height:2;margin:4px '
            f'0">{boxes}</div>'
            f"<p>{html.escape(said)}</p>")


def head(*names, left=0):
    """The first row of a table; the first `left` columns hold text."""
    return "<tr>" + "".join(f'<th scope="col" style="{LEFT if i < left else CELL}">{html.escape(name)}</th>'
                            for i, name in enumerate(names)) + "</tr>"


def join_view(words, pairs, best, said):
    """A trainer before its next join: every word in its pieces, and the best pairs with their counts and
    scores. HTML.

    words: (count, pieces) of each word; pairs: (left, right, times together, times left, times right, score),
    the best first; best: the pair to be joined, or None; said: the sentence above.
    """
    rows = "".join(
        f'<tr><td style="{CELL}">{count} ×</td><td style="{LEFT}">{split_html(split, best)}</td></tr>'
                   for count, split in words)
    scores = "".join(pair_row(*pair, pair[:2] == best) for pair in pairs[:MOST_PAIRS])
    table = head("pair", "together", "left", "right", "score", left=1) + scores
    side = "display:flex;flex-wrap:wrap;gap:28px;align-items:flex-start"
    return (f'<p role="status"><b>{html.escape(said)}</b></p><div style="{side}"><table '
            f'style="border-collapse:collapse"><tr><th colspan="2" style="{LEFT}">the corpus '
            f'now</th></tr>{rows}</table>'
            f'<table style="border-collapse:collapse">{table}</table></div>')


def split_html(split, best):
    """A word's pieces; those of the best pair are marked, in as many places as will be joined."""
    boxes, i = "", 0
    while i < len(split):
        hit = best is not None and tuple(split[i:i + 2]) == tuple(best)
        boxes += "".join(piece_html(piece, hit) for piece in split[i:i + 1 + hit])
        i += 1 + hit
    return boxes


def pair_row(left, right, together, lefts, rights, score, chosen):
    """One pair with its numbers; the chosen one has a frame and an arrow."""
    frame = f"outline:2px solid {BLUE};outline-offset:-2px" if chosen else ""
    cells = "".join(f'<td style="{CELL}">{value}</td>' for value in (together, lefts, rights, f"{score:.4g}"))
    name = f"{html.escape(left)} + {html.escape(right)}"
    return f'<tr style="{frame}"><td style="{LEFT}">{"→ " if chosen else ""}{name}</td>{cells}</tr>'


def match_view(word, tries, pieces, step=None):
    """The greedy match of a word, try by try: the longest end first, from each start. HTML.

    tries: (start, end, whether the piece is in the vocabulary) in order; pieces: the result; step: only so
    many tries, or None.
    """
    shown = tries if step is None else tries[:step]
    rows = "".join(try_row(number, word, *attempt) for number, attempt in enumerate(shown, 1))
    done = len(shown) == len(tries)
    found = [("##" if start else "") + word[start:end] for start, end, fits in shown if fits]
    so_far = f"After {len(shown)} of {len(tries)} tries: {' '.join(found) or '–'}"
    said = f"{len(tries)} tries: {' '.join(pieces)}" if done else so_far
    return (f'<p role="status"><b '
            f'dir="auto">{html.escape(said)}</b></p>{"".join(map(piece_html, pieces)) if done else ""}'
            f'<div style="max-height:340px;overflow-y:auto"><table style="border-collapse:collapse">'
            f'{head("try", "piece", "in the vocabulary?", "", left=4)}{rows}</table></div>')


def try_row(number, word, start, end, fits):
    """One try: which letters, and whether there is such a piece."""
    letters = (f'<span style="opacity:.75">{html.escape(word[:start])}</span><b style="border-bottom:3px '
               f'solid {BLUE}">'
               f'{html.escape(word[start:end])}</b><span '
               f'style="opacity:.75">{html.escape(word[end:])}</span>')
    piece = html.escape(("##" if start else "") + word[start:end])
    mark = ("✓ yes: take it" if fits else "✗ no: one letter less" if end - start > 1
            else "✗ no: nothing fits, so the word is [UNK]")
    return (f'<tr><td style="{LEFT}">{number}</td><td style="{LEFT}" dir="auto">{piece}</td><td '
            f'style="{LEFT}">{mark}</td>'
            f'<td style="{LEFT}" dir="auto">{letters}</td></tr>')
