"""Attention for long texts: who reads whom, how the cost grows, and how far away an answer may be."""

from collections.abc import Callable, Collection
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.colors import to_rgba

from minibert.course import tables
from minibert.course.widgets.plots import LINES, NAME_SIZE, PANEL_SIZE, headline, name_lines, plain
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import ORANGE, SKY, Controls, Drawing, View, drawing_html, figure, show
from minibert.model.long import random_visible

Attends = Callable[[int, int, int, Collection[int]], bool]
LENGTH = 24  # tokens in the picture
RANDOM, SEED = 2, 14  # BigBird's random keys for each token
PATTERNS: dict[str, tuple[tuple[int, ...], int] | None] = {  # (global positions, random keys); None: full
    "a window": ((), 0),
    "a window and a global token (Longformer)": ((0,), 0),
    "and random tokens (BigBird)": ((0,), RANDOM),
    "full attention (BERT)": None,
}


def attends(query: int, key: int, reach: int, far: Collection[int]) -> bool:
    """Return whether `query` attends to `key`: they are near each other, or one of them is global.

    >>> attends(5, 8, reach=2, far=[0]), attends(5, 0, reach=2, far=[0])
    (False, True)
    """
    return abs(query - key) <= reach or query in far or key in far


def pattern_visible(pattern: str, reach: int, rule: Attends, length: int = LENGTH) -> np.ndarray:
    """Return who attends to whom, (T, T) bool, for a key of PATTERNS."""
    chosen = PATTERNS[pattern]
    if chosen is None:
        return np.ones((length, length), bool)
    far, count = chosen
    visible = np.array([[rule(query, key, reach, far) for key in range(length)] for query in range(length)])
    return visible | random_visible(length, count, np.random.default_rng(SEED))


def layers_needed(visible: np.ndarray) -> np.ndarray:
    """Return after how many layers information from each key can be in each query, (T, T); 0 if never."""
    needed, reached = np.zeros(visible.shape, int), np.eye(len(visible), dtype=bool)
    for layer in range(1, len(visible) + 1):
        more = (visible.astype(int) @ reached.astype(int)) > 0
        needed[more & (needed == 0)] = layer
        reached = more
    return needed


def who_reads_whom(yours: Attends) -> Controls:
    """Draw the attention mask that the student's function makes, and what the last token can know."""
    rule, said = either(yours, attends)

    def draw(pattern: str, reach: int, layers: int) -> str:
        visible = pattern_visible(pattern, reach, rule)
        return drawing_html(mask_plot(visible, layers)) + f"<p><small>{said}</small></p>"

    return Controls(
        draw,
        pattern=widgets.Dropdown(options=list(PATTERNS), description="Pattern", layout={"width": "380px"}),
        reach=widgets.IntSlider(2, 1, 6, description="Reach", continuous_update=False),
        layers=widgets.IntSlider(1, 1, 12, description="Layers", continuous_update=False),
    )


def mask_plot(visible: np.ndarray, layers: int) -> Drawing:
    """Draw the mask, and next to it what each token can know after some layers."""
    T, needed = len(visible), layers_needed(visible)
    known = (needed > 0) & (needed <= layers)
    title = (
        f"{visible.sum()} of {T * T} pairs in each layer; with {layers} layer{'s' * (layers > 1)}, the last "
        f"token can know of {known[-1].sum()} of {T} tokens"
    )
    fig, axes = figure(4.1, ncols=2)
    for ax, filled, name in (
        (axes[0], visible, "one layer: who attends to whom"),
        (axes[1], known, f"{layers} layer{'s' * (layers > 1)}: who can know of whom"),
    ):
        colors = np.where(visible[..., None], to_rgba(SKY), to_rgba(ORANGE)) * filled[..., None]
        ax.imshow(colors, interpolation="none")
        ax.set_xticks(np.arange(T - 1) + 0.5, minor=True)
        ax.set_yticks(np.arange(T - 1) + 0.5, minor=True)
        ax.grid(which="minor", color="#888888", linewidth=0.3)
        ax.tick_params(which="minor", length=0)
        ax.set(xlabel="key", ylabel="query")
        ax.set_title(name, fontsize=PANEL_SIZE)
    axes[1].plot([], [], "s", color=SKY, label="directly")
    axes[1].plot([], [], "s", color=ORANGE, label="through others")
    fig.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=NAME_SIZE)
    headline(fig, title)
    return fig, f"{title}. Full attention computes {T * T} pairs."


def growth() -> View:
    """Draw the memory and the time of one attention over the length, from the stored table."""
    found = tables.stored("after_bert")["long"]
    return show(*growth_plot(found))


def growth_plot(found: dict[str, Any]) -> Drawing:
    lengths, ways = found["lengths"], {"full": "full attention", "linear": "window and global"}
    panels = {
        "MiB": (lambda way: np.array(found[way]["bytes"]) / 2**20, "bytes exponent"),
        "time, relative to 512 tokens": (lambda way: np.array(found[way]["relative time"]), "time exponent"),
    }
    fig, axes = figure(3.4, ncols=2)
    told = []
    for ax, (label, (values, exponent)) in zip(axes, panels.items()):
        ends = []
        for (color, marker, dash), (way, name) in zip(LINES, ways.items()):
            ax.plot(lengths, values(way), dash, color=color, marker=marker, markersize=4)
            ends.append((f"{name}: T^{found[way][exponent]:.1f}", lengths[-1], values(way)[-1]))
            told.append(f"{name}, {label}: {values(way)[0]:.3g} to {values(way)[-1]:.4g}")
        ax.set_xscale("log", base=2)
        ax.set_yscale("log")
        ax.set_xticks(lengths, [f"{length:,}" for length in lengths])
        ax.minorticks_off()
        ax.set(xlabel="tokens (T)", ylabel=label)
        plain(ax)
        name_lines(ax, ends)
    title = (
        f"At {lengths[-1]:,} tokens, full attention makes {found['full']['bytes'][-1] / 2**20:,.0f} MiB of "
        f"numbers, the window {found['linear']['bytes'][-1] / 2**20:.0f}"
    )
    headline(fig, title)
    return fig, f"{title}. From {lengths[0]} tokens on: {'; '.join(told)}."


def far_answer() -> View:
    """Draw how often models with different attention give a far answer, from the stored table."""
    return show(*far_plot(tables.stored("after_bert")["far"]))


def far_plot(found: dict[str, list[dict[str, Any]]]) -> Drawing:
    """Draw the accuracy over the distance: the mean of the seeds, and a line from lowest to highest."""
    distances = next(iter(found.values()))[0]["distances"]
    without = np.mean([one["without answer"] for seeds in found.values() for one in seeds], 0)
    fig, ax = figure(3.6)
    told, shifts = [], np.linspace(0.97, 1.03, len(found))
    for (color, marker, dash), shift, (name, seeds) in zip(LINES, shifts, found.items()):
        rows = np.array([one["accuracy"] for one in seeds])  # (seeds, distances)
        at = shift * np.array(distances)
        ax.plot(at, rows.mean(0), dash, color=color, marker=marker, markersize=5, label=name)
        ax.vlines(at, rows.min(0), rows.max(0), color=color, linewidth=1)
        told.append(f"{name}: " + ", ".join(f"{d} {x:.0f}%" for d, x in zip(distances, rows.mean(0))))
    ax.plot(distances, without, color="black", linewidth=1, linestyle=(0, (1, 3)), label="without the answer")
    ax.set_xscale("log", base=2)
    ax.set_xticks(distances, [str(distance) for distance in distances], rotation=45)
    ax.minorticks_off()
    ax.set(xlabel="tokens from the question to the answer", ylabel="right answers, %", ylim=(0, 105))
    plain(ax)
    fig.legend(loc="outside right upper", frameon=False, fontsize=NAME_SIZE)
    last = {name: np.mean([one["accuracy"][-1] for one in seeds]) for name, seeds in found.items()}
    best = [f"“{name}”" for name, x in last.items() if x > 90]
    title = (
        f"{distances[-1]:,} tokens away, only {' and '.join(best)} find the answer"
        if best
        else "No model finds it"
    )
    headline(fig, title)
    return (
        fig,
        f"{title}. Right answers by distance. {'; '.join(told)}. Without the answer: {without.mean():.0f}%.",
    )
