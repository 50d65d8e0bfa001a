"""The small models of the stored table, each next to its control."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from minibert.course import tables
from minibert.course.widgets.tables import score_table
from minibert.course.widgets.view import View
from minibert.readers.wording import with_minus

from .chart import MISSING, Small, stored_models

NOISE = 3.0  # points: 2 standard errors of a difference on 600 reviews of which 14% are answered differently
AIM = 3.0  # points that half of the layers may cost
HALF, ALL, ORIGINAL = "3 of 6 layers, ", ", all reviews", "original"
HEADS = "question", "points", "verdict", "small model", "compared with"


class Pair(NamedTuple):
    """A question, and the names of the two models that answer it."""

    question: str
    small: str
    control: str


PAIRS = (
    Pair("Does the teacher help?", f"{HALF}soft targets", f"{HALF}labels only"),
    Pair("… with more reviews?", f"{HALF}soft targets{ALL}", f"{HALF}labels only{ALL}"),
    Pair("Do hidden states help?", f"{HALF}PKD", f"{HALF}soft targets"),
    Pair("Does replacing help?", f"{HALF}Theseus", f"{HALF}labels only"),
    Pair("Does the choice of heads matter?", "40% of heads, by importance", "40% of heads, at random"),
    Pair(
        "… after training?",
        "40% of heads, by importance, then trained",
        "40% of heads, at random, then trained",
    ),
    Pair("What do 8 bits cost?", "8 bits in ONNX Runtime", "32 bits in ONNX Runtime"),
)


def controls(models: Mapping[str, Small] | None = None) -> View:
    """Show the difference between small models and their controls, and whether they are separated.

    models: by name, by default those of the stored table; pairs of which one is missing are left out.
    """
    try:
        times = tables.stored("small_berts")["latency"]["models"]["40% of heads"]
        models = {one.name: one for one in stored_models()} if models is None else models
    except FileNotFoundError:
        return View(f"<p>{MISSING}</p>")
    rows = [
        (pair.question, *verdict(models[pair.small], models[pair.control]), pair.small, pair.control)
        for pair in PAIRS
        if pair.small in models and pair.control in models
    ]
    half = next(
        models[name] for name in (f"{HALF}soft targets{ALL}", f"{HALF}soft targets") if name in models
    )
    missing = models[ORIGINAL].score - half.score
    said = (
        f"<p>Our aim was that half of the layers cost at most {AIM:g} points. “{half.name}” is {missing:.1f} "
        f"points below the original: {'reached' if missing <= AIM else 'missed'}.</p>"
        "<p>Times depend on the use: without 40% of the heads, one text is answered "
        f"{times['one']['times faster'][0]:.1f} times as fast as by the original, and a batch of eight "
        f"{times['batch']['times faster'][0]:.1f} times.</p>"
    )
    return View(score_table(HEADS, rows) + said)


def verdict(small: Small, control: Small) -> tuple[str, str]:
    """Return the difference in points, and whether it is more than chance: on all seeds, and above NOISE.

    >>> few, many = Small("few", "pruned", [80.0, 84.0], 1, None), Small("many", "control", [88.0], 2, None)
    >>> verdict(few, many), verdict(few, many._replace(test=[83.0]))
    (('−6.0', 'below on every seed'), ('−1.0', 'not separated'))
    """
    gap = float(np.mean(small.test) - np.mean(control.test))
    overlap = min(small.test) <= max(control.test) and min(control.test) <= max(small.test)
    told = (
        "not separated" if overlap or abs(gap) < NOISE else f"{'above' if gap > 0 else 'below'} on every seed"
    )
    return with_minus(gap, "{:+.1f}"), told
