"""Show whether the result of a new seed lies within the range of earlier seeds.

Bands or bars extend from the lowest to the highest result of the earlier seeds, and the new seed is drawn on
top. Each drawing function returns (Figure, description). To show every seed over a logarithmic x axis, use
`scores.seed_curves`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from .plots import DARK, LINES, NAME_GAP, NAME_SIZE, headline, name_lines, plain
from .view import Drawing, figure

Series = np.ndarray | Sequence[float]  # (n,)
Seeds = np.ndarray | Sequence[Sequence[float]]  # (seeds, n)
LIMITS = ("|", "D", "X", "P")  # markers for the best reachable scores


def seed_bands(
    lines: Mapping[str, tuple[Series, Seeds]],
    live: Mapping[str, tuple[Series, Series]],
    xlabel: str,
    ylabel: str,
    title: str,
    limits: Mapping[str, float] | None = None,
    names: Sequence[str] | None = None,
    logx: bool = False,
    top: float = 100,
) -> Drawing:
    """Draw each line's range and mean over earlier seeds, and the points of a new (live) seed.

    lines: {name: (x (n,), values (seeds, n))}, at most four. live: {name: (x (m,), values (m,))} for some or
    none of the lines. limits: {name: y value}, drawn as horizontal lines with their names at the right.
    names: the names of all lines in a group of figures, so that each line keeps its colour. logx: use a
    logarithmic x axis, with ticks at the x values of the lines, or at powers of two if these differ. top: the
    highest y, unless a limit is above it. Raises ValueError for more than four lines, or for a name in `live`
    without a line.
    """
    check(lines, live)
    fig, ax = figure(3.6)
    ends: list[tuple[str, float, float]] = []
    for name, (x, values) in lines.items():
        color, marker, dash = LINES[list(names or lines).index(name)]
        values = np.asarray(values, float)
        ax.fill_between(x, values.min(0), values.max(0), color=color, alpha=0.25, linewidth=0)
        said = f"{name}, {len(values)} seed{'s' * (len(values) != 1)}"
        ax.plot(
            x, values.mean(0), dash, color=color, label=said, marker=marker if logx else None, markersize=4
        )
        if name in live:
            ax.plot(*live[name], marker, color=color, markerfacecolor="white", label=f"{name}, live")
            said += "; hollow: live"
        ends.append((said, x[-1], values.mean(0)[-1]))
    right = max(x for _, x, _ in ends)
    for place, (name, height) in enumerate((limits or {}).items()):
        ends.append((name, right, height))
        ax.axhline(height, color="black", linewidth=1, linestyle=((0, (1, 3)), (0, (6, 3)))[place % 2])
    ax.set(xlabel=xlabel, ylabel=ylabel, ylim=(0, max([top, *(limits or {}).values()])))
    if logx:
        ax.set_xscale("log", base=2)
        ticks = shared_ticks([x for x, _ in lines.values()])
        ax.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
        ax.minorticks_off()
    if limits:
        ax.set_xlim(right=right)  # so that no limit crosses the names
    plain(ax)
    name_lines(ax, ends)
    headline(fig, title)
    told = "; ".join(
        f"{name}: mean {np.mean(values, 0)[-1]:.1f} at {x[-1]:g}, from {np.min(values, 0)[-1]:.1f} to "
        f"{np.max(values, 0)[-1]:.1f}"
        for name, (x, values) in lines.items()
    )
    return fig, f"{title} {ylabel} over {xlabel}. {told}."


def shared_ticks(places: Sequence[Series]) -> Series:
    """Return the x values if all lines share them, otherwise the powers of two in their range."""
    if all(np.array_equal(x, places[0]) for x in places):
        return places[0]
    low, high = min(map(min, places)), max(map(max, places))
    return 2.0 ** np.arange(np.ceil(np.log2(low)), np.floor(np.log2(high)) + 1)


def seed_rows(
    kinds: Sequence[str],
    lines: Mapping[str, Seeds],
    live: Mapping[str, Series],
    xlabel: str,
    title: str,
    limits: Mapping[str, Series] | None = None,
) -> Drawing:
    """Draw the range of scores over seeds as bars, with the mean and the score of a new (live) seed.

    kinds: the names of n measurements, one row each. lines: {name of a system: scores (seeds, n)}, at most
    four. live: {name: scores (n,)} for some or none of the lines. limits: {name: other values (n,) to mark}.
    Raises ValueError for more than four lines, or for a name in `live` without a line.
    """
    check(lines, live)
    fig, ax = figure(1.1 + (0.2 + 0.17 * len(lines)) * len(kinds))
    rows = np.arange(len(kinds))
    named, side = roomiest([*lines.values(), *([heights] for heights in (limits or {}).values())])
    for number, ((color, marker, _), (name, values)) in enumerate(zip(LINES, lines.items())):
        values = np.asarray(values, float)
        at = rows + 0.17 * (number - (len(lines) - 1) / 2) / (0.2 + 0.17 * len(lines))
        ax.hlines(at, values.min(0), values.max(0), color=color, linewidth=5, alpha=0.35)
        said = f"{name}, mean of {len(values)}"
        ax.plot(values.mean(0), at, marker, color=color, markersize=5, label=said)
        if name in live:
            ax.plot(
                live[name],
                at,
                marker,
                color=color,
                markerfacecolor="none",
                markersize=9,
                label=f"{name}, live",
            )
            said += "; hollow: live"
        shown = [*values[:, named], *([live[name][named]] if name in live else [])]
        ax.annotate(
            said,
            (max(shown) if side > 0 else min(shown), at[named]),
            (9 * side, 0),
            va="center",
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            fontsize=NAME_SIZE,
        )
    for place, (marker, (name, heights)) in enumerate(zip(LIMITS, (limits or {}).items())):
        ax.plot(
            heights,
            rows,
            linestyle="",
            marker=marker,
            color=DARK,
            markersize=14 if marker == "|" else 5,
            label=name,
        )
        ax.annotate(
            name,
            (heights[0], -0.5),
            (0, 3 + NAME_GAP * place),
            textcoords="offset points",
            ha="center",
            fontsize=NAME_SIZE,
            annotation_clip=False,
        )
    ax.hlines(rows[:-1] + 0.5, 0, 1, transform=ax.get_yaxis_transform(), color="#8888", linewidth=0.5)
    ax.set_yticks(rows, kinds)
    ax.set(xlabel=xlabel, xlim=(-3, 104))
    ax.set_ylim(len(kinds) - 0.5, -0.5)
    plain(ax)
    headline(fig, title)
    told = "; ".join(
        f"{kind}: "
        + ", ".join(
            f"{name} {np.mean(values, 0)[i]:.0f} ({np.min(values, 0)[i]:.0f} to {np.max(values, 0)[i]:.0f})"
            for name, values in lines.items()
        )
        for i, kind in enumerate(kinds)
    )
    return fig, f"{title} {xlabel}, mean and range over seeds. {told}."


def roomiest(groups: Iterable[Seeds | Sequence[Series]]) -> tuple[int, int]:
    """Return (row, side) of the largest free space in a plot with an x axis from 0 to 100, for a legend.

    The side is 1 for right and -1 for left. groups: arrays (m, rows) of the plotted values.
    """
    values = np.concatenate([np.atleast_2d(np.asarray(group, float)) for group in groups])
    left, right = values.min(0), 100 - values.max(0)
    return (int(right.argmax()), 1) if right.max() >= left.max() else (int(left.argmax()), -1)


def check(lines: Collection[str], live: Iterable[str]) -> None:
    """Raise ValueError unless there are one to four lines, among them every name in `live`."""
    if not 1 <= len(lines) <= len(LINES):
        raise ValueError(f"{len(lines)} lines, but only 1 to {len(LINES)} can be distinguished")
    if strange := [name for name in live if name not in lines]:
        raise ValueError(f"there is no line for {', '.join(strange)}; the lines are {', '.join(lines)}")
