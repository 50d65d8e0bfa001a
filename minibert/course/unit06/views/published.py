"""GLUE and SWAG as published: where BERT leads, and by how much."""

from typing import Any

import ipywidgets as widgets
import numpy as np

from minibert.readers.wording import with_minus
from minibert.tasks.metrics import spearman

from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import bars
from ...widgets.scores import gap_bars, leaderboard
from ...widgets.view import Controls, View, drawing_html, show

# Devlin et al. (2019), table 1: GLUE, test sets; the last row is the number of training examples.
TASKS = ["MNLI-m", "MNLI-mm", "QQP", "QNLI", "SST-2", "CoLA", "STS-B", "MRPC", "RTE"]
EXAMPLES: Any = np.array([392_000, 392_000, 363_000, 108_000, 67_000, 8_500, 5_700, 3_500, 2_500])
GLUE = {
    "Pre-OpenAI SOTA": [80.6, 80.1, 66.1, 82.3, 93.2, 35.0, 81.0, 86.0, 61.7],
    "BiLSTM+ELMo+Attn": [76.4, 76.1, 64.8, 79.8, 90.4, 36.0, 73.3, 84.9, 56.8],
    "OpenAI GPT": [82.1, 81.4, 70.3, 87.4, 91.3, 45.4, 80.0, 82.3, 56.0],
    "BERT-base": [84.6, 83.4, 71.2, 90.5, 93.5, 52.1, 85.8, 88.9, 66.4],
    "BERT-large": [86.7, 85.9, 72.1, 92.7, 94.9, 60.5, 86.5, 89.3, 70.1],
}
PRINTED = dict(zip(GLUE, [74.0, 71.0, 75.1, 79.6, 82.1]))  # the paper's last column, "Average"
# Devlin et al. (2019), table 4: accuracy on the test set.
SWAG = {
    "ESIM + GloVe": 52.7,
    "ESIM + ELMo": 59.2,
    "OpenAI GPT": 78.0,
    "BERT-large": 86.3,
    "a human expert": 85.0,
    "five humans": 88.0,
}
MANY, FEW = "those with more than 50,000 examples", "those with fewer than 10,000 examples"


def leads() -> Controls:
    """Show the points between two systems on each task, the most training examples first."""

    def draw(system: str, against: str) -> str:
        gaps = (np.array(GLUE[system]) - GLUE[against]).round(1)
        names = [f"{task} ({count / 1000:g}k)" for task, count in zip(TASKS, EXAMPLES)]
        title = f"{system} minus {against}: {with_minus(gaps.mean(), '{:+.1f}')} points on average"
        return drawing_html(gap_bars(names, gaps, "points", title))

    pick = {"options": list(GLUE), "layout": {"width": "300px", "max_width": "98%"}}
    return Controls(
        draw,
        system=widgets.Dropdown(value="BERT-base", description="System", **pick),
        against=widgets.Dropdown(value="OpenAI GPT", description="Minus", **pick),
    )


def guess_leads() -> GuessChoice:
    """Ask on which tasks BERT-base leads GPT by more points."""
    gaps: Any = np.array(GLUE["BERT-base"]) - GLUE["OpenAI GPT"]
    means = {MANY: gaps[EXAMPLES > 50_000].mean(), FEW: gaps[EXAMPLES < 50_000].mean()}

    def see() -> str:
        rows = {name: [*scores, PRINTED[name]] for name, scores in GLUE.items()}
        said = (
            f"BERT-base leads GPT by {means[FEW]:.1f} points where examples are few, by {means[MANY]:.1f} "
            f"where they are many (Spearman correlation {with_minus(spearman(EXAMPLES, gaps), '{:.2f}')})."
        )
        return leaderboard([*TASKS, "Average"], rows, said)

    return GuessChoice(
        "On which tasks of GLUE does BERT-base lead GPT by more points?",
        [MANY, FEW],
        lambda: max(means, key=lambda name: means[name]),
        see=see,
    )


def swag() -> View:
    """Show the published scores on SWAG."""
    lead = SWAG["BERT-large"] - SWAG["OpenAI GPT"]
    title = f"SWAG: BERT-large is {lead:.1f} points above GPT, and above one human expert"
    return show(*bars(list(SWAG), list(SWAG.values()), "accuracy in %", title, 3, "{:.1f}", 100))
