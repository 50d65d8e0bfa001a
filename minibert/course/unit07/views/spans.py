"""Two ends of one answer, and the windows of a long passage."""

import ipywidgets as widgets
import numpy as np

from minibert.data.spans import best_span, windows

from ...widgets.attention import ARROW, box
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import headline
from ...widgets.tables import score_table
from ...widgets.view import ORANGE, SKY, YELLOW, Controls, Drawing, View, drawing_html, figure, show
from .qa import pairs_map, windows_map

WORDS = "Anna", "lived", "in", "Rome", "and", "then", "in", "New", "York"
STARTS = np.array([0, 0, 0, 4.0, 0, 0, 0, 5.0, 2.0])
ENDS = np.array([0, 0, 0, 6.0, 0, 0, 0, 1.0, 4.5])


def plan() -> View:
    """Draw the encoder and the new layer, which gives each token two scores."""
    fig, ax = figure(2.6, 8.0)
    tokens = "[CLS]", "who", "built", "it", "[SEP]", "Martha", "did", "[SEP]"
    ax.set(xlim=(-0.9, 9.0), ylim=(-0.4, 3.6))
    ax.axis("off")
    for i, token in enumerate(tokens):
        box(ax, 1.15 * i, 0.0, 1.05, token, YELLOW)
        for y in (0.3, 1.5):
            ax.annotate("", (1.15 * i, y + 0.55), (1.15 * i, y), arrowprops=ARROW)
        box(ax, 1.15 * i, 2.3, 1.05, "2 scores", ORANGE)
    box(ax, 4.0, 1.2, 9.1, "encoder: pretrained", SKY)
    ax.text(4.0, 3.0, "one new linear layer for all tokens: a start score and an end score", ha="center")
    title = "Only the orange layer is new: two scores for each token"
    headline(fig, title)
    return show(
        fig,
        f"{title}. The tokens of question and passage enter the pretrained encoder; a new linear layer turns "
        "the vector of each token into a start score and an end score.",
    )


def guess_two_ends() -> GuessChoice:
    """Ask what the best start and the best end give, each by itself."""
    start, end = int(STARTS.argmax()), int(ENDS.argmax())
    first, last, score = best_span(STARTS, ENDS)
    scores = score_table(["word", "start score", "end score"], zip(WORDS, STARTS.tolist(), ENDS.tolist()))

    def see() -> str:
        allowed = np.triu(np.ones((len(WORDS), len(WORDS)), bool))  # (T, T)
        pairs = np.where(allowed, STARTS[:, None] + ENDS[None, :], np.nan)
        title = f"The best allowed pair is “{' '.join(WORDS[first : last + 1])}”, with {score:g}"
        marks = {"best allowed pair": (first, last), "each by itself": (start, end)}
        return f"{scores}<p>{WORDS[end]}, the best end, comes before {WORDS[start]}, the best start.</p>" + (
            drawing_html(pairs_map(pairs, WORDS, marks, title))
        )

    return GuessChoice(
        f"“{' '.join(WORDS)}”: the best start is {WORDS[start]} ({STARTS[start]:g}), the best end "
        f"{WORDS[end]} ({ENDS[end]:g}). A program cuts out words[start:end + 1]. What comes out?",
        ["Rome", "New", "New York", "nothing"],
        lambda: " ".join(WORDS[start : end + 1]) or "nothing",
        see=see,
    )


def long_passage() -> Controls:
    """Show the windows of a long passage, and which of them hold the whole answer."""

    def draw(room: int, stride: int, first: int) -> Drawing:
        length, pieces = 60, 5
        begins = windows(length, room, stride)
        whole = sum(b <= first and first + pieces <= min(b + room, length) for b in begins)
        title = f"{len(begins)} windows, {whole} of them with the whole answer"
        return windows_map(begins, room, length, (first, first + pieces - 1), title)

    return Controls(
        draw,
        room=widgets.IntSlider(24, min=8, max=60, description="Window", continuous_update=False),
        stride=widgets.IntSlider(24, min=4, max=40, description="Stride", continuous_update=False),
        first=widgets.IntSlider(21, min=0, max=55, description="Answer at", continuous_update=False),
    )
