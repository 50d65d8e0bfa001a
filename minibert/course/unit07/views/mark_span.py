"""A card with a passage, on which the student clicks the first and last word of an answer.

The first item is [CLS], as in a model's input; the student marks it if there is no answer.
"""

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from minibert.course.widgets.guess_then_see import mark
from minibert.course.widgets.theme import CSS
from minibert.course.widgets.view import beside

HERE = Path(__file__)
WORD = re.compile(r"\w+|[^\w\s]")  # like BERT's tokenizer before it splits words into subwords
NOTHING = "[CLS]"


class MarkSpan(anywidget.AnyWidget):
    """A widget with questions about a passage, answered by clicking the first and last word of the answer.

    questions: pairs (question, correct answers), with an empty list if the passage does not contain an
    answer.

    >>> card = MarkSpan("She lives in Little Hexford.", [("Where does she live?", ["Little Hexford"])])
    >>> card.words[4:6]
    ['Little', 'Hexford']
    >>> card.marks = [[4, 5]]
    >>> card.given = [0]
    >>> "label: 4 and 5" in card.said[0]
    True
    """

    _esm = HERE.with_suffix(".js")
    _css = CSS + HERE.with_suffix(".css").read_text(encoding="utf-8")
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    apart = traitlets.List(traitlets.Bool()).tag(sync=True)  # whether there is a space before the word
    questions = traitlets.List(traitlets.Unicode()).tag(sync=True)
    marks = traitlets.List(traitlets.List(traitlets.Int())).tag(
        sync=True
    )  # [first, last] or [] for each question
    given = traitlets.List(traitlets.Int()).tag(sync=True)  # the questions answered so far
    said = traitlets.List(traitlets.Unicode()).tag(sync=True)  # HTML for each question

    def __init__(self, passage: str, questions: Sequence[tuple[str, Sequence[str]]]) -> None:
        found = list(WORD.finditer(passage))
        self.passage, self.answers = passage, [list(texts) for _, texts in questions]
        self.places = [(0, 0), *(word.span() for word in found)]
        super().__init__(
            words=[NOTHING, *(word[0] for word in found)],
            apart=[True, *(i == 0 or word.start() > found[i - 1].end() for i, word in enumerate(found))],
            questions=[question for question, _ in questions],
            marks=[[] for _ in questions],
            said=["" for _ in questions],
        )
        self.observe(self.judge, "given")

    def text(self, first: int, last: int) -> str:
        """Return the passage from word number `first` to word number `last`, or "" if [CLS] (0) is marked."""
        return self.passage[self.places[first][0] : self.places[last][1]] if first else ""

    def judge(self, _: Any = None) -> None:
        """Update the verdicts on the answers that the student has given."""
        self.said = [
            self.verdict(i) if i in self.given and self.marks[i] else "" for i in range(len(self.questions))
        ]

    def verdict(self, question: int) -> str:
        """Return the verdict on the answer marked for a question as HTML; question: its index."""
        first, last = self.marks[question]
        right = self.text(first, last) in (self.answers[question] or [""])
        if right:
            return (
                f"{mark(True, 'Right.', '')} As a label: {first} and {last}, the positions of its start "
                "and end."
            )
        return f"{mark(False, '', 'No.')} {html.escape(self.wanted(question))}"

    def wanted(self, question: int) -> str:
        """Return a sentence with the correct answer to a question; question: its index."""
        texts = self.answers[question]
        return f"It is “{'” or “'.join(texts)}”." if texts else f"The passage does not say: mark {NOTHING}."

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live card, and HTML questions with hidden answers for use without Jupyter."""
        asked = "".join(
            f"<li><details><summary>{html.escape(question)}</summary>"
            f"{html.escape(self.wanted(i))}</details></li>"
            for i, question in enumerate(self.questions)
        )
        still = f"<p>{html.escape(self.passage)}</p><ol>{asked}</ol>"
        return beside(super()._repr_mimebundle_(**kwargs), still)
