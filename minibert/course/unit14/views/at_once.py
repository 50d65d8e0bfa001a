"""Mask-Predict, iteration by iteration, and a decoder that starts from an encoder."""

import html
from collections.abc import Sequence

import ipywidgets as widgets
import numpy as np
from matplotlib.patches import FancyBboxPatch

from minibert.course.models.english import english
from minibert.course.widgets.chips import chip
from minibert.course.widgets.guess import GAP, percent
from minibert.course.widgets.plots import DARK, NAME_SIZE, PANEL_SIZE, headline
from minibert.course.widgets.tables import scrolling
from minibert.course.widgets.view import ORANGE, SKY, YELLOW, Controls, Drawing, View, figure, show
from minibert.generation.checkpoints import decoder_from
from minibert.generation.mask_predict import Iteration, best_length, mask_predict

from .chains import english_log_probs, packed, whole_words

FRAME = "In the evening the king ... with his friends."
DOTS = "..."
LENGTHS = range(2, 9)  # words that fill the dots
PARTS = (  # of a layer of the decoder, from below, and whether an encoder has them
    ("self-attention", True),
    ("cross-attention", False),
    ("feed-forward", True),
)


def written(frame: str, length: int, iterations: int) -> tuple[np.ndarray, list[Iteration]]:
    """Fill the dots of a frame with `length` words.

    Returns which tokens they are, (T,) bool, and each iteration.
    """
    ids = packed(frame.replace(DOTS, " ".join([GAP] * length)))
    mask = english().tokenizer.specials.mask
    free = ids[0] == mask
    return free, mask_predict(ids, free, whole_words(english_log_probs()), mask, iterations)


def mask_predict_steps() -> Controls:
    """Show each iteration of Mask-Predict for the student's own frame and length."""

    def draw(frame: str, length: int, iterations: int) -> str:
        if frame.count(DOTS) != 1 or GAP in frame:
            return "<p>Write a sentence with three dots ... once, for the words to fill in.</p>"
        tried = [written(frame, n, iterations) for n in LENGTHS]
        free, steps = tried[LENGTHS.index(length)]
        winner = LENGTHS[int(best_length([found[-1] for _, found in tried], [f for f, _ in tried])[0])]
        said = f"By its mean certainty, the model itself would choose {winner} words."
        return steps_html(free, steps) + lengths_html(tried) + f"<p>{said}</p>"

    frame = widgets.Text(
        FRAME,
        description="Sentence",
        layout={"width": "620px", "max_width": "98%"},
        continuous_update=False,
    )
    return Controls(
        draw,
        frame=frame,
        length=widgets.IntSlider(6, LENGTHS[0], LENGTHS[-1], description="Words", continuous_update=False),
        iterations=widgets.IntSlider(3, 1, 6, description="Iterations", continuous_update=False),
    )


def steps_html(free: np.ndarray, steps: Sequence[Iteration]) -> str:
    """Return a row for each iteration; the words just written are coloured, with their probability below."""
    rows = ""
    for t, step in enumerate(steps):
        boxes = " ".join(
            chip(
                english().tokenizer.vocab[step.ids[0, i]],
                ORANGE if step.masked[0, i] else "",
                below=html.escape(percent(float(np.exp(step.certainty[0, i])))),
            )
            for i in np.flatnonzero(free)
        )
        count = int(step.masked.sum())
        rows += (
            f'<tr><th scope="row" style="text-align:left;padding:2px 10px;white-space:nowrap">t = {t}<br>'
            f"<small>{count} masked</small></th>"
            f'<td style="text-align:left;white-space:nowrap">{boxes}</td></tr>'
        )
    return scrolling(f'<table style="border-collapse:collapse">{rows}</table>')


def lengths_html(tried: Sequence[tuple[np.ndarray, Sequence[Iteration]]]) -> str:
    """Return what is written with each length, and the mean certainty as a probability."""
    rows = "".join(
        f'<tr><td style="padding:1px 10px;text-align:right">{n}</td>'
        f'<td style="padding:1px 10px;text-align:right">'
        f"{percent(float(np.exp(steps[-1].certainty[0, free].mean())))}</td>"
        f'<td style="padding:1px 10px;text-align:left">'
        f"{html.escape(' '.join(english().tokenizer.vocab[i] for i in steps[-1].ids[0, free]))}</td></tr>"
        for n, (free, steps) in zip(LENGTHS, tried)
    )
    heads = "".join(
        f'<th scope="col" style="padding:1px 10px;text-align:{side}">{name}</th>'
        for name, side in (("words", "right"), ("certainty", "right"), ("written", "left"))
    )
    return scrolling(f'<table style="border-collapse:collapse"><tr>{heads}</tr>{rows}</table>')


def decoder_parts() -> View:
    """Draw which parts of a decoder start with the weights of an encoder, with their numbers of weights."""
    encoder = english().encoder
    decoder = decoder_from(encoder)
    config = encoder.config
    new = sum(value.numel() for name, value in decoder.named_parameters() if "cross" in name)
    copied = sum(value.numel() for value in decoder.parameters()) - new
    return show(*two_stacks(config.num_hidden_layers, copied, new))


def two_stacks(layers: int, copied: int, new: int) -> Drawing:
    """Draw a layer of an encoder next to one of a decoder; arrows show which parts are copied."""
    fig, ax = figure(3.2)

    def box(x: float, y: float, text: str, color: str, dashed: bool = False) -> None:
        ax.add_patch(
            FancyBboxPatch(
                (x, y),
                3.0,
                0.7,
                "round,pad=0.02,rounding_size=0.1",
                facecolor=color,
                edgecolor=DARK,
                linestyle="--" if dashed else "-",
            )
        )
        ax.text(x + 1.5, y + 0.35, text, ha="center", va="center", fontsize=PANEL_SIZE, color=DARK)

    for y, (name, known) in enumerate((("embeddings", True), *PARTS)):
        fill = YELLOW if name == "embeddings" else SKY
        if known:
            box(0, 1.1 * y, name, fill)
            ax.annotate("", (5.9, 1.1 * y + 0.35), (3.1, 1.1 * y + 0.35), arrowprops={"arrowstyle": "->"})
            ax.text(4.5, 1.1 * y + 0.42, "copy", ha="center", fontsize=NAME_SIZE)
        box(6, 1.1 * y, name, fill if known else ORANGE, dashed=not known)
    ax.text(9.2, 2.2 + 0.35, "new: random weights", va="center", fontsize=NAME_SIZE)
    ax.text(9.2, 1.1 + 0.35, "causal: no later words", va="center", fontsize=NAME_SIZE)
    for x, name in ((1.5, f"encoder, {layers} layers"), (7.5, f"decoder, {layers} layers")):
        ax.text(x, -0.25, name, ha="center", va="top", fontsize=PANEL_SIZE)
    ax.set(xlim=(-0.2, 12.2), ylim=(-0.8, 4.3))
    ax.axis("off")
    share = copied / (copied + new)
    title = f"A decoder from our encoder: {share:.0%} of its weights are copied, only cross-attention is new"
    headline(fig, title)
    return fig, f"{title}: {copied / 1e6:.1f} million weights copied, {new / 1e6:.1f} million new."
