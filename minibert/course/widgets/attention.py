"""Draw attention weights, attention masks, position encodings and the parts of a layer.

See Vaswani et al. (2017, arXiv 1706.03762), sections 3.1, 3.2 and 3.5. The functions take arrays that were
computed elsewhere. Axes: T queries, S keys, H heads, K head size, D hidden.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from .plots import DARK, LIGHT, cells, headline, label_cells
from .theme import THEMES
from .view import SKY, VERMILLION, YELLOW, Drawing, figure

CELL, NUMBER_CELL, TINY_CELL = 0.55, 0.3, 0.14  # inches per cell: largest, smallest with a number, smallest
PANEL_CELL = 0.4  # inches per cell of one map of several
MAP_WIDTH = 6.6  # inches available for the cells of a map
SMALL_TEXT = 7  # points, for labels of the smallest cells
PANEL_WIDTH = 4.0  # inches: of one panel of several
ARROW = {"arrowstyle": "->", "linewidth": 1.5, "shrinkA": 0, "shrinkB": 0}
NOTHING = "#00000000"  # transparent
MOST_SAID = 12  # queries that a description mentions


def attention_map(
    probs: np.ndarray,
    tokens: Sequence[str],
    title: str,
    keys: Sequence[str] | None = None,
    largest: float = CELL,
    rows: str = "looking (query)",
) -> Drawing:
    """Draw a heat map of attention weights, with queries in rows and keys in columns.

    probs: (T, S) in [0, 1]. tokens: the T words of the queries. keys: the S words of the keys, by default
    `tokens`. largest: the largest size of a cell in inches. rows: the label of the rows. A map with few cells
    shows the weights as numbers, and its colours range from 0 to 1. In a map with many cells, the colours
    range from 0 to the largest weight. Returns (Figure, description). Raises ValueError if the number of
    words does not match the shape of `probs`.
    """
    keys = tokens if keys is None else keys
    T, S = fitting(probs, tokens, keys)
    cell = min(largest, MAP_WIDTH / S)
    numbers = cell >= NUMBER_CELL
    cell = max(cell, TINY_CELL)
    fig, ax = figure(cell * T + 1.3, cell * S + (0.9 if numbers else 1.95))
    fig.set_layout_engine("compressed")  # removes the empty space next to square cells
    image = cells(ax, probs, tokens, keys, vmax=1 if numbers else np.max(probs), numbers=numbers)
    ax.set(xlabel="looked at (key)", ylabel=rows)
    if not numbers:
        ax.tick_params(labelsize=SMALL_TEXT)
        fig.colorbar(image, ax=ax, label="weight", fraction=0.05, pad=0.02)
    headline(fig, title)
    return fig, f"{title} Heat map of {T} queries by {S} keys. {favourites(probs, tokens, keys)}."


def attention_maps(
    probs: np.ndarray,
    tokens: Sequence[str],
    names: Sequence[str],
    keys: Sequence[str] | None = None,
    rows: str = "looking (query)",
) -> list[Drawing]:
    """Draw a heat map of attention weights for each head.

    probs: (H, T, S). names: a title for each of the H heads. The other arguments are as in `attention_map`.
    """
    return [
        attention_map(head, tokens, name, keys, PANEL_CELL, rows)
        for head, name in zip(probs, names, strict=True)
    ]


def fitting(probs: ArrayLike, tokens: Sequence[str], keys: Sequence[str]) -> tuple[int, ...]:
    """Return the shape of `probs`; raise ValueError unless it is (len(tokens), len(keys))."""
    shape = np.shape(probs)
    if shape != (len(tokens), len(keys)):
        raise ValueError(f"weights of shape {shape} do not match {len(tokens)} queries and {len(keys)} keys")
    return shape


def favourites(probs: np.ndarray, tokens: Sequence[str], keys: Sequence[str]) -> str:
    """Describe which key gets the largest attention weight from each of the first few queries."""
    most = probs.argmax(-1)
    said = [f"{token} attends most to {keys[s]} ({row[s]:.2f})" for token, row, s in zip(tokens, probs, most)]
    return ", ".join(said[:MOST_SAID]) + (" and so on" if len(said) > MOST_SAID else "")


def visibility_map(
    visible: np.ndarray, tokens: Sequence[str], title: str, keys: Sequence[str] | None = None
) -> Drawing:
    """Draw an attention mask, with queries in rows and keys in columns.

    visible: (T, S) bool, True if the query may attend to the key. The other arguments and the result are as
    in `attention_map`.
    """
    keys = tokens if keys is None else keys
    T, S = fitting(visible, tokens, keys)
    fig, ax = figure(PANEL_CELL * T + 1.3, PANEL_CELL * S + 0.9)
    fig.set_layout_engine("compressed")
    ax.imshow(visible, cmap=ListedColormap([NOTHING, SKY]), vmin=0, vmax=1, interpolation="none")
    for t, s in np.ndindex(T, S):
        text, color = ("yes", DARK) if visible[t, s] else ("–", "#000000")
        ax.text(s, t, text, ha="center", va="center", fontsize=9, color=color)
    label_cells(ax, tokens, keys)
    ax.set(xlabel="looked at (key)", ylabel="looking (query)")
    headline(fig, title)
    seen = ", ".join(f"{token} sees {row.sum()} of {S}" for token, row in zip(tokens, np.asarray(visible)))
    return fig, f"{title}: {seen}."


def position_waves(encoding: np.ndarray, position: int, title: str) -> Drawing:
    """Draw position encodings as a heat map with a line at one position.

    encoding: (T, D) in [-1, 1]. Returns (Figure, description).
    """
    T, D = encoding.shape
    fig, ax = figure(3.2, PANEL_WIDTH)
    image = ax.imshow(encoding, cmap="RdBu", vmin=-1, vmax=1, interpolation="none", aspect="auto")
    ax.axhline(position, color=DARK, linewidth=1.5, linestyle="--")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.set(xlabel=f"number (of {D})", ylabel="position")
    fig.colorbar(image, ax=ax, fraction=0.05, pad=0.02)
    headline(fig, title)
    return fig, (
        f"{title}. Heat map of {T} positions by {D} numbers, with fast waves at the left and slow ones at "
        "the right."
    )


def attention_plan() -> Drawing:
    """Draw attention, the first part of an encoder layer; return (Figure, description)."""
    fig, ax = plan_axes("1 · Attention mixes the words")
    for x, role, name in (
        (-1.1, "query", "q = x $W^Q$"),
        (0, "key", "k = x $W^K$"),
        (1.1, "value", "v = x $W^V$"),
    ):
        box(ax, x, 3.2, 1.0, name, NOTHING, THEMES[role][0])
        ax.annotate("", (x, 3.45), (0, 3.85), arrowprops=ARROW)
        ax.annotate("", (x, 2.55), (x, 2.95), arrowprops=ARROW)
    box(ax, 0, 2.3, 3.2, "in each head: softmax(q · k / √d), times v", SKY)
    ax.annotate("", (0, 1.65), (0, 2.05), arrowprops=ARROW)
    box(ax, 0, 1.4, 3.2, "all heads side by side, times $W^O$", SKY)
    return finish_plan(
        fig,
        ax,
        "One layer, first part, attention: x becomes q, k and v by three matrices; each head takes the "
        "softmax of q · k / √d, times v; the heads are put side by side and multiplied by a fourth matrix; x "
        "itself is added, then LayerNorm.",
    )


def feed_forward_plan() -> Drawing:
    """Draw the feed-forward network, the second part of a layer; return (Figure, description)."""
    fig, ax = plan_axes("2 · Feed-forward: each word alone")
    ax.annotate("", (0, 3.45), (0, 3.85), arrowprops=ARROW)
    for y, name in (
        (3.2, "first matrix: 768 → 3,072"),
        (2.3, "activation function"),
        (1.4, "second matrix: 3,072 → 768"),
    ):
        box(ax, 0, y, 3.2, name, SKY)
        if y > 2:
            ax.annotate("", (0, y - 0.65), (0, y - 0.25), arrowprops=ARROW)
    return finish_plan(
        fig,
        ax,
        "One layer, second part, feed-forward, for each word alone: a matrix from 768 to 3,072 numbers, the "
        "activation function, a matrix back to 768; the input is added, then LayerNorm. The result is the "
        "next layer's x.",
    )


def plan_axes(title: str) -> tuple[Figure, Axes]:
    """Return (Figure, axes) for the plan of one part of a layer."""
    fig, ax = figure(4.4, PANEL_WIDTH)
    ax.set(xlim=(-2.3, 1.75), ylim=(-1.1, 4.2))
    ax.axis("off")
    ax.text(0, 4.0, "x", ha="center", va="center", fontsize=12)
    headline(fig, title)
    return fig, ax


def finish_plan(fig: Figure, ax: Axes, alt: str) -> Drawing:
    """Draw what ends each part of a layer, the residual connection and LayerNorm; return (Figure, alt)."""
    ax.annotate("", (0, 0.75), (0, 1.15), arrowprops=ARROW)
    box(ax, 0, 0.5, 1.0, "+", LIGHT)
    ax.plot([-0.15, -1.85, -1.85, -0.55], [4.0, 4.0, 0.5, 0.5], color=VERMILLION, linewidth=1.5)
    ax.annotate("", (-0.5, 0.5), (-0.9, 0.5), arrowprops=ARROW | {"color": VERMILLION})
    ax.text(-2.1, 2.3, "residual: x, unchanged", rotation=90, ha="center", va="center", fontsize=9)
    ax.annotate("", (0, -0.15), (0, 0.25), arrowprops=ARROW)
    box(ax, 0, -0.4, 3.2, "LayerNorm", YELLOW)
    ax.annotate("", (0, -1.05), (0, -0.65), arrowprops=ARROW)
    return fig, alt


def box(ax: Axes, x: float, y: float, width: float, name: str, fill: str, edge: str = "#000000") -> None:
    """Draw a box around (x, y) with a name in it."""
    thick = 1.0 if edge == "#000000" else 2.5
    corner = (x - width / 2, y - 0.25)
    ax.add_patch(Rectangle(corner, width, 0.5, facecolor=fill, edgecolor=edge, linewidth=thick))
    color = "#000000" if fill == NOTHING else DARK
    ax.text(x, y, name, ha="center", va="center", color=color, fontsize=9)
