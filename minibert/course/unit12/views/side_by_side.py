"""Compare models in figures: patterns and scores of all heads, curves over depth, and the findings.

Each function that draws returns (Figure, description) or HTML. A model keeps its line style and colour in all
figures. Axes: L layers, H heads.
"""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from minibert.course.widgets.plots import DARK, LINES, PANEL_SIZE, headline, ink, name_lines, plain
from minibert.course.widgets.scores import CELL, HEAD
from minibert.course.widgets.tables import scrolling
from minibert.course.widgets.view import ORANGE, SKY, YELLOW, Drawing, figure
from minibert.readers.wording import with_minus

SIGNS = {
    "vertical": ("V", SKY),
    "diagonal": ("D", YELLOW),
    "vertical + diagonal": ("+", "#9AD17F"),
    "block": ("B", ORANGE),
    "heterogeneous": ("·", "#E8E8E8"),
}
POINTS = {"o": "●", "s": "■", "^": "▲", "D": "◆"}  # drawn before a line's name: lines may end close together
COLUMN = 10.0  # width of all panels together, in inches


def panels(sizes: Mapping[str, tuple[int, int]], height: float) -> tuple[Any, Any]:
    """Return a new figure and its axes, with a panel for each model.

    sizes: maps the names of models to (layers, heads).
    """
    fig, axes = figure(
        height, COLUMN, ncols=len(sizes), squeeze=False, width_ratios=[max(4, H) for _, H in sizes.values()]
    )
    return fig, axes[0]


def grid(ax: Any, name: str, L: int, H: int) -> None:
    """Label the axes of a panel with a cell for each of L x H heads and the first layer on top."""
    ax.set(xlim=(-0.5, H - 0.5), ylim=(L - 0.5, -0.5), aspect="equal")
    ax.set_xticks(range(0, H, 1 if H < 7 else 2), [str(h + 1) for h in range(0, H, 1 if H < 7 else 2)])
    ax.set_yticks(range(L), [str(layer + 1) for layer in range(L)])
    ax.tick_params(length=0)
    ax.set_xlabel("head")
    ax.set_title(name, fontsize=PANEL_SIZE)
    ax.spines[:].set_visible(False)


def pattern_map(models: Mapping[str, np.ndarray], title: str) -> Drawing:
    """Draw the attention pattern of each head as a letter on a coloured cell.

    models: for each model, an array (L, H) of its heads' patterns, which are keys of SIGNS.
    """
    fig, axes = panels({name: found.shape for name, found in models.items()}, 3.3)
    for ax, (name, found) in zip(axes, models.items()):
        for layer, head in np.ndindex(found.shape):
            sign, color = SIGNS[found[layer, head]]
            ax.add_patch(
                Rectangle(
                    (head - 0.46, layer - 0.46), 0.92, 0.92, facecolor=color, edgecolor=DARK, linewidth=0.4
                )
            )
            ax.text(head, layer, sign, ha="center", va="center", fontsize=8, color=DARK)
        grid(ax, name, *found.shape)
    axes[0].set_ylabel("layer")
    legend = ",   ".join(f"{sign} = {name}" for name, (sign, _) in SIGNS.items())
    fig.supxlabel(legend, fontsize=9)
    headline(fig, title)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{(found == kind).mean():.0%} {kind}" for kind in SIGNS)
        for name, found in models.items()
    )
    return fig, f"{title}. Share of heads by pattern. {told}."


def head_map(models: Mapping[str, np.ndarray], title: str, label: str, form: str = "{:.2f}") -> Drawing:
    """Draw a number for each head as a colour, on the same scale for all models, centred at 0.

    models: for each model, an array (L, H) of its heads' numbers.
    """
    fig, axes = panels({name: found.shape for name, found in models.items()}, 3.1)
    most = max(np.abs(found).max() for found in models.values()) or 1.0
    for ax, (name, found) in zip(axes, models.items()):
        image = ax.imshow(found, cmap="RdBu_r", vmin=-most, vmax=most, interpolation="none")
        grid(ax, name, *found.shape)
        for layer, head in [np.unravel_index(found.argmax(), found.shape)]:
            ax.text(
                head,
                layer,
                with_minus(found[layer, head], form),
                ha="center",
                va="center",
                fontsize=7,
                color=ink(image.cmap(image.norm(found[layer, head]))),
            )
    axes[0].set_ylabel("layer")
    fig.colorbar(image, ax=list(axes), label=label, fraction=0.03, pad=0.01)
    headline(fig, title)
    told = "; ".join(
        f"{name}: from {with_minus(found.min(), form)} to {with_minus(found.max(), form)}, "
        f"the largest at layer {found.argmax() // found.shape[1] + 1}, head "
        f"{found.argmax() % found.shape[1] + 1}"
        for name, found in models.items()
    )
    return fig, f"{title}. {label} by head. {told}."


def over_depth(
    shown: Mapping[str, Mapping[str, Sequence[float] | np.ndarray]],
    title: str,
    embeddings: bool = False,
    limits: Mapping[str, tuple[float, float]] | None = None,
) -> Drawing:
    """Plot lines over relative depth for models with different numbers of layers.

    shown: maps each panel's y label to a dict that maps each model to a number for each layer. embeddings:
    whether the first number belongs to the embeddings, at depth 0. limits: maps y labels to (low, high).
    Raises ValueError if there are more models than line styles.
    """
    fig, axes = figure(3.4, ncols=len(shown), squeeze=False)
    for ax, (ylabel, lines) in zip(axes[0], shown.items()):
        if len(lines) > len(LINES):
            raise ValueError(f"{len(lines)} models, but at most {len(LINES)} can be distinguished")
        ends = []
        for (color, marker, dash), (name, values) in zip(LINES, lines.items()):
            L = len(values) - embeddings
            x = np.arange(1 - embeddings, L + 1) / L
            ax.plot(x, values, dash, color=color, marker=marker, markersize=4)
            ends.append((f"{POINTS[marker]} {name}", x[-1], values[-1]))
        ax.set(xlabel="depth: layer / number of layers" if len(shown) < 4 else "depth", ylabel=ylabel)
        if limits and ylabel in limits:
            ax.set_ylim(*limits[ylabel])
        plain(ax)
        if ax is axes[0, -1]:
            name_lines(ax, ends)
    headline(fig, title)
    told = "; ".join(
        f"{ylabel}, {name}: " + ", ".join(f"{v:.2f}" for v in values)
        for ylabel, lines in shown.items()
        for name, values in lines.items()
    )
    return fig, f"{title}. Layer by layer, from the first. {told}."


def lines_with_names(
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    xlabel: str,
    ylabel: str,
    title: str,
    bands: Mapping[str, np.ndarray] | None = None,
    marks: Mapping[str, float] | None = None,
) -> Drawing:
    """Plot named lines over x, with bands from the lowest to the highest value of multiple seeds.

    lines: maps names to n values. bands: maps names to arrays (seeds, n). marks: maps labels to the x
    coordinates of vertical lines.
    """
    fig, ax = figure(3.4)
    ends = []
    for (color, marker, dash), (name, y) in zip(LINES, lines.items()):
        ax.plot(x, y, dash, color=color, marker=marker, markersize=4)
        if bands and name in bands:
            ax.fill_between(
                x, np.min(bands[name], 0), np.max(bands[name], 0), color=color, alpha=0.25, linewidth=0
            )
        ends.append((f"{POINTS[marker]} {name}", x[-1], y[-1]))
    for name, place in (marks or {}).items():
        ax.axvline(place, color="black", linewidth=1, linestyle=(0, (1, 3)))
        ax.text(place, 0.02, f" {name}", transform=ax.get_xaxis_transform(), fontsize=9)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    plain(ax)
    name_lines(ax, ends)
    headline(fig, title)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{v:.2f} at {at:g}" for at, v in zip(x, y)) for name, y in lines.items()
    )
    return fig, f"{title}. {ylabel} over {xlabel}. {told}."


def findings_html(head: Sequence[str], rows: Sequence[Sequence[str]], said: str) -> str:
    """Return a table of findings as HTML, with claims first and verdicts last, and the text `said` below."""
    wraps = f"{HEAD};white-space:normal"
    top = "".join(f'<th scope="col" style="{wraps}">{html.escape(one)}</th>' for one in head)
    body = ""
    for claim, *cells, verdict in rows:
        inner = "".join(f'<td style="{CELL};text-align:left">{html.escape(cell)}</td>' for cell in cells)
        body += (
            f'<tr><th scope="row" style="{wraps};font-weight:normal">{html.escape(claim)}</th>'
            f'{inner}<td style="{CELL};text-align:left"><b>{html.escape(verdict)}</b></td></tr>'
        )
    style = "border-collapse:collapse;min-width:52rem;font-size:0.85rem"
    return (
        scrolling(f'<table style="{style}"><tr>{top}</tr>{body}</table>')
        + f'<p role="status">{html.escape(said)}</p>'
    )
