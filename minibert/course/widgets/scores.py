"""Show scores: a table of systems and tasks, the gaps between two systems, and curves over seeds.

Each function returns HTML or (Figure, description). Every colour is accompanied by a sign or a word.
"""

import html
from collections.abc import Mapping, Sequence

import numpy as np

from minibert.readers.wording import with_minus

from .plots import DARK, LINES, headline, name_lines, numbered_bars, plain
from .tables import scrolling
from .view import GREEN, SKY, VERMILLION, YELLOW, Drawing, figure

CELL = "padding:2px 8px;border:1px solid #8888;text-align:right"
HEAD = "padding:2px 8px;border:1px solid #8888;text-align:left;white-space:nowrap"


def leaderboard(
    columns: Sequence[str],
    rows: Mapping[str, Sequence[float]],
    said: str,
    chosen: str | None = None,
    head: str = "system",
) -> str:
    """Return systems and their scores as an HTML table, with the best score of each column in bold.

    columns: the column names. rows: {system: one number for each column}. said: a sentence below the table.
    chosen: the column to frame, or None. head: the heading of the first column.
    """
    best = {column: max(scores[i] for scores in rows.values()) for i, column in enumerate(columns)}

    def cell(column, score):
        bold = f";background:{YELLOW};color:{DARK};font-weight:bold" if score == best[column] else ""
        border = f";border:3px solid {SKY}" if column == chosen else ""
        return f'<td style="{CELL}{bold}{border}">{score:.1f}</td>'

    heads = "".join(f'<th scope="col" style="{CELL}">{html.escape(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row" style="{HEAD}">{html.escape(name)}</th>'
        f"{''.join(map(cell, columns, scores))}</tr>"
        for name, scores in rows.items()
    )
    return (
        scrolling(
            f'<table style="border-collapse:collapse">'
            f'<tr><th style="{HEAD}">{html.escape(head)}</th>{heads}</tr>{body}</table>'
        )
        + f'<p role="status">{html.escape(said)}</p>'
    )


def gap_bars(labels: Sequence[str], gaps: Sequence[float], xlabel: str, title: str) -> Drawing:
    """Draw gains as bars to the right of 0 and losses as bars to the left, with signed values.

    labels, gaps: n of each. Returns (Figure, description).
    """
    low, high = min(0, *gaps), max(0, *gaps)
    numbers = [with_minus(gap, "{:+.1f}") for gap in gaps]
    colors = [SKY if gap >= 0 else VERMILLION for gap in gaps]
    fig, ax = numbered_bars(labels, gaps, numbers, colors, xlabel, title, high + 0.12 * (high - low or 1))
    ax.axvline(0, color="black", linewidth=0.8)
    told = ", ".join(f"{label} {number}" for label, number in zip(labels, numbers))
    return fig, f"{title} Bars, {xlabel}: {told}."


def seed_curves(
    x: Sequence[float] | np.ndarray,
    lines: Mapping[str, np.ndarray | Sequence[Sequence[float]]],
    xlabel: str,
    ylabel: str,
    title: str,
    level: tuple[str, float] | None = None,
) -> Drawing:
    """Draw lines through means over seeds, and a mark for each seed, over a logarithmic x axis.

    x: (n,). lines: {name: values (seeds, n)}, at most four. level: (name, y value) of a dotted horizontal
    line, or None. Raises ValueError for more than four lines.
    """
    if len(lines) > len(LINES):
        raise ValueError(f"{len(lines)} lines, but at most {len(LINES)} can be distinguished")
    fig, ax = figure(3.4)
    for (color, marker, dash), values in zip(LINES, map(np.asarray, lines.values())):
        ax.plot(x, values.mean(0), dash, color=color)
        for seed in values:
            ax.plot(x, seed, marker, color=color, markersize=4, alpha=0.6)
    if level:
        ax.axhline(level[1], color=GREEN, linestyle=(0, (1, 3)))
    ax.set_xscale("log")
    ax.set_xticks(x, [f"{value:g}" for value in x])
    ax.minorticks_off()
    ax.set(xlabel=xlabel, ylabel=ylabel)
    plain(ax)
    ends = [
        (f"{name}, mean of {len(values)}", x[-1], np.mean(values, 0)[-1]) for name, values in lines.items()
    ]
    name_lines(ax, [*ends, *([(level[0], ax.get_xlim()[1], level[1])] if level else [])])
    headline(fig, title)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{mean:.1f} at {at:g}" for mean, at in zip(np.mean(values, 0), x))
        for name, values in lines.items()
    )
    return fig, f"{title} {ylabel} over {xlabel}. {told}."
