"""A quiz that explains every choice, right or wrong. It is for learning and is not graded.

The radio buttons are standard ones, so the keyboard works: Tab moves to a question, and the arrow keys
choose. A page without a kernel shows the same questions with folded answers.
"""

import html
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import ipywidgets as widgets

from .view import GREEN, VERMILLION, beside

# ipywidgets gives each choice one line of fixed height and cuts longer text, and has its circle after the
# text, next to the last line. The label of the radio buttons repeats the number of the question, so only
# screen readers get it.
STYLE = """<style>
.minibert-quiz .widget-radio {width: auto; max-width: 100%; margin: 0}
.minibert-quiz .widget-radio-box {width: auto; max-width: 52em; margin-bottom: 0}
.minibert-quiz .widget-radio-box label {height: auto; line-height: 1.4; white-space: normal; margin: 2px 0;
  width: auto; display: flex; flex-direction: row-reverse; justify-content: flex-end}
.minibert-quiz .widget-radio-box label input {flex: none; margin-top: 0; margin-bottom: auto}
.minibert-quiz .widget-label {position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%)}
.minibert-quiz .widget-html-content {line-height: 1.4; max-width: 56em}
.minibert-sorter .widget-radio-box {flex-flow: row wrap; gap: 0 1.5em}
</style>"""
GAP = '<div style="height:10px"></div>'


@dataclass(frozen=True)
class Choice:
    """A possible answer to a quiz question: its text, whether it is `right`, and the reason, `why`."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class QuizQuestion:
    """A question and its choices.

    Raises ValueError unless exactly one choice is right and all choices have different texts.
    """

    text: str
    choices: list[Choice]

    def __post_init__(self):
        right = sum(choice.right for choice in self.choices)
        if right != 1:
            raise ValueError(f"{right} choices are right, but exactly one must be: {self.text!r}")
        if len({choice.text for choice in self.choices}) < len(self.choices):
            raise ValueError(f"two choices have the same text: {self.text!r}")


def shuffled(question: QuizQuestion) -> QuizQuestion:
    """Return the question with its choices shuffled, in an order that depends only on its text."""
    order = random.Random(question.text)
    return replace(question, choices=order.sample(question.choices, len(question.choices)))


class Quiz(widgets.VBox):
    """A multiple-choice quiz that explains each chosen answer at once; the student may choose again.

    The choices are shuffled, so that their order does not reveal the answer.

    >>> right, wrong = Choice("2", True, "Yes."), Choice("11", False, "They are no digits.")
    >>> quiz = Quiz([QuizQuestion("One and one?", [right, wrong])])
    >>> quiz.answers[0].value = "11"
    >>> "They are no digits." in quiz.explanations[0].value
    True
    """

    def __init__(self, questions: Iterable[QuizQuestion]) -> None:
        self.questions = list(map(self.arranged, questions))
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

    def arranged(self, question: QuizQuestion) -> QuizQuestion:
        """Return the question with its choices in the order in which they are shown."""
        return shuffled(question)

    def asked(self) -> Iterator[tuple[QuizQuestion, widgets.RadioButtons, widgets.HTML]]:
        """Yield each question with its radio buttons and the widget for the explanation."""
        return zip(self.questions, self.answers, self.explanations, strict=True)

    def explain(self, _: Any = None) -> None:
        """Explain why each chosen answer is right or wrong, and show how many are right."""
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
        """Return Jupyter's display data: the live quiz, and static questions for pages without a kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), "".join(map(on_paper, self.questions)))


class Sorter(Quiz):
    """A quiz whose questions are examples to sort: they have the same choices, each time in one row."""

    def __init__(self, questions: Iterable[QuizQuestion]) -> None:
        super().__init__(questions)
        self.add_class("minibert-sorter")

    def arranged(self, question: QuizQuestion) -> QuizQuestion:
        """Return the question unchanged, because the same order makes sorting easier."""
        return question


def verdict(choice: Choice) -> str:
    """Return the explanation of a choice as HTML, after a mark that can be recognised without colour."""
    mark, color, said = ("✓", GREEN, "right:") if choice.right else ("✗", VERMILLION, "not right:")
    return f'<b style="color:{color}" role="img" aria-label="{said}">{mark}</b> {html.escape(choice.why)}'


def on_paper(question: QuizQuestion) -> str:
    """Return a question as static HTML, with a folded explanation below each choice."""
    choices = "".join(
        f"<li><details><summary>{html.escape(choice.text)}</summary>{verdict(choice)}</details></li>"
        for choice in question.choices
    )
    return f"<p><b>{html.escape(question.text)}</b></p><ul>{choices}</ul>"
