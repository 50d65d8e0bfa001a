"""A model's errors, drawn: bars of scores by kind, and which labels are confused with which."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from .plots import DARK, PANEL_SIZE, headline, ink, label_cells, plain
from .view import SKY, Drawing, figure

ROWS = 12  # bars or labels that a panel can show; the rest stays in the table


def errors_figure(tables: Sequence[Any], title: str) -> Drawing:
    """Draw one panel for each table (title, head, rows, confusion), one below the other.

    Bars show a table's last column, 0 to 100, beside each name and the number of its examples. A table with
    `confusion` becomes a heat map of the shares of each row, with the counts. Raises ValueError for no table.
    """
    if not tables:
        raise ValueError("0 tables: nothing to draw")
    heights = [1.0 + (0.45 if table.confusion else 0.28) * min(len(table.rows), ROWS) for table in tables]
    fig, axes = figure(0.5 + sum(heights), nrows=len(tables), squeeze=False, height_ratios=heights)
    told = [
        (confusion_panel if table.confusion else score_panel)(ax, table)
        for ax, table in zip(axes[:, 0], tables)
    ]
    headline(fig, title)
    return fig, " ".join([title, *told])


def score_panel(ax: Axes, table: Any) -> str:
    """Draw bars of a table's last column; returns their description in words."""
    rows = table.rows[:ROWS]
    names = [f"{row[0]} ({row[1]})" for row in rows]
    drawn = ax.barh(range(len(rows)), [row[-1] for row in rows], color=SKY, edgecolor=DARK, linewidth=0.5)
    ax.bar_label(drawn, [f"{row[-1]:.0f}" for row in rows], padding=3, fontsize=9)
    ax.set_yticks(range(len(rows)), names)
    ax.set(xlabel=table.head[-1], xlim=(0, 110))
    ax.set_title(table.title, fontsize=PANEL_SIZE)
    ax.invert_yaxis()
    plain(ax)
    return (
        f"{table.title}, {table.head[-1]}: "
        + ", ".join(f"{name} {row[-1]:.0f}" for name, row in zip(names, rows))
        + "."
    )


def confusion_panel(ax: Axes, table: Any) -> str:
    """Draw a heat map of the shares of each row, with the counts; returns its description in words.

    Of many labels only the most frequent are drawn; the description and the shares are of all.
    """
    every, counts = table.head[1:], np.array([row[1:] for row in table.rows], float)  # (n, n)
    wrong = [
        (counts[i, j], every[i], every[j]) for i, j in np.ndindex(counts.shape) if i != j and counts[i, j]
    ]
    listed = ", ".join(
        f"{right} as {given} {count:.0f} times" for count, right, given in sorted(wrong, reverse=True)[:3]
    )
    told = f"{table.title}: {np.trace(counts):.0f} of {counts.sum():.0f} right; " + (
        f"most often wrong: {listed}." if listed else "none wrong."
    )
    kept = np.sort(np.argsort(-counts.sum(0) - counts.sum(1), kind="stable")[:ROWS])
    shares = (counts / np.maximum(counts.sum(1, keepdims=True), 1))[np.ix_(kept, kept)]
    labels, counts = [every[i] for i in kept], counts[np.ix_(kept, kept)]
    image = ax.imshow(shares, cmap="cividis", vmin=0, vmax=1, interpolation="none", aspect="auto")
    label_cells(ax, labels, labels)
    for i, j in np.ndindex(counts.shape):
        ax.text(
            j,
            i,
            f"{counts[i, j]:.0f}",
            ha="center",
            va="center",
            fontsize=9,
            color=ink(image.cmap(image.norm(shares[i, j]))),
        )
    ax.set(xlabel="given", ylabel="right")
    part = f": {len(labels)} of {len(every)}, the most frequent" if len(labels) < len(every) else ""
    ax.set_title(table.title + part, fontsize=PANEL_SIZE)
    return told
