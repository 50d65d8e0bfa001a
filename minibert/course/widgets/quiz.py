"""A quiz whose every choice is explained, right or wrong: it helps to learn, and gives no marks.

Radio buttons are the browser's own, so the keyboard works: Tab to a question, arrow keys to choose. A page
without a kernel shows the same questions with folded answers.
"""

import html
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import ipywidgets as widgets

from .view import GREEN, VERMILLION, beside

# ipywidgets gives each choice one line of fixed height and cuts longer text. The label of the radio buttons
# repeats the question's text, so it is left to screen readers.
STYLE = """<style>
.minibert-quiz .widget-radio {width: auto; max-width: 100%; margin: 0}
.minibert-quiz .widget-radio-box {width: auto; max-width: 52em; margin-bottom: 0}
.minibert-quiz .widget-radio-box label {height: auto; line-height: 1.4; white-space: normal; margin: 2px 0;
  width: auto}
.minibert-quiz .widget-label {position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%)}
.minibert-quiz .widget-html-content {line-height: 1.4; max-width: 56em}
</style>"""
GAP = '<div style="height:10px"></div>'


@dataclass(frozen=True)
class Choice:
    """One answer: its text, whether it is `right`, and `why`. Plain text."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class QuizQuestion:
    """A question and its choices. Raises ValueError unless one choice is right and all texts differ."""

    text: str
    choices: list[Choice]

    def __post_init__(self):
        right = sum(choice.right for choice in self.choices)
        if right != 1:
            raise ValueError(f"{right} right choices, there must be one: {self.text!r}")
        if len({choice.text for choice in self.choices}) < len(self.choices):
            raise ValueError(f"two choices with the same text: {self.text!r}")


def shuffled(question: QuizQuestion) -> QuizQuestion:
    """Return the question with its choices in an order that its text alone decides: the same each time."""
    order = random.Random(question.text)
    return replace(question, choices=order.sample(question.choices, len(question.choices)))


class Quiz(widgets.VBox):
    """Questions one below the other; a chosen answer is explained at once, and another may be chosen.

    The choices are shuffled, so that their places say nothing.

    >>> right, wrong = Choice("2", True, "Yes."), Choice("11", False, "They are no digits.")
    >>> quiz = Quiz([QuizQuestion("One and one?", [right, wrong])])
    >>> quiz.answers[0].value = "11"
    >>> "They are no digits." in quiz.explanations[0].value
    True
    """

    def __init__(self, questions: Iterable[QuizQuestion]) -> None:
        self.questions = list(map(shuffled, questions))
        self.answers = [
            widgets.RadioButtons(
                options=[choice.text for choice in question.choices],
                value=None,
                description=f"Question {number}",
            )
            for number, question in enumerate(self.questions, 1)
        ]
        self.explanations = [widgets.HTML() for _ in self.questions]
        self.score = widgets.HTML()
        for answer in self.answers:
            answer.observe(self.explain, "value")
        self.explain()
        rows = [
            part
            for number, (question, answer, explanation) in enumerate(self.asked(), 1)
            for part in (
                widgets.HTML(f"{GAP}<b>{number}. {html.escape(question.text)}</b>"),
                answer,
                explanation,
            )
        ]
        super().__init__([widgets.HTML(STYLE), *rows, self.score])
        self.add_class("minibert-quiz")

    def asked(self) -> Iterator[tuple[QuizQuestion, widgets.RadioButtons, widgets.HTML]]:
        """Yield (question, its radio buttons, its explanation), one after the other."""
        return zip(self.questions, self.answers, self.explanations, strict=True)

    def explain(self, _: Any = None) -> None:
        """Say why each chosen answer is right or wrong, and how many are right."""
        right = 0
        for question, answer, explanation in self.asked():
            if answer.index is not None:
                choice = question.choices[answer.index]
                right += choice.right
                explanation.value = f'<div role="status">{verdict(choice)}</div>'
        if any(answer.index is not None for answer in self.answers):
            self.score.value = (
                f'<div role="status"><b>{right} of {len(self.questions)} right so far.</b></div>'
            )

    def _repr_mimebundle_(self, **kwargs):
        """The live widget, and the questions with folded answers for places without a kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), "".join(map(on_paper, self.questions)))


def verdict(choice: Choice) -> str:
    """Return a mark that does not rely on its colour alone, and the reason, as HTML."""
    mark, color, said = ("✓", GREEN, "right:") if choice.right else ("✗", VERMILLION, "not right:")
    return f'<b style="color:{color}" role="img" aria-label="{said}">{mark}</b> {html.escape(choice.why)}'


def on_paper(question: QuizQuestion) -> str:
    """Return the question as HTML that needs no kernel: every choice with its explanation folded below it."""
    choices = "".join(
        f"<li><details><summary>{html.escape(choice.text)}</summary>{verdict(choice)}</details></li>"
        for choice in question.choices
    )
    return f"<p><b>{html.escape(question.text)}</b></p><ul>{choices}</ul>"
