"""The English model marks answers; a student's function labels them; traps and added sentences mislead it."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np

import minibert
from minibert.course.texts.passages import passages
from minibert.finetuning.finetuned import Finetuned
from minibert.tasks.answers import exact_match_and_f1, normalize_answer

from ...models.class_model import untrained_model
from ...widgets.chips import chip
from ...widgets.entities import entity_lines
from ...widgets.guess_then_see import GuessChoice
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import SKY, Controls, View
from .mark_span import MarkSpan
from .qa import Asked, answer_html
from .reading import examples_of, with_sentence

LIGHTHOUSE = (
    "The lighthouse at Cape Orrin was built in 1862 by the engineer Martha Lindqvist, after three ships had "
    "sunk there in a single winter. Its lamp burned whale oil until 1911, when electric light took its "
    "place. Forty-two steps lead from the house of the keeper to the top. The last keeper, Tom Abara, "
    "retired in 1984. Since then the light has been controlled from the harbour office in Westport."
)
WANTED = {
    "Who built the lighthouse?": ["Martha Lindqvist", "the engineer Martha Lindqvist"],
    "When was the lighthouse built?": ["1862", "in 1862"],
    "Why was the lighthouse built?": [
        "three ships had sunk there in a single winter",
        "three ships had sunk",
    ],
    "Until when did the lamp burn whale oil?": ["1911", "until 1911"],
    "What took the place of the oil?": ["electric light"],
    "How many steps lead to the top?": ["Forty-two", "Forty-two steps"],
    "What happened in 1984?": ["The last keeper, Tom Abara, retired", "Tom Abara retired"],
    "Where is the light controlled from today?": ["Westport", "the harbour office in Westport"],
}
# SQuAD 1.1, dev set, article "1973 oil crisis" (text from Wikipedia), CC BY-SA 4.0; some sentences left out.
SQUAD = (
    "In 1973, Nixon named William E. Simon as the first Administrator of the Federal Energy Office, a "
    "short-term organization created to coordinate the response to the embargo. [...] The American "
    "Automobile Association reported that in the last week of February 1974, 20% of American gasoline "
    "stations had no fuel."
)
REFERENCES = [
    (
        "Why was this short termed organization created?",
        ["coordinate the response to the embargo", "to coordinate the response to the embargo"],
    ),
    (
        "According to the AAA, what is the percentage of the gas stations that ran out of gasoline?",
        ["20%", "20", "last week of February 1974,"],
    ),
]
SHOP = "The bakery sold 12 loaves of bread on Monday and 30 on Tuesday."
HOUSES = "The blue house has a garden. The red house does not have a garden."
TRAPS = (  # passage, question, and what a person would say
    (SHOP, "How many loaves did it sell on the two days together?", ["42"]),
    (HOUSES, "Which house has a garden?", ["the blue house", "blue"]),
    (HOUSES, "Which house lacks a garden?", ["the red house", "red"]),
    (LIGHTHOUSE, "What was the name of the keeper's wife?", [""]),
)
ADDED = {
    "nothing": "",
    "somebody else, the same kind of fact": "The lighthouse at Port Vane was built in 1901 by Oskar Dahl.",
    "somebody else, another fact": "Oskar Dahl sold bread in Port Vane for forty years.",
    "the words of the question": "Who built the lighthouse, and when was the lighthouse built?",
}
WIDE: dict[str, Any] = {"layout": {"width": "95%"}, "continuous_update": False}


@cache
def english() -> Any:
    """Return the English question answering model, or an untrained one if it cannot be downloaded."""
    return minibert.load("english-qa", instead=untrained_model("qa"))


def text_box(text: str, name: str, rows: int = 5) -> widgets.Textarea:
    return widgets.Textarea(text, description=name, rows=rows, **WIDE)


def ask() -> Controls:
    """Mark the answer to a question in a text, both of the student's own."""

    def draw(question: str, text: str) -> str:
        _, said = english().ask(question=question, context=text)
        chosen = next((answer for answer in said.best if answer.text == said.text), None)
        spans = [(chosen.start, chosen.end, "answer")] if said.text and chosen else []
        return entity_lines([("", text, spans)], ["answer"], said.text or "It marks nothing.")

    return Controls(
        draw,
        question=widgets.Combobox(
            value=next(iter(WANTED)),
            options=list(WANTED),
            description="Ask",
            continuous_update=False,
            layout={"width": "420px", "max_width": "98%"},
        ),
        text=text_box(LIGHTHOUSE, "About"),
    )


def mark() -> MarkSpan:
    """Ask the student to mark the answers to two questions of SQuAD."""
    return MarkSpan(SQUAD, REFERENCES)


def our_token_span(offsets: Sequence[tuple[int, int]], begin: int, text: str) -> list[int]:
    inside = [i for i, (start, end) in enumerate(offsets) if start < begin + len(text) and end > begin]
    return [inside[0], inside[-1]]


def label(token_span: Callable) -> Controls:
    """Turn an answer that the student types into the label of a sequence, with the student's function."""
    used, said = either(token_span, our_token_span)
    question, text = next(iter(WANTED)), LIGHTHOUSE.partition(". ")[0] + "."
    tokenizer = english().task.tokenizer
    asked, read = tokenizer.encode(question), tokenizer.encode(text)
    shift = len(asked.ids) + 2

    def draw(answer: str) -> str:
        begin = text.find(answer)
        if not answer or begin < 0:
            raise ValueError(f"“{answer}” is not in the passage; copy some of its words")
        first, last = used(read.offsets, begin, answer)
        tokens = ["[CLS]", *asked.pieces, "[SEP]", *read.pieces, "[SEP]"]
        inside = range(first + shift, last + shift + 1)
        shown = " ".join(
            chip(token, SKY if i in inside else "", below=str(i)) for i, token in enumerate(tokens)
        )
        return (
            f"<p><small>{said}</small></p><p>Tokens {first} to {last} of the passage. In the sequence, "
            "[CLS], the question and [SEP] come first: the label is "
            f"<b>{first + shift}, {last + shift}</b>.</p>"
            f'<p style="line-height:2.6">{shown}</p>'
        )

    return Controls(
        draw, answer=widgets.Text("Martha Lindqvist", description="Answer", continuous_update=False)
    )


def ribbons() -> Controls:
    """Show the probabilities of start and end for each token, and the best spans."""
    return Controls(
        lambda question, text: answer_html(english(), question, text),
        question=widgets.Text("Why was the lighthouse built?", description="Question", **WIDE),
        text=text_box(LIGHTHOUSE, "Passage", 4),
    )


def exact_and_f1() -> Controls:
    """Score an answer of the student's own against references."""

    def draw(answer: str, references: str) -> str:
        exact, f1 = exact_match_and_f1(answer, references.split("|"))
        compared = " or ".join(f"“{normalize_answer(text)}”" for text in references.split("|"))
        return (
            f"<p>Compared: “{normalize_answer(answer)}” with {compared}.</p>"
            f'<p role="status">Exact match <b>{exact:.0f}</b>, F1 <b>{f1:.2f}</b>.</p>'
        )

    return Controls(
        draw,
        answer=widgets.Text("The Harbour Trust.", description="Answer", continuous_update=False),
        references=widgets.Text("Harbour Trust|the trust", description="References", continuous_update=False),
    )


def span_scores(tuned: Finetuned, examples: Sequence[Asked]) -> np.ndarray:
    """Return the exact match and F1 of each question's best span in percent, (N, 2)."""
    predictions = tuned.task.predict(tuned.model, examples)
    best = [next((answer.text for answer in found.best if answer.text), "") for found in predictions]
    references = [[text for text, _ in example.answers] or [""] for example in examples]
    return 100 * np.array([exact_match_and_f1(text, right) for text, right in zip(best, references)])


@cache
def by_hand() -> list[Asked]:
    """Return a hundred questions about the course's English passages, all with an answer."""
    answered = [example for example in examples_of(passages()) if example.answers]
    return answered[:: len(answered) // 100][:100]


def how_good() -> View:
    """Score the English model on the lighthouse and on a hundred questions about other passages."""
    rows = []
    for question, references in WANTED.items():
        answer = english().predict(question=question, context=LIGHTHOUSE)
        rows.append((question, answer, *(100 * score for score in exact_match_and_f1(answer, references))))
    exact, f1 = span_scores(english(), by_hand()).mean(axis=0)
    others = (
        f"On {len(by_hand())} harder questions about other passages of the course: "
        f"exact match {exact:.0f}%, F1 {f1:.0f}."
    )
    return View(f"{score_table(['question', 'it answers', 'EM', 'F1'], rows)}<p>{others}</p>")


def add_sentence() -> Controls:
    """Add a sentence about somebody else to the passage."""
    question, *_ = WANTED

    def draw(added: str, where: str) -> str:
        asked = with_sentence(Asked(question, LIGHTHOUSE), ADDED[added], where == "before")
        return f"<p><b>{question}</b></p>{answer_html(english(), question, asked.context)}"

    return Controls(
        draw,
        added=widgets.Dropdown(
            options=list(ADDED), value=list(ADDED)[1], description="Added", layout={"width": "360px"}
        ),
        where=widgets.Dropdown(options=["before", "after"], description="Where"),
    )


@cache
def sprung() -> tuple[int, str]:
    """Return how many of the TRAPS are answered as a person would, and all of them as an HTML table."""
    rows, right = [], 0
    for text, question, references in TRAPS:
        answer = english().predict(question=question, context=text)
        good = bool(exact_match_and_f1(answer, references)[0])
        right += good
        passage = text if len(text) < 100 else "(the lighthouse)"
        wanted = references[0] or "it does not say"
        rows.append((passage, question, answer or "it does not say", wanted, "✓" if good else "✗"))
    return right, score_table(["passage", "question", "it answers", "a person", ""], rows)


def guess_traps() -> GuessChoice:
    """Ask how many of four traps the English model avoids."""
    asked = " ".join(f"“{question}”" for _, question, _ in TRAPS)
    return GuessChoice(
        f"Four traps: {asked} (You will see the passages.) How many of the answers are right?",
        ["all four", "two or three", "one or none"],
        lambda: "all four" if sprung()[0] == 4 else "two or three" if sprung()[0] > 1 else "one or none",
        see=lambda: sprung()[1],
    )
