"""Draw the curves of a training run, from its log or while it is running."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np
from IPython import get_ipython
from IPython.display import display
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .plots import LINES, headline, name_lines, plain, stretch
from .view import Drawing, View, figure, figure_html

DRAWING = 1 / 15  # the largest share of the time that drawing may take
POINTS = 100  # the most points of a curve; a longer log is drawn as means over neighbouring steps


def training_curves(
    log: Sequence[Mapping[str, Any]],
    title: str = "The loss of each step, and the learning rate",
    reachable: float | None = None,
) -> Drawing:
    """Draw the losses and the learning rate of each step in a training log.

    log: one dict for each step, as returned by `train` or `read_log`, with the keys step, loss, rate, tokens,
    seconds and one for each term of the loss. reachable: the lowest loss that the data allows, if known.
    Returns (Figure, description). Raises ValueError for an empty log, or for more than three terms.
    """
    if not log:
        raise ValueError("the log is empty; it needs at least one step")
    names = [name for name in log[0] if name not in ("step", "loss", "rate", "tokens", "seconds")]
    names = ["loss", *names] if len(names) > 1 else ["loss"]
    if len(names) > len(LINES):
        raise ValueError(f"a panel has {len(names)} lines, but at most {len(LINES)} can be distinguished")
    groups = np.array_split(np.arange(len(log)), min(POINTS, len(log)))

    def means(name):
        return [float(np.mean([log[i][name] for i in group])) for group in groups]

    fig, (left, right) = figure(3.1, ncols=2)
    for (color, _, dash), name in zip(LINES, names):
        left.plot(means("step"), means(name), dash, color=color, label=name)
    if reachable is not None:
        left.axhline(reachable, color="black", linestyle=(0, (1, 3)), label="reachable")
    left.set(xlabel="step", ylabel="loss")
    right.plot(means("step"), means("rate"), "-", color=LINES[0][0])
    right.set(xlabel="step", ylabel="learning rate", ylim=(0, None))
    for ax in (left, right):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        plain(ax)
    ends = [(name, log[-1]["step"], means(name)[-1]) for name in names]
    ends += [] if reachable is None else [("reachable", log[-1]["step"], reachable)]
    name_lines(left, ends if len(ends) > 1 else [])
    headline(fig, title)
    told = ", ".join(f"{name} from {means(name)[0]:.3g} to {means(name)[-1]:.3g}" for name in names)
    bound = "" if reachable is None else f"; reachable {reachable:.3g}"
    return fig, (
        f"{title}. Steps {log[0]['step']} to {log[-1]['step']}: {told}{bound}; "
        f"the learning rate ends at {log[-1]['rate']:.2g}."
    )


def mean_loss(log: Sequence[Mapping[str, Any]], steps: int = 50) -> float:
    """Return the mean loss of the last `steps` steps in a training log."""
    return float(np.mean([entry["loss"] for entry in log[-steps:]]))


class LiveCurve:
    """A curve that grows while a model trains: `train(..., progress=LiveCurve(...))`.

    The last drawing stays in the notebook. Outside a notebook, nothing is displayed. value: computes the
    number to draw from the log so far (a list of dicts, as returned by `train`); it is called every `every`
    steps and at the end of a run. lines: the y values of horizontal lines by name, such as the best reachable
    score. over: "steps", or "tokens" for the number of tokens read. limits: a range (low, high) that the y
    axis must include. pause: the minimum time between drawings, in seconds.

    Consecutive runs (phases) continue the same curve. `line` starts a new curve; there can be at most four.
    """

    def __init__(
        self,
        ylabel: str = "loss",
        value: Callable[[list[dict[str, Any]]], float] = mean_loss,
        *,
        every: int = 25,
        lines: Mapping[str, float] | None = None,
        over: str = "steps",
        limits: tuple[float, float] | None = None,
        pause: float = 0.7,
    ) -> None:
        self.ylabel, self.value, self.every, self.lines = ylabel, value, every, lines or {}
        self.over, self.limits, self.pause = over, limits, pause
        self.curves: dict[str, list[tuple[float, float]]] = {}
        self.before: list[dict[str, Any]] = []
        self.log: list[dict[str, Any]] = []
        self.due, self.cell, self.live = 0.0, None, False

    def line(self, name: str) -> None:
        """Start a new curve for subsequent runs; raise ValueError for a fifth curve."""
        if len(self.curves) == len(LINES):
            raise ValueError(
                f"{name!r} would be line {len(LINES) + 1}, but at most {len(LINES)} can be distinguished"
            )
        self.curves[name], self.before = [], []

    def begin(self, log: list[dict[str, Any]]) -> None:
        """Start a run, or a phase of one, whose entries will be added to `log`."""
        if not self.curves:
            self.line(self.ylabel)
        self.log = log
        self.show()

    def update(self) -> None:
        """Add a point and redraw the curve, each only when due. Training calls this after each step."""
        if len(self.log) % self.every == 0:
            self.measure()
            if time.monotonic() > self.due:
                self.show()

    def end(self) -> None:
        """Finish the run, or a phase of one, and make the drawing a permanent part of the notebook."""
        if len(self.log) % self.every:
            self.measure()
        self.before, self.log = [*self.before, *self.log], []
        self.show()
        if self.live:
            self.handle.update(View(self.widget.value))
            self.live = False

    def measure(self) -> None:
        """Compute the number to draw from the log so far, and add it to the current curve."""
        log = [*self.before, *self.log]
        x = len(log) if self.over == "steps" else sum(entry["tokens"] for entry in log)
        list(self.curves.values())[-1].append((x, self.value(log)))

    def show(self) -> None:
        """Display the curves so far if the code runs in a notebook."""
        began, shell = time.monotonic(), get_ipython()
        if not hasattr(shell, "kernel"):
            return
        content = figure_html(*self.draw())
        if self.cell != shell.execution_count:  # a run that continues in another cell is shown there
            self.cell, self.widget = shell.execution_count, widgets.HTML(content)
            self.handle = display(self.widget, display_id=True)
        elif not self.live:
            self.handle.update(self.widget)
        self.live, self.widget.value = True, content
        now = time.monotonic()
        self.due = now + max(self.pause, (now - began) / DRAWING)

    def draw(self) -> Drawing:
        """Return (Figure, description) of all curves so far."""
        fig, ax = figure(3.4)
        for (color, _, dash), points in zip(LINES, self.curves.values()):
            ax.plot(*np.array(points or [(np.nan, np.nan)]).T, dash, color=color)
        for place, height in enumerate(self.lines.values()):
            ax.axhline(height, color="black", linewidth=1, linestyle=((0, (1, 3)), (0, (6, 3)))[place % 2])
        ax.set(xlabel=UNITS[self.over], ylabel=self.ylabel, xlim=(0, None))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        if self.limits:
            stretch(ax, *self.limits)
        plain(ax)
        ends = self.ends()
        right = ax.get_xlim()[1]
        across = [(f"{name} {self.written(height)}", right, height) for name, height in self.lines.items()]
        name_lines(ax, [*ends * (len(self.curves) > 1), *across])
        headline(fig, title := self.title())
        told = "".join(f" {name}: {self.written(height)}." for name, height in self.lines.items())
        return fig, f"{title}. Curve over {UNITS[self.over]}.{told}"

    def written(self, value: float) -> str:
        """Format a y value: a percentage as an integer, other values with up to two decimals."""
        if self.ylabel.endswith("%"):
            return f"{value:.0f}%"
        return f"{value:,.{2 if abs(value) < 10 else 1 if abs(value) < 100 else 0}f}"

    def ends(self) -> list[tuple[str, float, float]]:
        """Return (name, x, y) of the last point of each curve that has points."""
        return [(name, *points[-1]) for name, points in self.curves.items() if points]

    def title(self) -> str:
        """Return a title with the current values of the curves."""
        ends = self.ends()
        if not ends:
            return f"{self.ylabel}: starting"
        what = self.ylabel.removesuffix(", %")
        if len(self.curves) == 1:
            return f"After {ends[0][1]:,} {self.over}, {what}: {self.written(ends[0][2])}"
        told = ", ".join(f"{name} {self.written(y)}" for name, _, y in ends)
        return f"{what[:1].upper()}{what[1:]} at the end: {told}"


UNITS = {"steps": "step", "tokens": "tokens read"}
