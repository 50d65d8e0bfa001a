"""The scores and the error analysis of predictions, collected one by one.

Little is kept in memory: a few numbers and categories for each question, or each example's label and answer.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from .error_analysis import Table, question_kinds, question_tables
from .squad_score import best_threshold, exact_match_and_f1, gold_answers, mean_scores

if TYPE_CHECKING:
    from ..readers.squad import QAExample
    from .base import Task
    from .qa import QA
    from .records import Prediction

GOLD = {"label", "tags"}  # the fields of an example that are needed for scoring


class Evaluation:
    """The scores and error tables of a task's predictions for a labelled file."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.examples: list[Any] = []  # without their texts
        self.answers: list[Any] = []

    def add(self, example: Any, prediction: Any) -> dict[str, Any]:
        """Add a labelled example and its prediction, and return both as a dict of plain values."""
        self.examples.append(without_texts(example))
        self.answers.append(prediction)
        return {**asdict(example), "answer": prediction}

    def scores(self) -> dict[str, float]:
        return {name: float(score) for name, score in self.task.metric(self.examples, self.answers).items()}

    def tables(self) -> list[Table]:
        return self.task.errors(self.examples, self.answers)


def without_texts(example: Any) -> Any:
    """Return a copy of an example without its texts, which scoring does not need."""
    texts = {
        name: value
        for name, value in vars(example).items()
        if isinstance(value, str | list) and name not in GOLD
    }
    return replace(example, **{name: type(value)() for name, value in texts.items()})


class QuestionEvaluation(Evaluation):
    """An evaluation of question answering by exact match and F1, with tables by type of question and answer.

    If questions may have no answer, it also has the best scores over all thresholds.
    """

    task: QA

    def __init__(self, task: QA) -> None:
        super().__init__(task)
        self.kinds: list[dict[str, str]] = []  # of each question
        self.pairs: list[tuple[float, float]] = []  # (exact match, F1) of each answer
        self.best_pairs: list[tuple[float, float]] = []  # (exact match, F1) of each best non-empty answer
        self.answerable: list[bool] = []
        self.null_odds: list[float] = []

    def add(self, example: QAExample, prediction: Prediction) -> dict[str, Any]:
        gold = gold_answers(example)
        exact, f1 = exact_match_and_f1(prediction.text, gold)
        kinds = question_kinds(example.question, example.answers[0][0] if example.answers else "")
        self.kinds.append(kinds)
        self.pairs.append((exact, f1))
        self.best_pairs.append(exact_match_and_f1(prediction.best_text, gold))
        self.answerable.append(bool(example.answers))
        self.null_odds.append(prediction.null_odds)
        return {
            "id": example.id,
            "question": example.question,
            "answers": [text for text, _ in example.answers],
            "answer": prediction.text,
            "exact match": exact,
            "F1": f1,
            "null odds": prediction.null_odds,
            **{title.lower(): kind for title, kind in kinds.items()},
        }

    def scores(self) -> dict[str, float]:
        scores = mean_scores(self.pairs, self.answerable)
        if self.task.unanswerable:
            for i, name in enumerate(("exact match", "F1")):
                best, threshold = best_threshold(
                    [pair[i] for pair in self.best_pairs], self.answerable, self.null_odds
                )
                scores |= {f"best {name}": best, f"best {name} threshold": threshold}
        return scores

    def tables(self) -> list[Table]:
        return question_tables(self.kinds, self.pairs)
