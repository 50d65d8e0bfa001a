"""Show a token or word in an HTML box, with an optional colour and frame."""

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
    """Return a token as an HTML box.

    fill: the background colour, or "" for none. border: the CSS border of a token with a background, which
    should give the same information as the colour. sign: a sign before the text, such as "✓". after: smaller
    text after `text`. below: HTML for a smaller line below, "" for an empty line (so that all tokens in a row
    have the same height), or None for no line.
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
    """Remove the spaces before punctuation from text whose words were joined by spaces.

    >>> closed_up("Ann , this is Mira ' s .")
    "Ann, this is Mira's."
    """
    return re.sub(r" (?=[.,;:!?](\s|$))| (?=' s\b)|(?<= ') (?=s\b)", "", text)
