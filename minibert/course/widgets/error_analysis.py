"""Show a model's errors: bars of scores by category, and a confusion matrix of labels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes

from .plots import DARK, PANEL_SIZE, headline, ink, label_cells, plain
from .view import SKY, Drawing, figure

ROWS = 12  # the most bars or labels in a panel; the table itself has all of them


@rc_context({"text.parse_math": False})  # type: ignore[arg-type]  # the stub lacks this key
def errors_figure(tables: Sequence[Any], title: str) -> Drawing:
    """Draw the tables of an error analysis as panels, one below the other.

    tables: objects with the attributes title, head, rows and confusion. Bars show the scores in the last
    column, 0 to 100, next to each row's name and its number of examples. If `confusion` is true, the table is
    a confusion matrix, drawn as a heat map of the shares in each row, with counts. Returns (Figure,
    description). Dollar signs in labels are drawn. Raises ValueError if there are no tables.
    """
    if not tables:
        raise ValueError("there are no tables to draw; pass at least one")
    title = title.encode("utf-8", "replace").decode()  # a file's name may have bytes that are not UTF-8
    heights = [1.0 + (0.45 if table.confusion else 0.28) * min(len(table.rows), ROWS) for table in tables]
    fig, axes = figure(0.5 + sum(heights), nrows=len(tables), squeeze=False, height_ratios=heights)
    told = [
        (confusion_panel if table.confusion else score_panel)(ax, table)
        for ax, table in zip(axes[:, 0], tables)
    ]
    headline(fig, title)
    return fig, " ".join([title, *told])


def score_panel(ax: Axes, table: Any) -> str:
    """Draw the last column of a table as bars on `ax`, and return a description."""
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
    """Draw a confusion matrix as a heat map of the shares in each row, and return a description.

    If there are many labels, only the most frequent are drawn; the shares and the description cover all.
    """
    every, counts = table.head[1:], np.array([row[1:] for row in table.rows], float)  # (n, n)
    wrong = [
        (counts[i, j], every[i], every[j]) for i, j in np.ndindex(counts.shape) if i != j and counts[i, j]
    ]
    listed = ", ".join(
        f"{right} as {given} {count:.0f} times" for count, right, given in sorted(wrong, reverse=True)[:3]
    )
    told = f"{table.title}: {np.trace(counts):.0f} of {counts.sum():.0f} are right; " + (
        f"the most frequent errors are {listed}." if listed else "none are wrong."
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
    ax.set(xlabel="predicted", ylabel="correct")
    part = f": the {len(labels)} most frequent of {len(every)} labels" if len(labels) < len(every) else ""
    ax.set_title(table.title + part, fontsize=PANEL_SIZE)
    return told
