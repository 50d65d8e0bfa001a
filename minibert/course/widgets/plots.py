"""Draw the curves, bars and heat maps that multiple lessons share.

Most functions return (Figure, description). The colours are from Okabe and Ito's palette, and lines also
differ in dash pattern and marker.
"""

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator, PercentFormatter

from .view import BLUE, GREEN, GREY, LIT, PURPLE, VERMILLION, WIDE, Drawing, figure

LINES = ((BLUE, "o", "-"), (VERMILLION, "s", "--"), (GREEN, "^", "-."), (PURPLE, "D", ":"))
GREYS = (("#000000", "o", "-"), (GREY, "s", "--"))  # lines whose names have no role in `theme`
NAME_SIZE, NAME_GAP = 9, 12  # points: the size of a line's name, and the distance between two names
DARK, LIGHT = "#1A1A1A", "#FFFFFF"  # text on a filled cell, which must not follow the page's theme
CHARACTERS_PER_INCH = 9.5  # in a title at TITLE_SIZE
TITLE_SIZE, PANEL_SIZE = 11, 10  # points: the title of the figure, and of one panel


def headline(fig: Figure, title: str) -> None:
    """Write the figure's title, wrapped to its width in lines of similar length."""
    most = int(fig.get_figwidth() * CHARACTERS_PER_INCH)
    lines = textwrap.wrap(title, most)
    for width in range(most - 1, 0, -1):
        if len(closer := textwrap.wrap(title, width, break_long_words=False)) > len(lines):
            break
        lines = closer
    fig.suptitle("\n".join(lines), fontsize=TITLE_SIZE, fontweight="bold")


def plain(ax: Axes) -> None:
    """Remove the top and right sides of the frame around a plot."""
    ax.spines[["top", "right"]].set_visible(False)


def curves(
    x: Sequence[float] | np.ndarray,
    panels: Mapping[str, Mapping[str, Any]],
    xlabel: str,
    title: str,
    logx: bool = False,
    logy: Collection[str] = (),
    at_least: Mapping[str, tuple[float, float]] | None = None,
    markers: bool = True,
    looks: Sequence[tuple[str, str, str]] = LINES,
    width: float = WIDE,
) -> Drawing:
    """Draw lines over the same x values, in one or more panels side by side.

    x: (n,) numbers. panels: {y label: {line name: (n,) numbers}}, at most one line per look in each panel.
    logy: the labels of the y axes that are logarithmic. at_least: {y label: (low, high)}, a range that the
    axis must include. looks: (colour, marker, dash pattern) of each line. width: of the figure, in inches.
    Returns (Figure, description). Raises ValueError if there are no panels, or more lines than looks in one.
    """
    most = max((len(lines) for lines in panels.values()), default=0)
    if not 1 <= most <= len(looks):
        raise ValueError(f"a panel has {most} lines, but only 1 to {len(looks)} can be distinguished")
    fig, axes = figure(3.4, width, ncols=len(panels), squeeze=False)
    for ax, (ylabel, lines) in zip(axes[0], panels.items()):
        for (color, marker, dash), y in zip(looks, lines.values()):
            ax.plot(x, y, dash, color=color, marker=marker if markers else None, markersize=4)
        ax.set(xlabel=xlabel, ylabel=ylabel)
        whole = np.equal(np.mod(x, 1), 0).all()
        ax.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=whole))
        plain(ax)
        if logx:
            ax.set_xscale("log", base=2)
            ax.set_xticks(x, [f"{value:g}" for value in x])
            ax.minorticks_off()
        if ylabel in logy:
            ax.set_yscale("log")
        if at_least and ylabel in at_least:
            stretch(ax, *at_least[ylabel])
        if len(lines) > 1 and (ax is axes[0, -1] or list(lines) != list(list(panels.values())[-1])):
            name_lines(ax, ((name, x[-1], y[-1]) for name, y in lines.items()))
    headline(fig, title)
    told = "; ".join(
        f"{ylabel}, {name}: {y[0]:.3g} at {x[0]:g}, {y[-1]:.3g} at {x[-1]:g}"
        for ylabel, lines in panels.items()
        for name, y in lines.items()
    )
    return fig, f"{title} Curves over {xlabel}. {told}."


def name_lines(ax: Axes, ends: Iterable[tuple[str, float, float]]) -> None:
    """Write each line's name to the right of its end, and separate names that would overlap.

    ends: (name, x, y) for each line, with the coordinates of its right end. The limits of the axes must not
    change afterwards.
    """
    ends = [end for end in ends if np.isfinite(end[2])]
    height = 72 * ax.bbox.height / ax.figure.dpi  # in points, and approximate, because the layout comes later
    ax.get_ylim()  # makes matplotlib compute automatic limits now
    at = [height * (ax.transScale + ax.transLimits).transform((x, y))[1] for _, x, y in ends]
    order = np.argsort(at, kind="stable")
    places = np.array(at)[order]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + NAME_GAP)
    places -= max(0.0, places[-1] - height) / 2 if len(places) else 0.0
    for place, i in zip(places, order):
        name, x, y = ends[i]
        ax.annotate(
            name,
            (x, y),
            (6, place - at[i]),
            textcoords="offset points",
            va="center",
            fontsize=NAME_SIZE,
            annotation_clip=False,
        )


def stretch(ax: Axes, low: float, high: float) -> None:
    """Extend the y axis so that it includes the range from `low` to `high`."""
    bottom, top = ax.get_ylim()
    ax.set_ylim(min(bottom, low), max(top, high))


def bars(
    labels: Sequence[str],
    values: Sequence[float],
    xlabel: str,
    title: str,
    chosen: int | None = None,
    form: str = "{:.2f}",
    limit: float | None = None,
) -> Drawing:
    """Draw horizontal bars with their values, the first at the top, and return (Figure, description).

    labels, values: n of each. chosen: the index of a bar to highlight with another colour and a bold label,
    or None. form: the format of the numbers; if it ends with "%}", the axis is in percent, too. limit: the
    end of the axis, by default a little more than the longest bar. Negative bars point to the left, inside
    the axes.
    """
    most = 1.15 * max(values) if limit is None else limit
    colors = [LIT if i == chosen else GREY for i in range(len(labels))]
    fig, ax = numbered_bars(
        labels, values, [form.format(value) for value in values], colors, xlabel, title, most
    )
    if form.endswith("%}"):
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    if chosen is not None:
        ax.get_yticklabels()[chosen].set_fontweight("bold")
    told = ", ".join(f"{label} {form.format(value)}" for label, value in zip(labels, values))
    return fig, f"{title} Bars, {xlabel}: {told}."


def numbered_bars(
    labels: Sequence[str],
    values: Sequence[float],
    numbers: Sequence[str],
    colors: Sequence[str],
    xlabel: str,
    title: str,
    most: float,
) -> tuple[Figure, Axes]:
    """Draw horizontal bars, each followed by a label, and return the figure and its axes.

    The first bar is at the top. most: the end of the axis. If there are negative bars, the axis also extends
    to the left of 0.
    """
    fig, ax = figure(0.7 + 0.3 * len(labels))
    drawn = ax.barh(range(len(labels)), values, color=colors, edgecolor=DARK, linewidth=0.5)
    ax.bar_label(drawn, numbers, padding=3, fontsize=9)
    ax.set_yticks(range(len(labels)), labels)
    least = min(0, *values)
    ax.set(xlabel=xlabel, xlim=(least - 0.12 * (most - least) if least < 0 else 0, most))
    ax.invert_yaxis()
    plain(ax)
    headline(fig, title)
    return fig, ax


def cells(
    ax: Axes,
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    cmap: str = "cividis",
    vmin: float = 0.0,
    vmax: float = 1.0,
    numbers: bool = True,
) -> AxesImage:
    """Draw a heat map of `values` (n, m) with labelled rows and columns, and return its image."""
    image = ax.imshow(values, cmap=cmap, vmin=vmin, vmax=vmax, interpolation="none")
    label_cells(ax, rows, columns)
    for i, j in np.ndindex(values.shape) if numbers else ():
        text = f"{values[i, j]:.2f}".removeprefix("0").replace("1.00", "1")
        ax.text(
            j, i, text, ha="center", va="center", fontsize=9, color=ink(image.cmap(image.norm(values[i, j])))
        )
    return image


def label_cells(ax: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Label the rows and columns of a grid, with slanted text for many or long column labels."""
    slanted = len(columns) > 6 or max(map(len, columns)) > 5
    ax.set_xticks(
        range(len(columns)),
        columns,
        rotation=50 if slanted else 0,
        ha="right" if slanted else "center",
        rotation_mode="anchor" if slanted else "default",
    )
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)


def ink(color: Any) -> str:
    """Return the text colour, dark or light, that is readable on `color` (matplotlib RGBA)."""
    red, green, blue, _ = matplotlib.colors.to_rgba(color)
    return DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else LIGHT
