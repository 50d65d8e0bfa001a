"""Two searches for a help desk, by words and by meaning: the views of the lesson for a class."""

import html
import math
from collections import Counter
from collections.abc import Callable
from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.course.widgets.guess_then_see import GuessChoice
from minibert.course.widgets.plots import DARK, NAME_SIZE, headline, plain
from minibert.course.widgets.tables import scrolling
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import BLUE, SKY, YELLOW, Controls, Drawing, View, figure, show
from minibert.finetuning.search import BM25, best, combined, words

from . import ours, search
from .desk_answers import ANSWERS, OTHER, QUESTIONS, right_answer

Cosine = Callable[[np.ndarray, np.ndarray], float]
WORDS, MEANING, BOTH = "words", "meaning", "both"
LOOKS = {WORDS: (YELLOW, "counting words"), MEANING: (SKY, "meaning"), BOTH: (BLUE, "both")}
FIRST = "I have lost my wallet with my ID"
LINES = "Where do I park my bike?\nWhat is in B12?"
CELL = "text-align:left;vertical-align:top;padding:4px 10px;border-bottom:1px solid #8884"
NOTHING = "nothing: no word in common"


@cache
def vectors(texts: tuple[str, ...]) -> np.ndarray:
    """Return the vectors of texts, (N, D)."""
    return search.vectors("published", "mean", list(texts))


@cache
def by_words() -> BM25:
    """Return the answers, indexed by their words."""
    return BM25(ANSWERS)


def scores(question: str, cosine: Cosine = ours.cosine) -> dict[str, np.ndarray]:
    """Return the score of each answer, (N,), by each search."""
    asked = vectors((question,))[0]
    meaning = np.array([cosine(asked, vector) for vector in vectors(ANSWERS)])
    counted = by_words().scores(question)
    return {WORDS: counted, MEANING: meaning, BOTH: combined(counted, meaning)}


def first(found: np.ndarray) -> int | None:
    """Return the index of the best answer, or None if all scores are 0."""
    return best(found, 1)[0][0] if found.any() else None


def answer_html(found: np.ndarray) -> str:
    """Return the best answer as HTML."""
    place = first(found)
    return NOTHING if place is None else html.escape(ANSWERS[place])


def help_desk(question: str = FIRST) -> Controls:
    """Show the first three answers to a question, by words and by meaning."""

    def draw(question: str) -> str:
        if not words(question):
            return "<p>Type a question, and press Enter.</p>"
        found = scores(question)
        columns = {
            LOOKS[way][1]: [
                f"{html.escape(ANSWERS[i])} <small>({score:.2f})</small>"
                for i, score in best(found[way])
                if score > 0
            ]
            for way in (WORDS, MEANING)
        }
        return search.three_columns(columns)

    return Controls(draw, question=search.question_box(question))


def word_points() -> dict[str, float]:
    """Return the points of each word of the answers: the fewer answers have it, the more."""
    with_word = Counter(word for answer in ANSWERS for word in {*words(answer)})
    return {word: round(math.log(len(ANSWERS) / count), 1) for word, count in with_word.items()}


def in_common(question: list[str], answer: list[str], points: dict[str, float]) -> float:
    """Return the sum of the points of the words that are in both lists.

    >>> in_common(["the", "bike"], ["the", "car"], {"the": 0.5, "car": 3.0})
    0.5
    """
    return sum((points[word] for word in {*question} & {*answer}), 0.0)


def counted_words(yours: Callable[..., float], question: str = FIRST) -> Controls:
    """Show the three answers with the most points, and which words the points are for."""
    count, said = either(yours, in_common)
    points = word_points()

    def draw(question: str) -> str:
        asked = words(question)
        sums = np.array([count(asked, words(answer), points) for answer in ANSWERS])
        rows = "".join(
            f"<li>{html.escape(ANSWERS[i])}<br><small>{total:.1f} points: {shared_html(i, asked, points)}"
            "</small></li>"
            for i, total in best(sums)
            if total > 0
        )
        return f"<ol>{rows or '<li>' + NOTHING + '</li>'}</ol><p><small>{said}</small></p>"

    return Controls(draw, question=search.question_box(question))


def shared_html(place: int, asked: list[str], points: dict[str, float]) -> str:
    """Return the words that an answer shares with a question, each with its points."""
    shared = sorted({*asked} & {*words(ANSWERS[place])}, key=lambda word: -points[word])
    return ", ".join(f"<b>{html.escape(word)}</b> {points[word]}" for word in shared)


def all_answers() -> View:
    """Return the answers of the help desk as a list."""
    items = "".join(f"<li>{html.escape(answer)}</li>" for answer in ANSWERS)
    return View(f"<details><summary><b>All {len(ANSWERS)} answers</b></summary><ul>{items}</ul></details>")


def duel(cosine: Cosine) -> Controls:
    """Show the best answer to each of the pair's questions, by words and by meaning."""
    compare, said = either(cosine, ours.cosine)

    def draw(questions: str) -> str:
        rows = ""
        for question in filter(words, questions.splitlines()):
            found = scores(question, compare)
            cells = "".join(f'<td style="{CELL}">{answer_html(found[way])}</td>' for way in (WORDS, MEANING))
            rows += f'<tr><th scope="row" style="{CELL}">{html.escape(question)}</th>{cells}</tr>'
        head = "".join(
            f'<th scope="col" style="{CELL}">{name}</th>'
            for name in ("your question", *(LOOKS[way][1] for way in (WORDS, MEANING)))
        )
        table = f'<table style="border-collapse:collapse"><tr>{head}</tr>{rows}</table>'
        return scrolling(table) + f"<p><small>{said}</small></p>"

    return Controls(
        draw,
        questions=widgets.Textarea(
            LINES,
            description="Questions",
            layout={"width": "620px", "max_width": "98%", "height": "110px"},
            continuous_update=False,
        ),
    )


@cache
def right_by_kind() -> dict[str, dict[str, int]]:
    """Return how many questions of each kind have the right answer first, by each search."""
    found = {kind: dict.fromkeys(LOOKS, 0) for kind in QUESTIONS}
    for kind, asked in QUESTIONS.items():
        for question, beginning in asked.items():
            for way, values in scores(question).items():
                found[kind][way] += first(values) == right_answer(beginning)
    return found


def by_kind() -> View:
    """Draw how many of our questions each search answers, by kind of question."""
    return show(*kind_bars(right_by_kind()))


def kind_bars(found: dict[str, dict[str, int]]) -> Drawing:
    fig, ax = figure(3.6)
    told = []
    for row, (kind, ways) in enumerate(found.items()):
        total = len(QUESTIONS[kind])
        for shift, (way, count) in zip((-0.27, 0.0, 0.27), ways.items()):
            ax.barh(
                row + shift,
                100 * count / total,
                height=0.25,
                color=LOOKS[way][0],
                edgecolor=DARK,
                linewidth=0.5,
            )
            label = f"{LOOKS[way][1]}: {count} of {total}"
            ax.text(100 * count / total + 1, row + shift, label, va="center", fontsize=NAME_SIZE)
            told.append(f"{kind}, {label}")
    ax.set_yticks(range(len(found)), list(found))
    ax.set(xlabel="right answer first, %", xlim=(0, 125))
    ax.set_xticks(range(0, 101, 20))
    ax.invert_yaxis()
    plain(ax)
    sums = {way: sum(ways[way] for ways in found.values()) for way in LOOKS}
    asked = sum(map(len, QUESTIONS.values()))
    title = f"Of {asked} questions, " + ", ".join(f"{LOOKS[way][1]} answers {n}" for way, n in sums.items())
    headline(fig, title)
    return fig, f"{title}. {'; '.join(told)}."


def guess_both() -> GuessChoice:
    """Ask what combining both searches does for questions in other words."""
    choices = ["better than meaning alone", "the same", "worse than meaning alone"]

    def answer() -> str:
        ways = right_by_kind()[OTHER]
        return choices[1 + int(np.sign(ways[MEANING] - ways[BOTH]))]

    return GuessChoice(
        "Both together: each answer gets points for its place in both lists. For questions in other words, "
        "this is …",
        choices,
        answer,
        see=lambda: kind_bars(right_by_kind()),
    )
