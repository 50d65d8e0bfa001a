"""What a score hides: a filter that reads nothing, and correlations that overlook a shift."""

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import numpy as np

from minibert.tasks import metrics

from ...widgets.guess_then_see import GuessChoice
from ...widgets.scores import leaderboard
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import PANELS, Controls, View

METRICS = ["accuracy", "F1 of good", "F1 of spam", "macro F1", "Matthews"]
EMAILS = 1000
NAMES = "spam", "good"  # of the labels 0 and 1


def our_confusion(labels: list[int], answers: list[int]) -> list[list[int]]:
    counts = [[0, 0], [0, 0]]
    for label, answer in zip(labels, answers):
        counts[label][answer] += 1
    return counts


def all_scores(gold: Any, answers: Any) -> list[float]:
    """Return the score of each of the METRICS, from 0 (Matthews: -100) to 100."""
    values = (
        metrics.accuracy(gold, answers),
        metrics.f1(gold, answers, 1),
        metrics.f1(gold, answers, 0),
        metrics.macro_f1(gold, answers),
        metrics.matthews(gold, answers),
    )
    return [100 * value for value in values]


def two_filters(share: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels of EMAILS emails, `share` % of them good, and the answers of two filters by name."""
    gold = (np.arange(EMAILS) < EMAILS * share // 100).astype(int)
    fooled = np.arange(EMAILS) % 5 == 0  # every fifth email, of both kinds
    return gold, {"always “good”": np.ones(EMAILS, int), "80% of each kind": gold ^ fooled}


def guess_useless() -> GuessChoice:
    """Ask which metric praises a filter that says “good” to everything."""
    gold, answers = two_filters(95)
    scores = dict(zip(METRICS, all_scores(gold, answers["always “good”"])))

    def see() -> str:
        return score_table(["metric", "score"], list(scores.items())) + (
            "<p>It never says “spam”: the precision of spam is 0/0, and so is Matthews. Both count as 0.</p>"
        )

    return GuessChoice(
        "95% of the emails are good, and the filter says “good” to all. Which score is the highest?",
        ["accuracy", "F1 of good", "macro F1", "Matthews"],
        lambda: max(scores, key=lambda name: scores[name]),
        see=see,
    )


def filters(confusion: Callable) -> Controls:
    """Compare two filters, with the student's function for the counts."""
    used, said = either(confusion, our_confusion)

    def counts_html(name: str, gold: np.ndarray, answers: np.ndarray) -> str:
        counts = used(gold.tolist(), answers.tolist())
        rows = [[f"it is {NAMES[label]}", *map(str, counts[label])] for label in (1, 0)]
        table = score_table(["", *(f"answer: {name}" for name in NAMES)], rows)
        return f"<div><b>{name}</b>, of {EMAILS:,} emails:{table}</div>"

    def draw(share: int) -> str:
        gold, answers = two_filters(share)
        scores = {name: all_scores(gold, given) for name, given in answers.items()}
        won = [metric for metric, a, b in zip(METRICS, *scores.values()) if a > b]
        winner = ", ".join(won) or "no metric"
        result = f"With {share}% good emails, the filter that reads nothing wins on: {winner}."
        tables = "".join(counts_html(name, gold, given) for name, given in answers.items())
        return (
            f"{leaderboard(METRICS, scores, result, head='filter')}<p><small>{said}</small></p>"
            f'<div style="{PANELS}">{tables}</div>'
        )

    return Controls(
        draw, share=widgets.IntSlider(60, min=50, max=99, description="% good", continuous_update=False)
    )


def correlations() -> View:
    """Compare Pearson and Spearman for answers that are wrong in three ways."""
    gold: Any = np.linspace(0, 5, 50)
    wrong = {
        "each too high by 2": gold + 2,
        "right answers cubed": gold**3,
        "one number for all (0/0, counted as 0)": 0 * gold,
    }
    rows = [
        [name, metrics.pearson(gold, given), metrics.spearman(gold, given), np.abs(gold - given).mean()]
        for name, given in wrong.items()
    ]
    return View(
        score_table(
            ["answers", "Pearson", "Spearman", "mean error"],
            [[name, *(f"{number:.2f}" for number in numbers)] for name, *numbers in rows],
        )
    )
