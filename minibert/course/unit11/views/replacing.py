"""BERT-of-Theseus: which modules are new at each step of training."""

import ipywidgets as widgets
import numpy as np
from matplotlib.patches import FancyBboxPatch

from minibert.course.widgets.plots import DARK, NAME_SIZE, headline, plain
from minibert.course.widgets.view import BLUE, ORANGE, SKY, Controls, Drawing, figure
from minibert.finetuning.compression.theseus import replacing_rate

STEPS, START, MODULES, SEED = 100, 0.3, 3, 4


def replacing() -> Controls:
    """Let the student move through training, and draw the rate and the modules of that step."""
    return Controls(
        modules_at,
        step=widgets.IntSlider(0, 0, int(1.2 * STEPS), description="Step", continuous_update=False),
    )


def modules_at(step: int) -> Drawing:
    """Draw the replacing rate over all steps, and which modules are replaced in one of them."""
    rate = replacing_rate(step, STEPS, START)
    new = np.random.default_rng((SEED, step)).random(MODULES) < rate
    title = f"Step {step}: a pair is replaced with probability {rate:.0%}; here, {new.sum()} of {MODULES} are"
    fig, (left, right) = figure(2.9, ncols=2)
    steps = range(int(1.2 * STEPS) + 1)
    left.plot(steps, [100 * replacing_rate(at, STEPS, START) for at in steps], color=BLUE)
    left.plot(step, 100 * rate, "o", color=BLUE, markersize=8)
    left.set(xlabel="step", ylabel="replacing rate, %", ylim=(0, 105))
    plain(left)
    for module, replaced in enumerate(new):
        for kind, lit in (("old", not replaced), ("new", replaced)):
            x = 3.0 * (kind == "new")
            names = (
                [f"new layer {module + 1}"] if kind == "new" else [f"layer {2 * module + i}" for i in (1, 2)]
            )
            for i, name in enumerate(names):
                height = (2 - 0.3) if kind == "new" else 0.8
                color = (ORANGE if kind == "new" else SKY) if lit else "none"
                right.add_patch(
                    FancyBboxPatch(
                        (x, 2.2 * module + i),
                        2.4,
                        height,
                        "round,pad=0.02,rounding_size=0.1",
                        facecolor=color,
                        edgecolor=DARK,
                        linestyle="-" if lit else ":",
                    )
                )
                right.text(
                    x + 1.2,
                    2.2 * module + i + height / 2,
                    name,
                    ha="center",
                    va="center",
                    fontsize=NAME_SIZE,
                    color=DARK if lit else "black",
                )
    right.set(xlim=(-0.2, 5.7), ylim=(-0.2, 2.2 * MODULES))
    right.axis("off")
    headline(fig, title)
    used = ", ".join(f"pair {i + 1} {'new' if replaced else 'old'}" for i, replaced in enumerate(new))
    return fig, f"{title}. {used}."
