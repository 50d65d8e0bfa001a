"""Show many runs of one model: strips of scores, runs stopped early, and Hyperband's plan.

Each function returns (Figure, description). Bands over a few seeds are in `widgets.seeds`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from minibert.course.widgets.plots import NAME_SIZE, headline, plain
from minibert.course.widgets.view import BLUE, GREEN, VERMILLION, Drawing, figure

SPREAD = 0.36  # how far dots are spread to either side, as a share of a row's height
LANES = 7  # lanes of dots, so that equal scores do not hide each other


def score_strips(
    rows: Mapping[str, ArrayLike],
    xlabel: str,
    title: str,
    failed_at: float | None = None,
    marked: Mapping[str, Sequence[tuple[float, str]]] | None = None,
) -> Drawing:
    """Plot each run's score as a dot, in one row per name, with crosses for failed runs.

    rows: maps names to scores, in arrays of any shape. failed_at: a score, shown as a dashed line; runs with
    this score or a lower one have failed. marked: maps the name of a row to its marks, pairs (score, label).
    """
    fig, ax = figure(1.0 + 0.75 * len(rows))
    told = []
    for row, (name, values) in enumerate(rows.items()):
        scores = np.sort(np.asarray(values, float).ravel())
        at = row + SPREAD * (2 * (np.arange(len(scores)) % LANES) / (LANES - 1) - 1) * 0.8
        bad = np.zeros(len(scores), bool) if failed_at is None else scores <= failed_at
        ax.plot(scores[~bad], at[~bad], "o", color=BLUE, markersize=4, alpha=0.55)
        ax.plot(scores[bad], at[bad], "x", color=VERMILLION, markersize=5)
        ax.plot([scores.mean()] * 2, [row - 0.32, row + 0.42], color="black", linewidth=1.5)
        for score, label in (marked or {}).get(name, ()):
            ax.annotate(
                label,
                (score, row - 0.36),
                (0, 4),
                textcoords="offset points",
                ha="center",
                fontsize=NAME_SIZE,
            )
            ax.plot(score, row - 0.36, "v", color=GREEN, markersize=5)
        told.append(
            f"{name}: {len(scores)} runs from {scores[0]:.1f} to {scores[-1]:.1f}, "
            f"mean {scores.mean():.1f}" + (f", {bad.sum()} failed" if failed_at is not None else "")
        )
    if failed_at is not None:
        ax.axvline(failed_at, color=VERMILLION, linestyle=(0, (4, 3)), linewidth=1)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(len(rows) - 0.4, -0.75)
    crosses = "; a cross: failed" if failed_at is not None else ""
    ax.set_xlabel(f"{xlabel} (a dot: a run; a line: the mean{crosses})")
    plain(ax)
    headline(fig, title)
    return fig, f"{title} {xlabel}. {'; '.join(told)}."


def stopped_runs(
    curves: np.ndarray,
    stop: int,
    kept: Sequence[int],
    best: int,
    x: ArrayLike,
    xlabel: str,
    ylabel: str,
    title: str,
) -> Drawing:
    """Plot the scores of stopped runs up to the stop, of continued runs, and of the chosen run.

    curves: scores (t, E). stop: the evaluation, counted from 1, at which all runs except `kept` are stopped.
    best: the run in `kept` that is chosen. x: the positions of the evaluations on the x axis, (E,).
    """
    fig, ax = figure(3.6)
    places = np.asarray(x, float)
    for run, scores in enumerate(curves):
        if run in kept:
            chosen = run == best
            ax.plot(places, scores, color=GREEN if chosen else BLUE, linewidth=2.5 if chosen else 1)
        else:
            ax.plot(places[:stop], scores[:stop], color=VERMILLION, linewidth=0.8, alpha=0.6)
            ax.plot(places[stop - 1], scores[stop - 1], "x", color=VERMILLION, markersize=4)
    ax.axvline(places[stop - 1], color="black", linestyle=(0, (4, 3)), linewidth=1)
    ax.annotate(
        "chosen",
        (places[-1], curves[best, -1]),
        (6, 0),
        textcoords="offset points",
        va="center",
        fontsize=NAME_SIZE,
        annotation_clip=False,
    )
    ax.set(xlabel=f"{xlabel} (a cross: stopped; the thick line: chosen)", ylabel=ylabel)
    plain(ax)
    headline(fig, title)
    return fig, (
        f"{title} {ylabel} over {xlabel}: {len(curves)} runs, {len(kept)} continue after evaluation "
        f"{stop}; the chosen one ends at {curves[best, -1]:.1f}."
    )


def brackets(plan: Sequence[Sequence[tuple[int, float]]], title: str) -> Drawing:
    """Draw Hyperband's plan with a panel for each bracket and a bar for each round, as long as its steps.

    plan: for each bracket, a list of rounds (number of runs, steps of each run so far), as returned by
    `hyperband_brackets`.
    """
    fig, axes = figure(2.6, ncols=len(plan), squeeze=False, sharex=True)
    for number, (ax, rounds) in enumerate(zip(axes[0], plan), 1):
        ends = [0.0, *(steps for _, steps in rounds)]
        for row, (count, steps) in enumerate(rounds):
            ax.barh(
                row, steps - ends[row], left=ends[row], color=BLUE, height=0.12 + 0.75 * count / plan[0][0][0]
            )
            ax.annotate(
                f"{count}",
                (ends[row], row),
                (-4, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                fontsize=NAME_SIZE,
            )
        ax.set_ylim(max(len(one) for one in plan) - 0.5, -0.5)
        ax.set_xlim(-0.12 * plan[0][-1][1], 1.02 * plan[0][-1][1])
        ax.set_yticks([])
        ax.set(xlabel="steps (a number: runs)" if number == 1 else "steps", title=f"bracket {number}")
        ax.title.set_fontsize(NAME_SIZE + 1)
        plain(ax)
    headline(fig, title)
    told = "; ".join(
        f"bracket {number}: " + ", ".join(f"{count} runs until step {steps:g}" for count, steps in rounds)
        for number, rounds in enumerate(plan, 1)
    )
    return fig, f"{title} {told}."
