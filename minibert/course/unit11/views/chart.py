"""The chart of the lesson: score against size and against measured latency, within a budget."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator

from minibert.course import tables
from minibert.course.unit10.experiments.verdict import mean_and_range
from minibert.course.widgets.plots import NAME_SIZE, plain
from minibert.course.widgets.tables import score_table
from minibert.course.widgets.view import (
    BLUE,
    GREEN,
    GREY,
    PURPLE,
    VERMILLION,
    Controls,
    Drawing,
    View,
    figure,
    panels,
)

PANEL = 4.8  # inches, the width of one of two panels

LOOKS = {  # way -> (colour, marker)
    "original": ("black", "*"),
    "control": (GREY, "o"),
    "distilled": (BLUE, "o"),
    "quantised": (GREEN, "s"),
    "pruned": (VERMILLION, "^"),
    "replaced": (PURPLE, "D"),
}
WAYS = {"off the shelf": "control"}  # way in the table -> way in the chart, if they differ
ALL, ALWAYS = "all ways", ("original", "control")  # ALWAYS: shown next to each other way
HEADS = "model, highest test accuracy first", "way", "test accuracy, %", "MB", "ms (quartiles)"
TICKS = 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100
MISSING = "The measurements are not stored here. <code>python benchmarks/small_berts.py</code> makes them."
RANGE = 20  # points of accuracy below the best that are drawn
NEAR = 0.05, 0.05  # shares of the axes: points that are closer have one label
ANY = 1.3  # times the slowest model: the end of the slider, which means any time


class Small(NamedTuple):
    """A model of the stored table.

    test: scores in percent, one for each seed. milliseconds: median and quartiles, or None if not measured.
    """

    name: str
    way: str
    test: Sequence[float]
    megabytes: float
    milliseconds: tuple[float, float, float] | None

    @property
    def score(self) -> float:
        return float(np.mean(self.test))

    def fits(self, megabytes: float, milliseconds: float | None) -> bool:
        """Return whether the model is within a budget. milliseconds: None for no limit."""
        times = self.milliseconds
        return self.megabytes <= megabytes and (
            milliseconds is None or times is not None and times[0] <= milliseconds
        )

    def row(self, number: int) -> tuple[str, ...]:
        times = self.milliseconds
        if times is None:
            told = "not measured"
        else:
            told = "{:.1f}".format(*times) + " ({1:.1f} to {2:.1f})".format(*times) * (times[1] < times[2])
        return f"{number} · {self.name}", self.way, mean_and_range(self.test), f"{self.megabytes:.1f}", told


def chart(models: Sequence[Small] | None = None) -> Controls | View:
    """Let the student set a budget, and draw all models; those within the budget are filled and listed.

    models: by default, those of the stored table. If there is no table, return a sentence that says so.
    """
    if models is None:
        try:
            models = stored_models()
        except FileNotFoundError:
            return View(f"<p>{MISSING}</p>")
    models = sorted(models, key=lambda one: -one.score)
    most = int(max(one.megabytes for one in models)) + 1
    end = math.ceil(ANY * max(one.milliseconds[0] for one in models if one.milliseconds))

    def draw(megabytes: float, milliseconds: float, way: str) -> str:
        limit = None if milliseconds == end else milliseconds
        shown = {i: one for i, one in enumerate(models, 1) if way in (ALL, one.way) or one.way in ALWAYS}
        inside = {i: one for i, one in shown.items() if one.fits(megabytes, limit)}
        budget = f"{megabytes} MB and {'any time' if limit is None else f'{limit:g} ms'}"
        title = f"{len(inside)} of {len(shown)} models fit {budget}"
        outside = {i: one for i, one in shown.items() if i not in inside}
        unknown = sum(one.fits(megabytes, None) and one.milliseconds is None for one in outside.values())
        below = listed(inside)
        if unknown:
            below += (
                f"<p>{unknown} models are small enough, but their time was not measured: no program here "
                "multiplies such weights without turning them back into 32 bits.</p>"
            )
        if outside:
            below += (
                f"<details><summary>Outside the budget: {len(outside)}</summary>{listed(outside)}</details>"
            )
        drawn = (
            scatter(shown, inside, *axis) for axis in (("megabytes", megabytes), ("milliseconds", limit))
        )
        return panels(title, *drawn) + below

    kinds = [ALL, *(way for way in LOOKS if any(one.way == way for one in models))]
    return Controls(
        draw,
        megabytes=widgets.IntSlider(most, 1, most, description="Megabytes", continuous_update=False),
        milliseconds=widgets.FloatSlider(
            end, min=1, max=end, step=0.5, description="Milliseconds", continuous_update=False
        ),
        way=widgets.Dropdown(options=kinds, description="Show"),
    )


def listed(models: dict[int, Small]) -> str:
    """Return models as a table, or "" if there are none."""
    return score_table(HEADS, [one.row(i) for i, one in models.items()]) if models else ""


def scatter(models: dict[int, Small], inside: dict[int, Small], field: str, limit: float | None) -> Drawing:
    """Draw test accuracy over a field, megabytes or milliseconds.

    models: by number. inside: the models within the budget, which are filled. limit: the budget, or None.
    """
    fig, ax = figure(4.6, PANEL)
    best = max(one.score for one in models.values())
    lowest = max(min(one.score for one in models.values()) - 2, best - RANGE)
    ax.set(ylim=(lowest, best + 2), xscale="log")
    ax.yaxis.set_major_locator(MultipleLocator(5))
    places, told = {}, []
    for i, one in models.items():
        value, (color, marker) = getattr(one, field), LOOKS[one.way]
        if value is None:
            continue
        x, *spread = value if isinstance(value, tuple) else (value,)
        ax.vlines(x, min(one.test), max(one.test), color=color, linewidth=1, alpha=0.6)
        if spread:
            ax.hlines(one.score, *spread, color=color, linewidth=1, alpha=0.6)
        fill = color if i in inside else "none"
        ax.plot(x, one.score, marker, color=color, markerfacecolor=fill, markersize=7, linestyle="")
        told.append(f"{one.name} {one.score:.1f}% at {x:.1f} {field}")
        places[i] = x, one.score
    if limit is not None:
        ax.axvline(limit, color="black", linewidth=1, linestyle=(0, (4, 3)))
    ticks = [tick for tick in TICKS if ax.get_xlim()[0] <= tick <= ax.get_xlim()[1]]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    below = [str(i) for i, (_, y) in places.items() if y < lowest]
    ax.set(
        xlabel=f"{field} (dashed: the budget)" if limit is not None else field,
        ylabel="test accuracy, %" + f" (not shown: {', '.join(below)})" * bool(below),
    )
    plain(ax)
    label(ax, {i: place for i, place in places.items() if place[1] >= lowest})
    points = [
        ax.plot([], [], marker, color=color, linestyle="", label=name)[0]
        for name, (color, marker) in LOOKS.items()
        if any(one.way == name for one in models.values())
    ]
    fig.legend(handles=points, loc="outside lower center", ncols=3, frameon=False, fontsize=NAME_SIZE)
    return fig, f"Test accuracy over {field}. {'; '.join(told)}."


def label(ax: Axes, places: dict[int, tuple[float, float]]) -> None:
    """Write the number of each point next to it, and those of points that are close in one label."""
    groups: list[tuple[np.ndarray, tuple[float, float], list[str]]] = []
    for number, place in places.items():
        at = (ax.transScale + ax.transLimits).transform(place)
        close = [numbers for where, _, numbers in groups if (np.abs(at - where) < NEAR).all()]
        if close:
            close[0].append(str(number))
        else:
            groups.append((at, place, [str(number)]))
    for _, place, numbers in groups:
        ax.annotate(", ".join(numbers), place, (6, 4), textcoords="offset points", fontsize=NAME_SIZE)


def stored_models() -> list[Small]:
    """Return the models of the stored table, each with the scores of all its seeds.

    The original in ONNX Runtime with 32 bits is added: it gives the same answers in another time.
    """
    table = tables.stored("small_berts")
    runs: dict[str, list[dict[str, Any]]] = {}
    for run in table["runs"]:
        runs.setdefault(run["name"], []).append(run)
    (original,), times = runs["original"], table["latency"]
    found = [
        Small(
            plain_name(name),
            WAYS.get(some[0]["way"], some[0]["way"]),
            [run["score"] for run in some],
            float(np.mean([run["megabytes"] for run in some])),
            spread(original["milliseconds"], some[0]["times faster"]),
        )
        for name, some in runs.items()
    ]
    onnx = times["models"]["ONNX Runtime"]["one"]["times faster"]
    size, time = times["megabytes"]["ONNX Runtime"], spread(original["milliseconds"], onnx)
    return [*found, Small("32 bits in ONNX Runtime", "control", [original["score"]], size, time)]


def spread(original: float, faster: Sequence[float] | None) -> tuple[float, float, float] | None:
    """Return median and quartiles of a model's milliseconds, from how many times it is faster.

    The ratios are of times that were measured in turns, so other programs hardly change them.
    """
    if faster is None:
        return None
    median, low, high = faster
    return original / median, original / high, original / low


def plain_name(name: str) -> str:
    """Return a name of the table in the words of the lesson."""
    return name.replace("int8", "8 bits").replace("scale", "step")
