"""BART's noise on a text: what the encoder reads, and what the decoder has to write."""

import html
from collections.abc import Sequence

from minibert.course.widgets.chips import chip
from minibert.course.widgets.view import SKY

ASKED = {
    "token masking": "The decoder must know which word stands at each mask, as in BERT.",
    "token deletion": "Nothing shows where a word is missing. The decoder must find the places, too.",
    "text infilling": "One mask hides a span of any length, even 0. The decoder must know how many words.",
    "sentence permutation": "All words are there. The decoder must find the order of the sentences.",
    "document rotation": "All words are there. The decoder must find where the text begins.",
}


def noise_html(kind: str, original: Sequence[str], noisy: Sequence[str], mask: str = "[MASK]") -> str:
    """Return both texts as HTML, with the masks filled, and what this kind of noise asks of a decoder.

    kind: a key of ASKED.
    """

    def line(name, words):
        shown = " ".join(chip(word, SKY if word == mask else "") for word in words) or "nothing"
        return f'<p style="line-height:2"><b>{name}</b> <small>({len(words)} tokens)</small><br>{shown}</p>'

    return (
        line("The encoder reads", noisy)
        + line("The decoder writes", original)
        + f'<p role="status">{html.escape(ASKED[kind])}</p>'
    )
