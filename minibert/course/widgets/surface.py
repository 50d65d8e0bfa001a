"""Draw loss surfaces on planes through a model's weight space, with the same colour scale."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from .plots import DARK, LIGHT, PANEL_SIZE, headline
from .view import Drawing, figure

LEVELS = 12  # number of colours
LABEL = {"boxstyle": "round,pad=0.2", "facecolor": DARK, "edgecolor": "none"}


def loss_maps(
    panels: Mapping[str, np.ndarray],
    at_x: ArrayLike,
    at_y: ArrayLike,
    xlabel: str,
    ylabel: str,
    title: str,
    points: Iterable[tuple[float, float, str]] = (),
    ceiling: float | None = None,
) -> Drawing:
    """Draw losses as filled contours with contour lines, where dark colours mean low losses.

    panels: {name: (len(at_y), len(at_x)) losses}. points: (x, y, label) to mark in each map. ceiling: losses
    above this have the same colour; the default is the largest loss. Returns (Figure, description).
    """
    top = max(map(np.max, panels.values())) if ceiling is None else ceiling
    bottom = min(map(np.min, panels.values()))
    levels = np.linspace(bottom, top, LEVELS + 1)
    fig, axes = figure(3.6, ncols=len(panels), squeeze=False, sharey=True)
    for ax, (name, losses) in zip(axes[0], panels.items()):
        drawn = ax.contourf(at_x, at_y, np.minimum(losses, top), levels=levels, cmap="cividis")
        ax.contour(at_x, at_y, np.minimum(losses, top), levels=levels, colors=LIGHT, linewidths=0.4)
        for x, y, label in points:
            ax.plot(x, y, "o", color=LIGHT, markeredgecolor=DARK, markersize=7)
            ax.annotate(
                label,
                (x, y),
                xytext=(0, 10),
                textcoords="offset points",
                ha="center",
                color=LIGHT,
                fontsize=9,
                bbox=LABEL,
            )
        ax.set_title(name, fontsize=PANEL_SIZE)
        ax.set_xlabel(xlabel)
    axes[0, 0].set_ylabel(ylabel)
    fig.colorbar(drawn, ax=list(axes[0]), label="loss", shrink=0.9, format="%.2f")
    headline(fig, title)
    told = "; ".join(
        f"{name}: from {np.min(losses):.2f} to {np.max(losses):.2f}" for name, losses in panels.items()
    )
    return fig, f"{title} Loss over {xlabel} and {ylabel}. {told}."
