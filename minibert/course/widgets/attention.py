"""Draw attention weights, attention masks, position encodings and the parts of a layer.

See Vaswani et al. (2017, arXiv 1706.03762), sections 3.1, 3.2 and 3.5. The functions take arrays that were
computed elsewhere. Axes: T queries, S keys, H heads, K head size, D hidden.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from .plots import DARK, LIGHT, PANEL_SIZE, cells, headline, label_cells, plain
from .view import BLUE, SKY, VERMILLION, YELLOW, Drawing, figure

CELL, NUMBER_CELL, TINY_CELL = 0.55, 0.3, 0.14  # inches per cell: largest, smallest with a number, smallest
MAPS_WIDTH = 6.6  # inches available for the cells of all heads
SMALL_TEXT = 7  # points, for labels of the smallest cells
ARROW = {"arrowstyle": "->", "linewidth": 1.5, "shrinkA": 0, "shrinkB": 0}
NOTHING = "#00000000"  # transparent
MOST_SAID = 12  # queries that a description mentions


def attention_map(
    probs: np.ndarray, tokens: Sequence[str], title: str, keys: Sequence[str] | None = None
) -> Drawing:
    """Draw a heat map of attention weights, with queries in rows and keys in columns.

    probs: (T, S) in [0, 1]. tokens: the T words of the queries. keys: the S words of the keys, by default
    `tokens`. Returns (Figure, description). Raises ValueError if the number of words does not match the shape
    of `probs`.
    """
    return attention_maps(np.asarray(probs)[None], tokens, [""], title, keys)


def attention_maps(
    probs: np.ndarray,
    tokens: Sequence[str],
    names: Sequence[str],
    title: str,
    keys: Sequence[str] | None = None,
) -> Drawing:
    """Draw heat maps of attention weights side by side, one for each head.

    probs: (H, T, S). names: a title for each of the H heads. The other arguments are as in `attention_map`.
    Maps with few cells show the weights as numbers, and their colours range from 0 to 1. In maps with many
    cells, the colours range from 0 to the largest weight.
    """
    keys = tokens if keys is None else keys
    H, T, S = fitting(probs, tokens, keys, names)
    cell = min(CELL, MAPS_WIDTH / H / S)
    numbers = cell >= NUMBER_CELL
    cell = max(cell, TINY_CELL)
    fig, axes = figure(cell * T + 1.3, H * (cell * S + 0.25) + 1.7, ncols=H, sharey=True, squeeze=False)
    fig.set_layout_engine("compressed")  # removes the empty space next to square cells
    for ax, head, name in zip(axes[0], probs, names):
        image = cells(ax, head, tokens, keys, vmax=1 if numbers else np.max(probs), numbers=numbers)
        ax.set_title(name, fontsize=PANEL_SIZE)
        ax.set_xlabel("looked at (key)")
        ax.tick_params(labelsize=SMALL_TEXT if cell == TINY_CELL else None)
    axes[0, 0].set_ylabel("looking (query)")
    fig.colorbar(image, ax=axes[0], label="weight", fraction=0.05, pad=0.02)
    headline(fig, title)
    said = "; ".join(
        f"{name + ': ' if name else ''}{favourites(head, tokens, keys)}" for head, name in zip(probs, names)
    )
    return fig, f"{title} Heat map of {T} queries by {S} keys. {said}."


def fitting(
    probs: ArrayLike, tokens: Sequence[str], keys: Sequence[str], names: Sequence[str]
) -> tuple[int, ...]:
    """Return the shape of `probs`; raise ValueError unless it is (len(names), len(tokens), len(keys))."""
    shape = np.shape(probs)
    if shape != (len(names), len(tokens), len(keys)):
        raise ValueError(
            f"weights of shape {shape} do not match {len(names)} heads, {len(tokens)} queries "
            f"and {len(keys)} keys"
        )
    return shape


def favourites(probs: np.ndarray, tokens: Sequence[str], keys: Sequence[str]) -> str:
    """Describe which key gets the largest attention weight from each of the first few queries."""
    most = probs.argmax(-1)
    said = [f"{token} attends most to {keys[s]} ({row[s]:.2f})" for token, row, s in zip(tokens, probs, most)]
    return ", ".join(said[:MOST_SAID]) + (" and so on" if len(said) > MOST_SAID else "")


def visibility_map(visible: np.ndarray, probs: np.ndarray, tokens: Sequence[str], title: str) -> Drawing:
    """Draw an attention mask and the resulting attention weights side by side.

    visible: (T, T) bool, True if the query may attend to the key. probs: (T, T) in [0, 1]. tokens: T words.
    Returns (Figure, description in words).
    """
    T = len(tokens)
    fitting([visible], tokens, tokens, [""])
    fig, (left, right) = figure(0.42 * T + 1.9, ncols=2, sharey=True)
    fig.set_layout_engine("compressed")
    left.imshow(visible, cmap=ListedColormap([NOTHING, SKY]), vmin=0, vmax=1, interpolation="none")
    for t, s in np.ndindex(T, T):
        left.text(
            s,
            t,
            "yes" if visible[t, s] else "–",
            ha="center",
            va="center",
            fontsize=9,
            color=DARK if visible[t, s] else "#000000",
        )
    image = cells(right, probs, tokens, tokens)
    label_cells(left, tokens, tokens)
    for ax, name in ((left, "may look"), (right, "weight")):
        ax.set_title(name, fontsize=PANEL_SIZE)
        ax.set_xlabel("looked at (key)")
    left.set_ylabel("looking (query)")
    fig.colorbar(image, ax=right, fraction=0.05, pad=0.02)
    headline(fig, title)
    seen = ", ".join(f"{token} sees {row.sum()} of {T}" for token, row in zip(tokens, np.asarray(visible)))
    return fig, f"{title} {seen}; {favourites(probs, tokens, tokens)}."


def position_view(encoding: np.ndarray, products: np.ndarray, position: int, title: str) -> Drawing:
    """Draw sinusoidal position encodings, and the dot products of one position with all positions.

    encoding: (T, D) in [-1, 1]. products: (T,), the dot products of row `position` with every row. Returns
    (Figure, description).
    """
    T, D = encoding.shape
    fig, (left, right) = figure(3.4, ncols=2)
    image = left.imshow(encoding, cmap="RdBu", vmin=-1, vmax=1, interpolation="none", aspect="auto")
    left.axhline(position, color=DARK, linewidth=1.5, linestyle="--")
    left.xaxis.set_major_locator(MaxNLocator(integer=True))
    left.set(xlabel=f"dimension (of {D})", ylabel="position")
    left.set_title("sine and cosine waves", fontsize=PANEL_SIZE)
    fig.colorbar(image, ax=left, fraction=0.05, pad=0.02)
    right.plot(range(T), products, color=BLUE)
    right.axvline(position, color=VERMILLION, linestyle="--")
    right.set(xlabel="position", ylabel="dot product")
    right.set_ylim(min(0, 1.1 * products.min()), 1.1 * products.max())
    right.set_title(f"position {position} times every position", fontsize=PANEL_SIZE)
    plain(right)
    headline(fig, title)
    away = [f"{by} away {products[position + by]:.3g}" for by in (1, 5, 20) if position + by < T]
    told = ", ".join([f"itself {products[position]:.3g}", *away])
    return fig, (
        f"{title} Heat map of {T} positions by {D} dimensions, with fast waves at the left and slow ones at "
        f"the right. Dot product of position {position} with {told}."
    )


def layer_plan() -> Drawing:
    """Draw one encoder layer as boxes from left to right, with arches for residual connections.

    Returns (Figure, description).
    """
    boxes = (
        ("attention", SKY),
        ("add", LIGHT),
        ("LayerNorm", YELLOW),
        ("feed-\nforward", SKY),
        ("add", LIGHT),
        ("LayerNorm", YELLOW),
    )
    fig, ax = figure(2.0)
    ax.set(xlim=(-1, 6.2), ylim=(-0.8, 1.25))
    ax.axis("off")
    for i, (name, color) in enumerate(boxes):
        ax.add_patch(Rectangle((i - 0.36, -0.28), 0.72, 0.56, facecolor=color, edgecolor=DARK))
        ax.text(i, 0, name, ha="center", va="center", color=DARK, fontsize=10)
        ax.annotate("", (i - 0.36, 0), (i - 0.64, 0), arrowprops=ARROW)
    ax.annotate("", (5.7, 0), (5.36, 0), arrowprops=ARROW)
    for i in (0, 3):
        ax.plot([i - 0.5, i - 0.5, i + 1, i + 1], [0, 0.75, 0.75, 0.5], color=VERMILLION, linewidth=1.5)
        ax.annotate("", (i + 1, 0.28), (i + 1, 0.75), arrowprops=ARROW | {"color": VERMILLION})
        ax.text(i + 0.2, 0.85, "residual: unchanged", ha="center", fontsize=9)
    ax.text(-0.75, 0, "x", ha="center", va="center", fontsize=12)
    ax.text(5.8, 0, "out", ha="left", va="center", fontsize=10)
    ax.text(0, -0.6, "mixes words", ha="center", fontsize=9)
    ax.text(3, -0.6, "each word alone", ha="center", fontsize=9)
    headline(fig, "One layer: each part adds a correction to what came in")
    return fig, (
        "One layer of the encoder: x goes into attention, which mixes words, then x itself is added to the "
        "result, then LayerNorm. The output goes through the feed-forward network, each word alone, then the "
        "network's input is added, then LayerNorm."
    )
