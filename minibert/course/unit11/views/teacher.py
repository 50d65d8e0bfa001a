"""The teacher's answer at a temperature, and what each method compares."""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np
import torch
from matplotlib.patches import FancyBboxPatch
from matplotlib.ticker import PercentFormatter

from minibert.course.widgets.guess import sentence_box
from minibert.course.widgets.plots import DARK, NAME_SIZE, PANEL_SIZE, headline, plain
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    YELLOW,
    Controls,
    Drawing,
    figure,
    figure_html,
    panels,
)
from minibert.model.checkpoints.pretrained import Pretrained, ids_with_masks

from . import ours
from .chart import PANEL
from .exam import gaps, is_english

LIGHT_GREY = "#E8E8E8"
TOP = 6  # words shown
SURE = "Once upon a [MASK], there was a king."  # the model is sure of its answer
LINKS = {  # what a method compares: (part of the student, colour), and a sentence
    "Hinton: the answer": (("answer",), "The student's probabilities are compared with the teacher's."),
    "DistilBERT": (
        ("answer", "last"),
        "The answer, the right words, and the direction of the last hidden states.",
    ),
    "PKD": (
        ("answer", "cls"),
        "The answer, the labels, and the hidden state of [CLS] after each layer but the last.",
    ),
    "TinyBERT": (
        ("answer", "hidden", "attention", "embeddings"),
        "First embeddings, hidden states and attention maps of each layer, then the answer.",
    ),
}
NAMES = {
    "answer": ("soft targets", VERMILLION),
    "last": ("last hidden states", BLUE),
    "cls": ("[CLS] of the layer", BLUE),
    "hidden": ("hidden states", BLUE),
    "attention": ("attention maps", GREEN),
    "embeddings": ("embeddings", PURPLE),
}


@torch.no_grad()
def scores_of(model: Pretrained, text: str) -> np.ndarray:
    """Return the logits for the first [MASK] of a text, (V,)."""
    specials = model.tokenizer.specials
    ids = torch.tensor([[specials.cls, *ids_with_masks(model.tokenizer, text), specials.sep]])
    place = (ids == specials.mask).nonzero()[:1]
    counted = torch.zeros_like(ids, dtype=torch.bool)
    counted[place[0, 0], place[0, 1]] = True
    visible = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool)
    return model.model.eval()(ids, visible, torch.zeros_like(ids), counted=counted)["tokens"][0].numpy()


def temperature(model: Pretrained, soften: Callable[[Any, float], Any]) -> Controls:
    """Show the model's probabilities for a gap at a temperature; `soften` is the student's function."""
    softened, said = either(soften, ours.soften)

    def draw(sentence: str, temperature: float) -> str:
        if "[MASK]" not in sentence:
            return "<p>Write a sentence with [MASK] for a gap.</p>"
        scores = scores_of(model, sentence)
        first = np.argsort(-scores)[:TOP]
        probs = np.asarray(softened(scores, temperature))
        words = [model.tokenizer.vocab[i] for i in first]
        note = f"<p><small>{said}</small></p>"
        return answer_html(words, probs[first], temperature, len(probs), note)

    return Controls(
        draw,
        sentence=sentence_box(SURE if is_english(model) else gaps(model)[0]),
        temperature=widgets.FloatSlider(
            1.0,
            min=0.5,
            max=4.0,
            step=0.25,
            description="Temperature",
            continuous_update=False,
            style={"description_width": "initial"},
        ),
    )


def answer_html(words: list[str], probs: np.ndarray, temperature: float, count: int, below: str) -> str:
    """Draw the probabilities of the first words and of all others together, and the first ones' ratios."""
    others, ratios = 1 - probs.sum(), probs / probs[0]
    rest = f"{count - len(words):,} others"
    title = (
        f"T = {temperature:g}: “{words[1]}” gets {probs[1]:.1%}, {ratios[1]:.0%} of what “{words[0]}” gets; "
        f"the {rest} share {others:.1%}"
    )
    colors = [VERMILLION, *[SKY] * (len(words) - 1), LIGHT_GREY]
    drawings = (
        probability_bars([*words, rest], [*probs, others], colors, "probability", "{:.1%}"),
        probability_bars(words, ratios, colors[:-1], f"divided by the probability of “{words[0]}”", "{:.0%}"),
    )
    return panels(title, *drawings) + below


def probability_bars(
    labels: Sequence[str], values: Sequence[float] | np.ndarray, colors: Sequence[str], axis: str, form: str
) -> Drawing:
    """Draw horizontal bars from 0 to 100% with their values."""
    fig, ax = figure(2.8, PANEL)
    drawn = ax.barh(range(len(values)), values, color=colors, edgecolor=DARK, linewidth=0.5)
    numbers = [form.format(value) for value in values]
    ax.bar_label(drawn, numbers, padding=3, fontsize=NAME_SIZE)
    ax.set_yticks(range(len(labels)), labels)
    ax.set(xlabel=axis, xlim=(0, 1.2), ylim=(TOP + 0.6, -0.6), xticks=np.linspace(0, 1, 6))
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    plain(ax)
    return fig, f"Bars, {axis}: " + ", ".join(map(" ".join, zip(labels, numbers))) + "."


def what_is_compared() -> Controls:
    """Draw a teacher and a student of half its layers, and what a method of distillation compares."""

    def draw(method: str) -> str:
        parts, told = LINKS[method]
        return figure_html(*two_towers(parts, f"{method}. {told}" if ":" not in method else told))

    return Controls(draw, method=widgets.Dropdown(options=list(LINKS), description="Method"))


def two_towers(parts: tuple[str, ...], title: str, layers: int = 6) -> Drawing:
    """Draw the layers of a teacher and a student as boxes, and a line for each compared pair."""
    fig, ax = figure(3.6)
    half, right = layers // 2, 6.2

    def box(x: float, y: float, text: str, color: str) -> None:
        ax.add_patch(
            FancyBboxPatch(
                (x, y), 2.4, 0.62, "round,pad=0.02,rounding_size=0.12", facecolor=color, edgecolor=DARK
            )
        )
        ax.text(x + 1.2, y + 0.31, text, ha="center", va="center", fontsize=NAME_SIZE, color=DARK)

    places = {0: 0.0, **{1 + i: 1.0 + i for i in range(layers)}, layers + 1: layers + 1.0}
    heights = {0: 0.0, **{1 + i: 2.0 + 2 * i for i in range(half)}, half + 1: layers + 1.0}
    for row, y in places.items():
        name = "embeddings" if row == 0 else "answer" if row > layers else f"layer {row}"
        box(0, y, name, ORANGE if row > layers else YELLOW if row == 0 else SKY)
    for row, y in heights.items():
        name = "embeddings" if row == 0 else "answer" if row > half else f"layer {row}"
        box(right, y, name, ORANGE if row > half else YELLOW if row == 0 else SKY)
    inner = [2.0 + 2 * i for i in range(half)]
    ends = {"answer": [layers + 1.0], "embeddings": [0.0], "last": inner[-1:], "cls": inner[:-1]}
    for part in parts:
        name, color = NAMES[part]
        each = ends.get(part, inner)
        for y in each:
            at = y + 0.31 + (0.16 if part == "attention" else -0.08 * (part == "hidden"))
            ax.annotate(
                "",
                (right - 0.06, at),
                (2.46, at),
                arrowprops={"arrowstyle": "<->", "color": color, "linewidth": 2},
            )
            ax.text(4.3, at + 0.08, name, ha="center", va="bottom", fontsize=NAME_SIZE)
    ax.text(1.2, -0.35, f"teacher: {layers} layers, frozen", ha="center", va="top", fontsize=PANEL_SIZE)
    ax.text(
        right + 1.2, -0.35, f"student: {half} layers, trained", ha="center", va="top", fontsize=PANEL_SIZE
    )
    ax.set(xlim=(-0.6, right + 3.0), ylim=(-0.9, layers + 1.9))
    ax.axis("off")
    headline(fig, title)
    named = ", ".join(NAMES[part][0] for part in parts)
    return fig, f"{title} A teacher of {layers} layers next to a student of {half}; compared: {named}."
