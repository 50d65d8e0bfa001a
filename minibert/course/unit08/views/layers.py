"""BERT's outputs as fixed features: the six ways of the paper, and what was measured here."""

from collections import defaultdict

import numpy as np

from minibert.analysis.layers import combine_layers
from minibert.course.tables import stored
from minibert.finetuning.features import LAYERS

from ...widgets.plots import headline, plain
from ...widgets.tables import score_table
from ...widgets.view import BLUE, GREY, View, drawing_html, figure

PAPER = {  # Devlin et al. (2019), table 7: dev F1 on CoNLL-2003
    "fine-tuning": 96.4,
    "concat-last-four": 96.1,
    "sum-last-four": 95.9,
    "second-to-last": 95.6,
    "sum-all": 95.5,
    "last": 94.9,
    "embeddings": 91.0,
}
NAMED = {"full": "fine-tuning", "frozen": "linear head on last"}


def measured() -> dict[str, list[float]]:
    """Return the F1 of each way for each run of `benchmarks/feature_based.py`."""
    found: dict[str, list[float]] = defaultdict(list)
    for run in sorted(stored("feature_based")["runs"], key=lambda run: run["seed"]):
        found[NAMED.get(run["way"], run["way"])].append(run["f1"])
    return dict(found)


def features() -> View:
    """Show F1 with features and with fine-tuning, in the paper and in our runs."""
    ours = measured()
    order = [*PAPER, NAMED["frozen"]]
    fig, ax = figure(0.9 + 0.36 * len(order), 8.0)
    for place, name in enumerate(order):
        if name in PAPER:
            ax.plot(PAPER[name], place, "D", color=GREY, markersize=7)
        ax.plot(ours[name], [place] * len(ours[name]), "o", color=BLUE, markersize=5)
    ax.set_yticks(range(len(order)), order)
    ax.invert_yaxis()
    ax.set(xlabel="F1 (the axis does not begin at 0)")
    plain(ax)
    best = max(ours, key=lambda name: float(np.mean(ours[name])))
    title = f"Highest mean of our {len(ours['fine-tuning'])} runs: {best}; in the paper: fine-tuning"
    headline(fig, title)
    told = "; ".join(f"{name}: {', '.join(f'{x:.1f}' for x in ours[name])}" for name in order)
    note = "<p>Diamonds: the paper, table 7. Dots: our runs, each with its own pretrained encoder.</p>"
    return View(drawing_html((fig, f"{title}. {told}.")) + note)


def outputs() -> View:
    """Show which outputs of a model with three layers each way reads."""
    layers = np.random.default_rng(0).normal(size=(4, 5, 128))  # (L + 1, T, D): L = 3 layers, T = 5 tokens
    rows = [
        (way, ", ".join(map(str, range(4)[places])), str(combine_layers(layers, way).shape[-1]))
        for way, places in LAYERS.items()
    ]
    return View(score_table(["way", "reads outputs", "numbers per token"], rows))
