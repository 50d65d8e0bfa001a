"""Weights rounded to fewer and fewer bits, while the model fills gaps."""

from collections.abc import Callable
from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np

from minibert.course.widgets.guess_then_see import GuessBars
from minibert.course.widgets.plots import NAME_SIZE, plain
from minibert.course.widgets.tables import score_table
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import BLUE, VERMILLION, Controls, Drawing, figure, panels
from minibert.model.checkpoints.few_bits import largest_multiple
from minibert.model.checkpoints.pretrained import Pretrained

from . import ours
from .chart import PANEL
from .exam import Exam, first_matrix, in_groups, parameters, with_encoder, with_fewer_bits
from .gaps import fills_html

WHOLE = {"description_width": "initial"}  # of a long name
BITS = 8, 6, 5, 4, 3, 2
SHARED = {"matrix": 0, "row": None, "128 weights": 128}  # which weights share a step


def fewer_bits(model: Pretrained, rounded: Callable[[Any, Any, int], Any]) -> Controls:
    """Show the model's words and its weights at fewer and fewer bits, and the scores of all tried settings.

    rounded: the student's function.
    """
    rounding, said = either(rounded, ours.rounded)
    exam, weights = Exam(model), first_matrix(model)
    tried: dict[tuple[int, str], float] = {}

    @cache
    def measured(bits: int, shared: str) -> tuple[Pretrained, float]:
        small = with_fewer_bits(model, bits, SHARED[shared], rounding)
        return small, exam.score(small)

    whole = exam.score(with_encoder(model, model.encoder))

    def draw(bits: int, shared: str) -> str:
        small, score = measured(bits, shared)
        tried[bits, shared] = score
        group = SHARED[shared]
        sharing = weights.size if group == 0 else group or weights.shape[1]
        size = ours.megabytes(parameters(small.model), bits + 32 / sharing)
        before = ours.megabytes(parameters(small.model), 32)
        title = (
            f"{bits} bits, one step per {shared}: {score:.0f}% of {exam.count} masked tokens right "
            f"(32 bits: {whole:.0f}%), {size:.0f} of {before:.0f} MB"
        )
        below = fills_html(model, small) + score_table(*tried_so_far(tried)) + f"<p><small>{said}</small></p>"
        return panels(title, *histograms(weights, bits, group, rounding)) + below

    return Controls(
        draw,
        bits=widgets.Dropdown(options=BITS, description="Bits"),
        shared=widgets.Dropdown(options=list(SHARED), description="One step per", style=WHOLE),
    )


def tried_so_far(scores: dict[tuple[int, str], float]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the heads and the rows of a table of scores by (bits, shared), with gaps for missing ones."""
    rows = [
        (
            f"one step per {shared}",
            *(f"{scores[at]:.0f}%" if (at := (bits, shared)) in scores else "?" for bits in BITS),
        )
        for shared in SHARED
    ]
    return ["masked tokens right", *(f"{bits} bits" for bits in BITS)], rows


def histograms(
    weights: np.ndarray, bits: int, group: int | None, rounding: Callable
) -> tuple[Drawing, Drawing]:
    """Draw the first weights of a matrix that share a step, before and after they are rounded."""
    rows = in_groups(weights, group)
    largest = np.abs(rows).max(axis=1, keepdims=True)
    values, counts = np.unique(np.round(rounding(rows[:1], largest[:1], bits), 6), return_counts=True)
    first, zeros = rows[0], float((rounding(rows, largest, bits) == 0).mean())
    (fig, left), (rounded, right) = figure(2.7, PANEL), figure(2.7, PANEL)
    end = 1.05 * np.abs(first).max()
    for ax in (left, right):
        ax.set(xlim=(-end, end), yscale="log", ylabel="weights (logarithmic)")
        plain(ax)
    heights, edges = np.histogram(first, bins=min(81, first.size))
    some = heights > 0
    left.bar(
        edges[:-1][some], heights[some] - 0.5, np.diff(edges)[some], bottom=0.5, align="edge", color=BLUE
    )
    left.set_xlabel(f"{first.size:,} weights that share a step")
    right.vlines(values, 0.5, counts, color=VERMILLION, linewidth=2)
    used = f"after rounding: {len(values)} of {2 * largest_multiple(bits) + 1} values used"
    right.set_xlabel(used)
    said = f"{zeros:.0%} of the matrix\nare 0 now"
    right.annotate(said, (0.98, 0.85), xycoords="axes fraction", ha="right", fontsize=NAME_SIZE)
    return (
        (fig, f"Histogram of {first.size:,} weights, from {first.min():.2f} to {first.max():.2f}."),
        (rounded, f"Histogram {used}; {zeros:.0%} of the matrix are 0."),
    )


def guess_bits(model: Pretrained) -> GuessBars:
    """Ask how many masked tokens remain right if all weights of a matrix share one step."""
    exam = Exam(model)

    @cache
    def scores() -> list[int]:
        return [round(exam.score(with_fewer_bits(model, bits, 0, ours.rounded))) for bits in BITS]

    whole = exam.score(with_encoder(model, model.encoder))
    return GuessBars(
        f"With 32 bits, {whole:.0f}% of {exam.count} masked tokens are right. Each matrix is rounded with a "
        "single step. How many are right with fewer bits?",
        [f"{bits} bits" for bits in BITS],
        scores,
        top=40,
        within=6,
        axis="masked tokens right",
        unit="%",
        see=lambda: "<p>The largest weight of a matrix decides the step for all of its weights.</p>",
    )
