"""A token or a word, drawn one way everywhere: a chip, filled and framed where something is true of it."""

import html
import re

from .plots import DARK

LOOK = "display:inline-block;text-align:center;padding:0 6px;margin:2px 1px;border-radius:5px;line-height:1.4"
BELOW = "display:block;font-size:75%;line-height:1.2;min-height:1.2em"


def chip(
    text: str,
    fill: str = "",
    border: str = "2px solid",
    sign: str = "",
    after: str = "",
    below: str | None = None,
) -> str:
    """Return a token as HTML.

    fill: the colour of its role, or "" for a token that is only read. border: of what is filled, as in CSS;
    it tells what the colour tells. sign: what stands before the text, such as "✓"; after: what stands behind
    it, smaller. below: HTML of a smaller line, "" for an empty one, so that the chips of a row are equally
    high; None for none.
    """
    look = f"{LOOK};border:{border} {DARK if fill else 'transparent'}"
    look += f";background:{fill};color:{DARK}" * bool(fill)
    told = f"{sign} " * bool(sign) + (html.escape(text) or "&nbsp;")
    if after:
        told = f'<bdi>{told}</bdi> <b style="font-size:70%">{html.escape(after)}</b>'
    if below is not None:
        look, told = f"{look};vertical-align:top", f'{told}<span style="{BELOW}">{below}</span>'
    return f'<span dir="auto" style="{look}">{told}</span>'


def closed_up(text: str) -> str:
    """Return a text whose words were joined by spaces, without the spaces before its punctuation.

    >>> closed_up("Ann , this is Mira ' s .")
    "Ann, this is Mira's."
    """
    return re.sub(r" (?=[.,;:!?](\s|$))| (?=' s\b)|(?<= ') (?=s\b)", "", text)
