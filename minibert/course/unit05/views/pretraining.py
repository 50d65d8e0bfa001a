"""Show a model's accuracy on each kind of word, between a baseline and the best possible accuracy."""

from collections.abc import Sequence

import numpy as np

from minibert.course.widgets.plots import DARK, NAME_SIZE, headline, plain
from minibert.course.widgets.view import BLUE, SKY, VERMILLION, Drawing, figure


def accuracy_ranges(
    kinds: Sequence[str],
    floor: Sequence[float],
    reached: Sequence[float],
    best: Sequence[float],
    title: str,
    floor_name: str,
    reached_name: str = "model",
    best_name: str = "best reachable",
) -> Drawing:
    """Plot a model's accuracy on each kind of word, on a bar from a baseline to the best possible accuracy.

    kinds: the names of the n kinds. floor, reached, best: the n accuracies, in percent, of a baseline that
    does not read the context, of the model, and of the best possible predictions. Returns (Figure,
    description).
    """
    fig, ax = figure(1.0 + 0.5 * len(kinds))
    places = range(len(kinds))
    ax.barh(
        places,
        [b - f for b, f in zip(best, floor)],
        left=floor,
        height=0.5,
        color=SKY,
        alpha=0.35,
        edgecolor=DARK,
        linewidth=0.5,
    )
    apart = np.minimum(np.subtract(reached, floor), np.subtract(best, reached))
    named = int(np.argmax(apart))  # the row whose marks are far enough apart for their names
    for values, marker, color, name, align in (
        (floor, "|", DARK, floor_name, "left"),
        (reached, "o", VERMILLION, reached_name, "center"),
        (best, "D", BLUE, best_name, "left"),
    ):
        ax.plot(
            values,
            places,
            linestyle="",
            marker=marker,
            markersize=12 if marker == "|" else 8,
            color=color,
            label=name,
        )
        ax.annotate(
            name,
            (values[named], named),
            (0, -10),
            textcoords="offset points",
            ha=align,
            va="top",
            fontsize=NAME_SIZE,
        )
    for place, value, least in zip(places, reached, floor):
        beside = value - least < 3  # the floor's mark is too close
        ax.annotate(
            f"{value:.0f}",
            (value, place),
            (8, 0) if beside else (0, 8),
            textcoords="offset points",
            ha="left" if beside else "center",
            va="center" if beside else "bottom",
            fontsize=9,
        )
    ax.set_yticks(places, kinds)
    ax.set(xlabel="masked words predicted right, %", xlim=(-3, 104))
    ax.invert_yaxis()
    plain(ax)
    headline(fig, title)
    told = "; ".join(
        f"{kind}: {floor_name} {f:.0f}, {reached_name} {r:.0f}, {best_name} {b:.0f}"
        for kind, f, r, b in zip(kinds, floor, reached, best)
    )
    return fig, f"{title} Masked words predicted right, in percent. {told}."
