"""Which words each model may use for a prediction, drawn as a grid for each model.

Predicted words are in rows, the words that may be used in columns.
"""
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from .explorer import ORANGE, SKY, VERMILLION, Drawing, figure
from .plots import DARK, PANEL_SIZE, headline, label_cells

SIDES = {1: ("L", SKY), 2: ("R", ORANGE), 3: ("LR", "#B8B8B8")}     # what reads a word, and its fill


def model_visibility(maps: Mapping[str, np.ndarray], chosen: int, tokens: Sequence[str],
                     title: str) -> Drawing:
    """Draw each model's visibility as a grid, side by side, with the row of the chosen token highlighted.

    maps: {model: (T, T) int}: at [t, s] what reads token s to predict token t: 0 = nothing, 1 = a model from
    left to right, 2 = one from right to left, 3 = one that reads both sides at once. chosen: 0 to T - 1.
    Returns (Figure, description in words). Raises ValueError for a map that does not fit the tokens, or a
    place outside them.
    """
    T = len(tokens)
    if not 0 <= chosen < T:
        raise ValueError(f"token {chosen} of {T}: 0 to {T - 1}")
    for name, sides in maps.items():
        if np.shape(sides) != (T, T):
            raise ValueError(f"{name}: a map of shape {np.shape(sides)} for {T} tokens")
    fig, axes = figure(4.2, ncols=len(maps), sharey=True, squeeze=False)
    fig.set_layout_engine("compressed", h_pad=0.12)     # square grids: remove the space beside them
    for ax, (name, sides) in zip(axes[0], maps.items()):
        for t, s in np.ndindex(T, T):
            draw_cell(ax, t, s, sides[t, s], lit=t == chosen)
        ax.add_patch(Rectangle((-0.5, chosen - 0.5), T, 1, fill=False, edgecolor=VERMILLION, linewidth=2))
        ax.set(xlim=(-0.5, T - 0.5), ylim=(T - 0.5, -0.5), aspect="equal", xlabel="may be used")
        label_cells(ax, tokens, tokens)
        ax.set_title(name, fontsize=PANEL_SIZE)
    axes[0, 0].set_ylabel("to predict")
    headline(fig, title)
    said = "; ".join(f"{name}: {used(sides[chosen], tokens)}" for name, sides in maps.items())
    return fig, f"{title} To predict “{tokens[chosen]}”. {said}."


def draw_cell(ax: Axes, t: int, s: int, side: int, lit: bool) -> None:
    """Draw one cell: filled where token s may be used, pale unless its row is highlighted.

    The token itself has a question mark.
    """
    sign, color = SIDES.get(int(side), ("?" if t == s else "", "none"))
    ax.add_patch(Rectangle((s - 0.5, t - 0.5), 1, 1, facecolor=color, edgecolor="none",
                           alpha=1 if lit else 0.25))
    if lit and sign:
        ax.text(s, t, sign, ha="center", va="center", fontsize=9, fontweight="bold",
                color=DARK if side else VERMILLION)


def used(sides: np.ndarray, tokens: Sequence[str]) -> str:
    """Say in words which tokens are read from which side."""
    readers = {1: "from the left", 2: "from the right", 3: "from both sides at once"}
    said = [f"{name} {', '.join(token for token, side in zip(tokens, sides) if side == number)}"
            for number, name in readers.items() if (sides == number).any()]
    return " and, apart from it, ".join(said) or "nothing"
