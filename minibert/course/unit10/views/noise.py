"""Show BART's noise as HTML: the text that the encoder reads and the text that the decoder writes."""

import html
from collections.abc import Sequence

from minibert.course.widgets.chips import chip
from minibert.course.widgets.view import SKY

ASKED = {
    "token masking": "The decoder must predict the word at each mask, as in BERT.",
    "token deletion": "Nothing shows where a word is missing. The decoder must also find the positions.",
    "text infilling": "One mask replaces a span of any length, even 0. The decoder must find out how long.",
    "sentence permutation": "No word is missing. The decoder must find the order of the sentences.",
    "document rotation": "No word is missing. The decoder must find where the text begins.",
}


def noise_html(kind: str, original: Sequence[str], noisy: Sequence[str], mask: str = "[MASK]") -> str:
    """Return a text before and after adding noise as HTML, with a sentence about the decoder's task.

    kind: the kind of noise, a key of ASKED. mask: the token to highlight.
    """

    def line(name, words):
        shown = " ".join(chip(word, SKY if word == mask else "") for word in words) or "nothing"
        return f'<p style="line-height:2"><b>{name}</b> <small>({len(words)} tokens)</small><br>{shown}</p>'

    return (
        line("The encoder reads", noisy)
        + line("The decoder writes", original)
        + f'<p role="status">{html.escape(ASKED[kind])}</p>'
    )
