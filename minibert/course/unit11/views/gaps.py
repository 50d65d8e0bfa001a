"""What a model and a smaller copy of it put into the same gaps."""

import html
from functools import cache

from minibert.course.widgets.chips import chip
from minibert.course.widgets.view import ORANGE, YELLOW
from minibert.model.checkpoints.pretrained import Pretrained

from .exam import gaps

ROW = "margin:3px 0"


@cache
def first_words(model: Pretrained) -> tuple[str, ...]:
    """Return the word that a model puts into each of its four gaps."""
    return tuple(model.fill_mask(text, 1)[0][0][0] for text in gaps(model))


def fills_html(whole: Pretrained, small: Pretrained) -> str:
    """Return the four sentences as HTML, filled by the smaller model; ✗ marks another word than before."""
    lines = []
    for text, before in zip(gaps(whole), first_words(whole)):
        word = small.fill_mask(text, 1)[0][0][0]
        same = word == before
        box = chip(
            word, YELLOW if same else ORANGE, f"2px {'solid' if same else 'dashed'}", "✓" if same else "✗"
        )
        note = "" if same else f" <small>(before: {html.escape(before)})</small>"
        lines.append(f'<p style="{ROW}">{text.replace("[MASK]", box)}{note}</p>')
    return "".join(lines)
